public import LockstepPrimitives

/// An email that an emulator has sent.
public struct Mail: Sendable, Hashable, Identifiable {
    /// The email's id.
    public var id: String
    /// The number of the message among all emails and text messages since the server's start.
    public var number: Int
    /// The sender.
    public var from: String
    /// The recipients.
    public var to: String
    /// The subject.
    public var subject: String
    /// The text.
    public var text: String
    /// The HTML body; empty if there is none.
    public var html: String
    /// The time on the backend's clock.
    public var date: Instant
    /// The code in it, if any.
    public var code: String?
    /// The link in it, if any.
    public var link: String?
    /// Whether the email has been opened.
    public var isRead = false
}

/// A text message that an emulator has sent.
public struct ShortMessage: Sendable, Hashable, Identifiable {
    /// The message's id.
    public var id: String
    /// The number of the message among all emails and text messages since the server's start.
    public var number: Int
    /// The recipient's number, as the emulator wrote it.
    public var to: String
    /// The text.
    public var text: String
    /// The code in it, if any.
    public var code: String?
    /// The time on the backend's clock.
    public var date: Instant
}

/// A message that a request sends; see ``RequestContext/send(_:failure:)``.
public enum OutgoingMessage: Sendable {
    /// An email.
    case mail(OutgoingMail)
    /// A text message with a code.
    case text(to: String, text: String, code: String)
}

/// An email, complete with its texts.
public struct OutgoingMail: Sendable {
    /// The recipient.
    public var address: String
    /// The subject.
    public var subject: String
    /// The plain text.
    public var text: String
    /// The HTML body; empty if there is none.
    public var page: String
    /// The code in it, if any.
    public var code: String?
    /// The link in it, if any.
    public var link: String?
    /// The sender.
    public var sender: String

    /// Creates an email.
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
    /// - Throws: ``OutboxError/unreachable``.
    func send(_ message: OutgoingMessage) throws(OutboxError) {
        switch message {
        case .mail(let mail):
            try self.mail(
                to: mail.address, subject: mail.subject, text: mail.text, html: mail.page, code: mail.code, link: mail.link,
                from: mail.sender)
        case .text(let number, let text, let code): try self.text(to: number, text, code: code)
        }
    }
}

/// An error of a message that was not sent.
public enum OutboxError: Error, Sendable, Hashable {
    /// No mail server or SMS provider can be reached; see ``Outbox/isReachable``.
    case unreachable
}
