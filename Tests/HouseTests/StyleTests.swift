import Testing

@Suite("The house rules")
struct StyleTests {
    @Test func filesHaveAtMost500Lines() throws {
        let files = try House.files()
        for file in files where file.lines.count > 501 {
            Issue.record("\(file.path) has \(file.lines.count - 1) lines: split it by topic")
        }
        let lengths = files.map(\.lines.count).sorted()
        #expect(lengths[lengths.count / 2] < 120, "the median file is longer than 120 lines")
    }

    /// Calls that are allowed in one place only, or nowhere.
    private static let forbidden: [(call: String, except: [String], why: String)] = [
        (
            "unsafe ", House.bindings + ["Tests/"],
            "memory that the compiler cannot check belongs into a binding"
        ),
        (
            "@unchecked", House.bindings + ["Tests/"],
            "concurrency that the compiler cannot check"
        ),
        ("nonisolated(unsafe)", House.bindings, "concurrency that the compiler cannot check"),
        ("Task.sleep", ["Sources/LockstepPrimitives/Effects/LiveEffects.swift"], "time comes from a DeviceClock"),
        ("Thread.sleep", [], "time comes from a DeviceClock"),
        ("usleep(", [], "time comes from a DeviceClock"),
        ("Date()", ["Sources/LockstepPrimitives/Effects/LiveEffects.swift"], "time comes from a DeviceClock"),
        ("UUID()", [], "randomness comes from a Randomness"),
        (
            "SystemRandomNumberGenerator", ["Sources/LockstepPrimitives/Effects/LiveEffects.swift"],
            "randomness comes from a Randomness"
        ),
        (".randomElement()", [], "randomness comes from a Randomness"),
        ("fatalError(", [], "bad input is an error, not a crash"),
        ("try!", [], "handle the error"),
        ("as!", [], "handle the other case"),
    ]

    @Test func forbiddenCallsAreUsedOnlyInListedFiles() throws {
        for file in try House.files() where !file.path.hasPrefix("Tests/HouseTests/") {
            for (text, line) in file.code {
                for rule in Self.forbidden where text.contains(rule.call) && !rule.except.contains(where: file.path.hasPrefix) {
                    Issue.record("\(file.path):\(line) has \(rule.call): \(rule.why)")
                }
            }
        }
    }

    /// A combining mark hides an ASCII sign from a search by `Character`.
    private static let searchesByCharacter = [
        #".replacing("&""#, #".replacing("<""#, #".replacing("\"""#, ".replacingOccurrences(",
        "for character in text {", #".split { ""#, ".split { $0 == \"", #".split(whereSeparator: { ""#, #".prefix { !""#,
        #".contains("://")"#, #".firstRange(of: "://")"#, #".contains("eyJ")"#,
    ]

    @Test func untrustedTextIsSearchedByScalars() throws {
        let places = [
            "Adapters/", "Sources/LockstepEmulation/", "Sources/LockstepComparison/", "Sources/LockstepWire/",
            "Sources/LockstepHTTP/Trace/", "Sources/LockstepHTTP/Echoes/", "Sources/LockstepDashboard/Pages/",
        ]
        for file in try House.files() where places.contains(where: file.path.hasPrefix) && !file.path.contains("/Harness/") {
            for (text, line) in file.code {
                let isByScalar = text.contains("calars.") || text.contains("utf8.")
                for search in Self.searchesByCharacter where text.contains(search) && !isByScalar {
                    Issue.record("\(file.path):\(line) has \(search): use pieces(at:), cut(at:) or replacingScalars(_:)")
                }
                let isByCharacter = [#".split(separator: ""#, #".firstIndex(of: ""#, #".lastIndex(of: ""#].contains {
                    text.contains($0)
                }
                if isByCharacter, !isByScalar, !text.contains("as Character)"), !text.contains(##""||""##) {
                    Issue.record("\(file.path):\(line) searches by Character: use cut(at:), or the scalars' firstIndex(of:)")
                }
            }
        }
    }

    @Test func foldersAndFilesAreNouns() throws {
        let grabBags = ["Helpers", "Utils", "Utilities", "Types", "Manager", "Misc", "Common"]
        for file in try House.files() {
            let names = file.path.split(separator: "/").map { $0.hasSuffix(".swift") ? $0.dropLast(6) : $0 }
            for bag in grabBags where names.contains(where: { $0.hasSuffix(bag) }) {
                Issue.record("\(file.path): \(bag) says nothing about what is in it")
            }
        }
    }
}
