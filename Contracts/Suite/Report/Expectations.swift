internal import Lockstep
internal import LockstepPrimitives

/// A place in the suite where something is stated.
package struct Statement: Sendable, Hashable, Comparable {
    /// The module and the file.
    package let fileID: String
    /// The line.
    package let line: Int

    /// Creates a place.
    package init(_ fileID: String, _ line: Int) {
        self.fileID = fileID
        self.line = line
    }

    /// By file and line.
    package static func < (left: Statement, right: Statement) -> Bool {
        (left.fileID, left.line) < (right.fileID, right.line)
    }
}

/// What one run of a contract has stated.
package struct Expectations: Sendable {
    /// The statements that were made.
    package var reached: Set<Statement> = []
    /// Those of them that did not hold.
    package var broken: Set<Statement> = []
}

extension Contract {
    /// Runs the check once, whatever it builds on, and tells what it has stated: to find statements that no mutant breaks.
    package func expectations(
        on harness: any Harness, _ variant: Variant, mutation: Mutation = .none, limit: Duration = .seconds(30)
    ) async -> Expectations {
        if let condition, !condition.holds(for: variant.behavior) { return Expectations() }
        let run = ContractRun(contract: self, variant: variant, mutation: mutation, watched: Slot())
        return await Race.first(limit: limit) {
            _ = await run.onEnvironment(of: harness)
            return run.stated.value ?? Expectations()
        } ?? Expectations()
    }
}
