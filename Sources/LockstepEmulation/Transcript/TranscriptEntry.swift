public import LockstepPrimitives

/// One exchange, as it went.
///
/// Secrets are in it; what may be shown is ``ControlPanel/shownTranscript``.
public struct TranscriptEntry: Sendable {
    /// Counts from 1.
    public var number: Int
    /// When the answer was made, on the backend's clock.
    public var date: Instant
    /// The request.
    public var request: EmulatorRequest
    /// The answer.
    public var response: EmulatorResponse
    /// Whether a fault affected it.
    public var isFaulty: Bool
}
