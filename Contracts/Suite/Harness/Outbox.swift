/// The messages that the backend has sent.
public protocol Outbox: Sendable {
    /// Returns all messages so far, oldest first.
    ///
    /// A message must be in this list before the backend responds to the request for the message.
    ///
    /// - Throws: An error that ends the check.
    func messages() async throws -> [SentMessage]
}

/// A message to a user, with the code or link that the user needs.
public struct SentMessage: Sendable, Hashable {
    /// The channel of a message: email or SMS.
    public enum Channel: String, Sendable { case email, sms }

    /// The channel of the message: email or SMS.
    public var channel: Channel
    /// The email address or phone number of the recipient.
    public var recipient: String
    /// The complete link in the message, or `nil`.
    public var link: String?
    /// The code in the message, or `nil`.
    public var code: String?

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - channel: The channel of the message: email or SMS. Default: by email.
    ///   - recipient: The email address or phone number of the recipient.
    ///   - link: The complete link in the message, or `nil`.
    ///   - code: The code in the message, or `nil`.
    public init(channel: Channel = .email, recipient: String, link: String? = nil, code: String? = nil) {
        self.channel = channel
        self.recipient = recipient
        self.link = link
        self.code = code
    }
}
