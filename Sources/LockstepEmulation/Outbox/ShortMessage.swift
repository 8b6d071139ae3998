public import LockstepPrimitives

/// A text message that an emulator has sent.
public struct ShortMessage: Sendable, Hashable, Identifiable {
    /// The message's id.
    public var id: String
    /// The number it went to, as the emulator wrote it.
    public var to: String
    /// The text.
    public var text: String
    /// The code in it, where there is one.
    public var code: String?
    /// When, on the backend's clock.
    public var date: Instant
}
