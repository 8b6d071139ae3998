internal import LockstepContracts
internal import Synchronization
public import Testing

/// A trait that ends a test of contracts with two lines: the number of each result, and the capabilities that were found.
///
/// A contract of a capability that the adapter does not claim is not applicable. So a port that loses a claim still passes, and
/// only these lines show it. ``ContractCase`` has an example.
public struct ContractCounts: TestTrait, TestScoping {
    /// The counts of the running test, which its cases share.
    @TaskLocal static var current: ContractTally?

    /// Returns this trait for the whole test; `nil` for each of its cases.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> ContractCounts? { testCase == nil ? self : nil }

    /// Runs the test, then prints the lines.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let tally = ContractTally()
        defer { for line in tally.lines { print(line) } }
        try await Self.$current.withValue(tally) { try await function() }
    }
}

extension Trait where Self == ContractCounts {
    /// Ends a test of contracts with the number of each result, and the capabilities that were found.
    public static var contractCounts: ContractCounts { ContractCounts() }
}

/// The results of a run, by harness.
final class ContractTally: Sendable {
    private struct Count {
        var verdicts: [String: Int] = [:]
        var capabilities: Set<Capability> = []
    }

    private let counts = Mutex<[String: Count]>([:])

    func note(_ outcome: Outcome) {
        counts.withLock { $0[outcome.harness, default: Count()].verdicts[outcome.verdict.name, default: 0] += 1 }
    }

    /// A harness whose adapters tell their capabilities to these counts.
    func observing(_ harness: any Harness) -> any Harness {
        harness.preparing { [self] environment in
            let found = environment.adapter.capabilities
            counts.withLock { $0[harness.name, default: Count()].capabilities.formUnion(found) }
        }
    }

    /// Two lines for each harness.
    var lines: [String] {
        let words = [
            ("kept", "kept"), ("notApplicable", "not applicable"), ("notChecked", "not checked"), ("broken", "broken"),
            ("failed", "failed"),
        ]
        return counts.withLock { counts in
            counts.sorted { $0.key < $1.key }.flatMap { name, count in
                let numbers = words.filter { $0.0 != "failed" || count.verdicts["failed"] != nil }
                    .map { "\(count.verdicts[$0.0] ?? 0) \($0.1)" }
                return [
                    "\(name): " + numbers.joined(separator: ", "),
                    "\(name) has: " + count.capabilities.map(\.rawValue).sorted().joined(separator: ", "),
                ]
            }
        }
    }
}
