import Foundation
import Testing

/// The groups `variants` and `packages` of `.ci/test`.
@Suite("The thorough tests")
struct TestScopeTests {
    /// A test with the trait `.thorough` runs only if one of these groups names its suite.
    @Test func everyThoroughSuiteIsInACIGroup() throws {
        let script = try String(contentsOf: House.root.appendingPathComponent(".ci/test"), encoding: .utf8)
        let part = script.components(separatedBy: "LOCKSTEP_TEST_SCOPE=thorough").dropFirst().joined()
        let groups = try part.matches(of: /--filter '([^']+)'/).map { try Regex(String($0.output.1)) }
        var count = 0
        for file in try House.files(below: ["Tests"]) {
            guard file.code.contains(where: { $0.text.hasPrefix("@Test(.thorough") }) else { continue }
            count += 1
            // The name that swift test prints: the target, and the suite, which has the name of its file.
            let parts = file.path.split(separator: "/")
            let suite = "\(parts[1]).\(parts[parts.count - 1].dropLast(".swift".count))/"
            #expect(groups.contains { suite.contains($0) }, ".ci/test has no group with \(suite)")
        }
        #expect(groups.count > 1 && count > 2)
    }
}
