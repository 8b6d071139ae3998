public import LockstepPrimitives

/// A mail that an emulator has sent.
public struct Mail: Sendable, Hashable, Identifiable {
    /// A name of its own.
    public var id: String
    /// Whom it came from.
    public var from: String
    /// Whom it went to.
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
    /// Whether somebody has opened it.
    public var isRead = false
}
