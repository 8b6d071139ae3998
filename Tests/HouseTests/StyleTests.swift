import Testing

@Suite("The house rules")
struct StyleTests {
    @Test func noFileIsLongerThanFiveHundredLinesAndMostAreShort() throws {
        let files = try House.files()
        for file in files where file.lines.count > 501 {
            Issue.record("\(file.path) has \(file.lines.count - 1) lines: split it by topic")
        }
        let lengths = files.map(\.lines.count).sorted()
        #expect(lengths[lengths.count / 2] < 120, "the median file is longer than 120 lines")
    }

    /// Calls that have one place, or none.
    private static let forbidden: [(call: String, except: [String], why: String)] = [
        (
            "unsafe ", ["Sources/Bindings/", "Sources/Transports/Curl/", "Tests/"],
            "memory that the compiler cannot check belongs into a binding"
        ),
        (
            "@unchecked", ["Sources/Bindings/", "Sources/Transports/Curl/", "Tests/"],
            "concurrency that the compiler cannot check"
        ),
        ("nonisolated(unsafe)", ["Sources/Bindings/", "Sources/Transports/Curl/"], "concurrency that the compiler cannot check"),
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

    @Test func forbiddenCallsStandOnlyInTheirPlace() throws {
        for file in try House.files() where !file.path.hasPrefix("Tests/HouseTests/") {
            for (text, line) in file.code {
                for rule in Self.forbidden where text.contains(rule.call) && !rule.except.contains(where: file.path.hasPrefix) {
                    Issue.record("\(file.path):\(line) has \(rule.call): \(rule.why)")
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
