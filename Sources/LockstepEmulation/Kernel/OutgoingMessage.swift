/// A message that a request sends; see ``RequestContext/send(_:failure:)``.
public enum OutgoingMessage: Sendable {
    /// A mail.
    case mail(OutgoingMail)
    /// A text message with a code.
    case text(to: String, text: String, code: String)
}

/// A mail, complete with its texts.
public struct OutgoingMail: Sendable {
    /// The recipient.
    public var address: String
    /// The subject.
    public var subject: String
    /// The plain text.
    public var text: String
    /// The page; empty where there is none.
    public var page: String
    /// The code in it, where there is one.
    public var code: String?
    /// The link in it, where there is one.
    public var link: String?
    /// The sender.
    public var sender: String

    /// A mail from its parts.
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
