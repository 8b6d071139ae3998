public import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The part of the tests that a run has: what every change wants to know, or the rest as well.
///
/// `make test` runs the first part, `make check` both. LOCKSTEP_TEST_SCOPE sets it; a plain `swift test` runs the first part.
public enum TestScope: String, Sendable {
    /// Each contract in a provider's first variant, each mutant against its own contract, and everything that is fast.
    case usual
    /// The other variants, and packages that are built from outside.
    case thorough

    /// The scope of this run.
    public static let current =
        ProcessInfo.processInfo.environment["LOCKSTEP_TEST_SCOPE"].flatMap(TestScope.init(rawValue:)) ?? .usual
}

extension Trait where Self == ConditionTrait {
    /// Runs in the second part of `make check` only.
    public static var thorough: Self {
        .enabled("only in `make check`, which sets LOCKSTEP_TEST_SCOPE=thorough") { TestScope.current == .thorough }
    }
}
