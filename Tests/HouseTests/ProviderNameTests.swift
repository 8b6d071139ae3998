import Testing

/// Code for every provider names none of them.
///
/// Adapters and harnesses declare their differences.
@Suite("Names of providers")
struct ProviderNameTests {
    private static let names = ["clerk", "firebase", "gotrue", "supabase", "identitytoolkit", "securetoken"]

    /// Comments can name one as an example.
    @Test(arguments: [
        "Sources/LockstepPrimitives", "Sources/Lockstep", "Sources/LockstepHTTP", "Sources/LockstepWire",
        "Sources/LockstepModels",
        "Sources/Transports", "Sources/Stores", "Sources/LockstepUserFields", "Sources/LockstepDirectory",
        "Sources/LockstepMigration", "Contracts/Suite",
        "Contracts/Mutants",
    ])
    func sharedCodeNamesNoProvider(_ folder: String) throws {
        let files = try House.files(below: [folder])
        #expect(!files.isEmpty, "\(folder) has no files")
        for file in files {
            for (text, line) in file.code {
                let code = text.lowercased()
                for name in Self.names where code.contains(name) {
                    Issue.record("\(file.path):\(line) names \(name): the adapter or its harness declares it")
                }
            }
        }
    }
}
