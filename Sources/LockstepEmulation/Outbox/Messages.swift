public import LockstepPrimitives

/// An email that an emulator has sent.
public struct Mail: Sendable, Hashable, Identifiable {
    /// The id of the email.
    public var id: String
    /// The number of the email.
    ///
    /// Emails and text messages are numbered together from the start of the server.
    public var number: Int
    /// The address of the sender.
    public var from: String
    /// The addresses of the recipients.
    public var to: String
    /// The subject.
    public var subject: String
    /// The plain text.
    public var text: String
    /// The HTML body; empty for an email without HTML.
    public var html: String
    /// The time when the email was sent, on the backend's clock.
    public var date: Instant
    /// The code in the email; `nil` for an email without a code.
    public var code: String?
    /// The link in the email; `nil` for an email without a link.
    public var link: String?
    /// Whether someone has opened the email.
    public var isRead = false
}

/// A text message that an emulator has sent.
public struct ShortMessage: Sendable, Hashable, Identifiable {
    /// The id of the message.
    public var id: String
    /// The number of the message.
    ///
    /// Emails and text messages are numbered together from the start of the server.
    public var number: Int
    /// The phone number of the recipient, as the emulator wrote it.
    public var to: String
    /// The text.
    public var text: String
    /// The code in the message; `nil` for a message without a code.
    public var code: String?
    /// The time when the message was sent, on the backend's clock.
    public var date: Instant
}

/// A message that a handler sends; see ``RequestContext/send(_:failure:)``.
public enum OutgoingMessage: Sendable {
    /// An email.
    case mail(OutgoingMail)
    /// A text message with a code.
    case text(to: String, text: String, code: String)
}

/// An email that is ready to be sent.
public struct OutgoingMail: Sendable {
    /// The address of the recipient.
    public var address: String
    /// The subject.
    public var subject: String
    /// The plain text.
    public var text: String
    /// The HTML body; empty for an email without HTML.
    public var page: String
    /// The code in the email; `nil` for an email without a code.
    public var code: String?
    /// The link in the email; `nil` for an email without a link.
    public var link: String?
    /// The address of the sender.
    public var sender: String

    /// Creates an email.
    ///
    /// - Parameters:
    ///   - address: The address of the recipient.
    ///   - text: The plain text.
    ///   - page: The HTML body. Default: none.
    ///   - code: The code in the email; `nil` for an email without a code.
    ///   - link: The link in the email; `nil` for an email without a link.
    public init(
        to address: String, subject: String, text: String, page: String = "", code: String? = nil, link: String? = nil,
        from sender: String = "no-reply@lockstep.test"
    ) {
        self.address = address
        self.subject = subject
        self.text = text
        self.page = page
        self.code = code
        self.link = link
        self.sender = sender
    }
}

extension Outbox {
    /// Sends a message.
    ///
    /// - Returns: Its number.
    /// - Throws: ``OutboxError/unreachable`` if messages cannot be sent.
    func send(_ message: OutgoingMessage) throws(OutboxError) -> Int {
        switch message {
        case .mail(let mail):
            try self.mail(
                to: mail.address, subject: mail.subject, text: mail.text, html: mail.page, code: mail.code, link: mail.link,
                from: mail.sender
            ).number
        case .text(let number, let text, let code): try self.text(to: number, text, code: code).number
        }
    }
}

/// The reason why a message was not sent.
public enum OutboxError: Error, Sendable, Hashable {
    /// The mail server or the SMS provider cannot be reached; see ``Outbox/isReachable``.
    case unreachable
}

/// The code and the link of a message, with its recipient.
public struct MessageProof: Sendable {
    /// The address or the number of the recipient, as the emulator wrote it.
    public let recipient: String
    /// The code in the message; `nil` for a message without a code.
    public let code: String?
    /// The link in the message; `nil` for a message without a link.
    public let link: String?
}

/// Whether the code and the link of a message still work.
public enum MessageStanding: String, Sendable, CaseIterable {
    /// They work.
    case open
    /// They have expired.
    case expired
    /// They were used, or a newer message has replaced them.
    case spent
}
