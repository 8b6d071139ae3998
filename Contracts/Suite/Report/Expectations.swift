internal import Lockstep
internal import LockstepPrimitives

/// What one run of a contract has stated, by the lines of the statements.
package struct Expectations: Sendable {
    /// The statements that were made.
    package var reached: Set<Int> = []
    /// Those of them that did not hold.
    package var broken: Set<Int> = []
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
