public import Lockstep

/// A harness whose environments are looked at or changed before a check uses them.
struct ObservedHarness: Harness {
    let base: any Harness
    let prepare: @Sendable (inout TestEnvironment) -> Void

    var name: String { base.name }
    var title: String { base.title }

    var variants: [Variant] { base.variants }
    var comparedVariants: [Variant] { base.comparedVariants }

    var cannotCheck: [String: String] { base.cannotCheck }

    func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws {
        try await base.withEnvironment(variant) { environment in
            var environment = environment
            prepare(&environment)
            try await body(environment)
        }
    }
}

extension Harness {
    /// Returns this harness with a receiver for the events of its clients.
    public func telling(_ events: AuthEventSink) -> any Harness { preparing { $0.events = events } }

    /// Returns this harness with a step before each check.
    package func preparing(_ prepare: @escaping @Sendable (inout TestEnvironment) -> Void) -> any Harness {
        ObservedHarness(base: self, prepare: prepare)
    }
}
