import Testing

/// The adapter that the contracts alter forwards the declarations of its base.
///
/// A requirement with a default is easily forgotten.
@Suite struct ForwardingTests {
    @Test func alteredAdapterForwardsEachRequirement() throws {
        let requirements = try Self.requirements()
        let wrappers = try House.files(below: ["Contracts"]).filter { $0.path.contains("World/AlteredAdapter") }
        var count = 0
        for file in wrappers {
            for type in file.lines.joined(separator: "\n").matches(
                of: /struct \w+(?:<[^>]*>)?: (\w+)[^{]*\{(.*?)\n\}/.dotMatchesNewlines())
            {
                guard let names = requirements[String(type.output.1)] else { continue }
                for name in names {
                    count += 1
                    #expect(
                        try type.output.2.contains(Regex("(var|func|let) \(name)\\b")),
                        "\(file.path): the \(type.output.1) of the altered adapter has no \(name), and answers by the default")
                }
            }
        }
        #expect(count > 30)
    }

    /// The names that each protocol of the core requires.
    private static func requirements() throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for file in try House.files(below: ["Sources/Lockstep"]) {
            for match in file.lines.joined(separator: "\n").matches(of: /\npublic protocol (\w+)(.*?)\n\}/.dotMatchesNewlines()) {
                found[String(match.output.1)] = match.output.2.matches(of: /\n    (?:var|func) (\w+)/).map { String($0.output.1) }
            }
        }
        return found
    }
}
