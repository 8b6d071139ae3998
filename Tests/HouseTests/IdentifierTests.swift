import Testing

/// What a backend named is compared and collected by its bytes (`ExactString`).
///
/// `String` compares by canonical equivalence, so of two users whose ids look alike it would lose one.
@Suite("Identifiers")
struct IdentifierTests {
    private static let places = [
        "Adapters/", "Sources/LockstepUserFields/", "Sources/LockstepDirectory/", "Sources/LockstepMigration/",
        "Sources/LockstepEmulation/", "Sources/Stores/",
    ]

    /// Files that collect only names which this program has given.
    ///
    /// Constants, parameters of public functions (their callers give a `String`), headers and tables of errors need no entry.
    private static let ownNames = [
        ("Adapters/InMemory/", "it makes all its ids itself"), ("/Settings/", "names of settings"),
        ("Sources/LockstepEmulation/State/EmulatorState.swift", "names of settings"),
        ("Sources/LockstepEmulation/Seed/Seed.swift", "names of providers"),
        ("Sources/LockstepMigration/Canary/MoveCanaries.swift", "kinds of hashes"),
        ("Sources/LockstepMigration/Plan/PlanSummary+JSON.swift", "counts by the plan's own names"),
        ("Sources/LockstepMigration/Record/UserRecord.swift", "members that a move adds"),
        ("Sources/Stores/KeychainStore/SystemKeychain.swift", "attributes of Apple's Keychain"),
    ]

    @Test func namesOfBackendsAreCollectedAsExactStrings() throws {
        for file in try Self.files() where !Self.ownNames.contains(where: { file.path.contains($0.0) }) {
            for (text, line) in file.code where text.contains(#/Set<\[?String|\[String: /#) {
                let isConstant = text.contains("static let ") || text.contains(#/let \w+: \S+( \w+\])? = \[/#)
                if isConstant || text.hasPrefix("public ") || text.contains("headers") || text.contains("ErrorMeaning") {
                    continue
                }
                Issue.record(
                    "\(file.path):\(line) collects by String: use ExactString, or add the file and its reason to the list")
            }
        }
    }

    @Test func idsAreComparedAsExactStrings() throws {
        let id = #/\b(id|[a-z]\w*ID|uid|subject|rawID)\b[?!)]* (==|!=) (?!nil|true|false|[\d"\.])/#
        let other = #/(==|!=) [\w.$?]*\b(id|[a-z]\w*ID|subject|rawID)\b(?![\w.?(])/#
        // Numbers, bytes and constants of this program.
        let others = ["bootID", "scope.id", "Bytes(", "ProviderID.", "fault"]
        for file in try Self.files() where !file.path.contains("Adapters/InMemory/") {
            for (text, line) in file.code where text.contains(id) || text.contains(other) {
                if others.contains(where: text.contains) || text.contains(#/"[^"]*(=|AND)[^"]*"/#) { continue }
                Issue.record("\(file.path):\(line) compares ids as String: compare their .exact")
            }
        }
    }

    private static func files() throws -> [House.File] {
        try House.files(below: ["Adapters", "Sources"]).filter { file in
            places.contains(where: file.path.hasPrefix) && !file.path.contains("/Harness/")
        }
    }
}
