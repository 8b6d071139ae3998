/// The messages that the backend has sent.
public protocol Outbox: Sendable {
    /// All messages so far, oldest first. A message must be here before the request that caused it is answered.
    func messages() async throws -> [SentMessage]
}

/// A message to a user, as far as it matters for a proof.
public struct SentMessage: Sendable, Hashable {
    /// How it was sent.
    public enum Channel: String, Sendable { case email, sms }

    /// How it was sent.
    public var channel: Channel
    /// The recipient's address or number.
    public var recipient: String
    /// The link in it, whole, if any.
    public var link: String?
    /// The code in it, if any.
    public var code: String?

    /// A message.
    public init(channel: Channel = .email, recipient: String, link: String? = nil, code: String? = nil) {
        self.channel = channel
        self.recipient = recipient
        self.link = link
        self.code = code
    }
}
