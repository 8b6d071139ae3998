public import LockstepPrimitives

/// One exchange, as it went.
///
/// Secrets are in it; what may be shown is ``ControlPanel/shownTranscript``.
public struct TranscriptEntry: Sendable {
    /// Counts from 1.
    public var number: Int
    /// When the answer was made, on the backend's clock.
    public var date: Instant
    /// What was asked.
    public var request: EmulatorRequest
    /// What was answered.
    public var response: EmulatorResponse
    /// Whether a fault had its hand in it.
    public var isFaulty: Bool
}
