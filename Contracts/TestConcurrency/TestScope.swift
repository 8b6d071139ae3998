package import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The tests that a run includes.
///
/// `make test` and a plain `swift test` run the tests for every change. `make nightly` also runs the thorough tests. `make audit` runs
/// the tests of an audit.
/// The environment variable LOCKSTEP_TEST_SCOPE sets the scope.
package enum TestScope: String, Sendable {
    /// The tests for every change.
    ///
    /// They check each contract for the first variant of each provider, and each fault against its own contract. They also
    /// include all other fast tests.
    case usual
    /// All tests for a change, including tests for the other variants and tests that build a separate package.
    case thorough
    /// The tests before a release: each fault on each provider.
    case audit

    /// The scope of this run.
    package static let current =
        ProcessInfo.processInfo.environment["LOCKSTEP_TEST_SCOPE"].flatMap(TestScope.init(rawValue:)) ?? .usual
}

extension Trait where Self == ConditionTrait {
    /// A trait for tests that run only nightly, or if what they read has changed.
    package static var thorough: Self {
        .enabled("only with LOCKSTEP_TEST_SCOPE=thorough, as in `make nightly`") { TestScope.current == .thorough }
    }

    /// A trait for tests that run only in an audit.
    package static var audit: Self {
        .enabled("only in `make audit`, which sets LOCKSTEP_TEST_SCOPE=audit") { TestScope.current == .audit }
    }
}
