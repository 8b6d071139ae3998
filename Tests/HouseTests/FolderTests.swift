import Testing

/// A target's folder has the target's name.
@Suite("Folders of targets")
struct FolderTests {
    /// Folders with a general name: the folder around them names their topic.
    private static let mainRooms: Set<Substring> = ["Adapter", "Binding", "Transport", "Library", "Suite"]

    /// The name of a target in this folder, without `Lockstep`.
    private static func name(of path: String) -> String {
        let folders = path.split(separator: "/")
        let (around, room) = (folders.dropLast().last ?? "", folders.last ?? "")
        if mainRooms.contains(room) { return String(around) }
        // A folder with two system libraries contains a folder for each.
        if room.hasSuffix("Library") { return String(room.dropLast("Library".count)) }
        if folders.count == 3, folders[0] == "Adapters" { return String(around + room) }
        return stem(String(room))
    }

    /// A target's name without the prefix of the project.
    private static func stem(_ name: String) -> String {
        for prefix in ["CLockstep", "lockstep-", "Lockstep"] where name.hasPrefix(prefix) && name != prefix {
            return String(name.dropFirst(prefix.count))
        }
        return name
    }

    @Test func foldersHaveTheNameOfTheirTarget() async throws {
        for target in try await Manifest.current().targets {
            let (expected, name) = (Self.name(of: target.path), Self.stem(target.name))
            #expect(
                expected.lowercased() == name.lowercased(),
                "\(target.path) holds \(target.name): give the folder the name of the target")
        }
    }

    @Test(arguments: [
        ("Adapters/Clerk/Emulator", "ClerkEmulator"), ("Adapters/Clerk/Adapter", "Clerk"), ("Sources/LockstepHTTP", "HTTP"),
        ("Sources/Bindings/SQLite/Library", "SQLite"), ("Sources/Bindings/Crypt/Library", "Crypt"),
        ("Sources/Transports/Curl/TLSLibrary", "TLS"),
        ("Contracts/Suite", "Contracts"), ("Contracts/Stores", "Stores"), ("Tests/Worker", "Worker"),
    ])
    func folderNameGivesTheTargetName(path: String, name: String) {
        #expect(Self.name(of: path) == name)
    }
}
