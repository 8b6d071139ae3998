public import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The tests that a run includes: the tests for every change, or all tests.
///
/// `make test` and a plain `swift test` run the tests for every change. `make check` runs all tests.
/// The environment variable LOCKSTEP_TEST_SCOPE sets the scope.
public enum TestScope: String, Sendable {
    /// The tests for every change.
    ///
    /// They check each contract for the first variant of each provider, and each fault against its own contract. They also
    /// include all other fast tests.
    case usual
    /// All tests, including tests for the other variants and tests that build a separate package.
    case thorough

    /// The scope of this run.
    public static let current =
        ProcessInfo.processInfo.environment["LOCKSTEP_TEST_SCOPE"].flatMap(TestScope.init(rawValue:)) ?? .usual
}

extension Trait where Self == ConditionTrait {
    /// A trait for tests that run only if the run includes all tests.
    public static var thorough: Self {
        .enabled("only in `make check`, which sets LOCKSTEP_TEST_SCOPE=thorough") { TestScope.current == .thorough }
    }
}
