public import Lockstep

/// A bench whose clients report their events to a sink.
struct ToldBench: Bench {
    let base: any Bench
    let events: AuthEventSink

    var name: String { base.name }

    var variants: [Variant] { base.variants }

    func withStage(_ variant: Variant, _ body: @Sendable (Stage) async throws -> Void) async throws {
        try await base.withStage(variant) { stage in
            var stage = stage
            stage.events = events
            try await body(stage)
        }
    }
}

extension Bench {
    /// The same bench, its clients' events sent to `events`.
    public func telling(_ events: AuthEventSink) -> any Bench { ToldBench(base: self, events: events) }
}
