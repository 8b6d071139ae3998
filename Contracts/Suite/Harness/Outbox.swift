/// The messages that the backend has sent.
public protocol Outbox: Sendable {
    /// All messages so far, oldest first. A message must be here before the request that caused it is answered.
    func messages() async throws -> [SentMessage]
}

/// A message to a user, with the parts that a verification needs.
public struct SentMessage: Sendable, Hashable {
    /// The channel.
    public enum Channel: String, Sendable { case email, sms }

    /// The channel.
    public var channel: Channel
    /// The recipient's address or number.
    public var recipient: String
    /// The complete link in it, if any.
    public var link: String?
    /// The code in it, if any.
    public var code: String?

    /// Creates a message.
    public init(channel: Channel = .email, recipient: String, link: String? = nil, code: String? = nil) {
        self.channel = channel
        self.recipient = recipient
        self.link = link
        self.code = code
    }
}
