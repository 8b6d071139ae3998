import LockstepContractsTesting
import LockstepTestConcurrency

extension ContractCase.Variants {
    /// The variants of this run: a provider's first one, or, in `make nightly`, all others.
    static let inThisRun: Self = TestScope.current == .thorough ? .others : .first
}
