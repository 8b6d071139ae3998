public import LockstepContracts
public import LockstepEmulation

/// The messages that an emulator has sent, for use in contracts.
///
/// ```swift
/// let mailbox = Mailbox(server.panel)
/// for message in try await mailbox.messages() { print(message.recipient, message.code ?? "no code") }
/// ```
public struct Mailbox: LockstepContracts.Outbox {
    private let outbox: LockstepEmulation.Outbox

    /// Creates the mailbox of an emulator.
    public init(_ panel: ControlPanel) { outbox = panel.outbox }

    /// Returns all messages, oldest first, as their recipients see them.
    ///
    /// If the text of an email does not show the code, the returned message contains no code.
    ///
    /// - Throws: Nothing.
    public func messages() async throws -> [SentMessage] {
        let mails = outbox.mails.reversed().map { mail in
            let code = mail.code.flatMap { mail.shows($0) ? $0 : nil }
            return (mail.date, SentMessage(recipient: mail.to, link: mail.link, code: code))
        }
        let texts = outbox.shortMessages.reversed().map { text in
            // Some backends store phone numbers without the plus sign.
            (text.date, SentMessage(channel: .sms, recipient: text.to.hasPrefix("+") ? text.to : "+" + text.to, code: text.code))
        }
        return texts.isEmpty ? mails.map(\.1) : (mails + texts).sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension Mail {
    /// Returns whether the email shows this code outside a link.
    fileprivate func shows(_ code: String) -> Bool {
        let seen = [subject, text, html].joined(separator: "\n")
        return (link.map { seen.replacing($0, with: "") } ?? seen).contains(code)
    }
}
