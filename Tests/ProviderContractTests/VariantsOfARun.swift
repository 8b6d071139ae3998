import LockstepContractsTesting
import LockstepTestConcurrency

extension ContractCase.Variants {
    /// The variants that this run checks: a provider's first one, or, in the second part of `make check`, all others.
    static let inThisRun: Self = TestScope.current == .thorough ? .others : .first
}
