public import LockstepPrimitives

/// A mail that an emulator has sent.
public struct Mail: Sendable, Hashable, Identifiable {
    /// The mail's id.
    public var id: String
    /// The sender.
    public var from: String
    /// The recipients.
    public var to: String
    /// The subject.
    public var subject: String
    /// The text.
    public var text: String
    /// The page; empty where there is none.
    public var html: String
    /// When, on the backend's clock.
    public var date: Instant
    /// The code in it, where there is one.
    public var code: String?
    /// The link in it, where there is one.
    public var link: String?
    /// Whether it has been opened.
    public var isRead = false
}
