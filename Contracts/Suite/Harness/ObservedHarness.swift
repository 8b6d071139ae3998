public import Lockstep

/// A harness whose clients report their events to a receiver.
struct ObservedHarness: Harness {
    let base: any Harness
    let events: AuthEventSink

    var name: String { base.name }
    var title: String { base.title }

    var variants: [Variant] { base.variants }
    var comparedVariants: [Variant] { base.comparedVariants }

    var cannotCheck: [String: String] { base.cannotCheck }

    func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws {
        try await base.withEnvironment(variant) { environment in
            var environment = environment
            environment.events = events
            try await body(environment)
        }
    }
}

extension Harness {
    /// Returns this harness with a receiver for the events of its clients.
    public func telling(_ events: AuthEventSink) -> any Harness { ObservedHarness(base: self, events: events) }
}
