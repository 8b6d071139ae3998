public import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The part of the tests that a run includes: the tests for every change, or all tests.
///
/// `make test` runs the first part, `make check` both. LOCKSTEP_TEST_SCOPE sets it; a plain `swift test` runs the first part.
public enum TestScope: String, Sendable {
    /// Each contract in a provider's first variant, each mutant against its own contract, and all fast tests.
    case usual
    /// All tests, including the other variants, and packages that are built separately.
    case thorough

    /// The scope of this run.
    public static let current =
        ProcessInfo.processInfo.environment["LOCKSTEP_TEST_SCOPE"].flatMap(TestScope.init(rawValue:)) ?? .usual
}

extension Trait where Self == ConditionTrait {
    /// Runs only in the second part of `make check`.
    public static var thorough: Self {
        .enabled("only in `make check`, which sets LOCKSTEP_TEST_SCOPE=thorough") { TestScope.current == .thorough }
    }
}
