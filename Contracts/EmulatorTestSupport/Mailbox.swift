public import LockstepContracts
public import LockstepEmulation

/// The messages of an emulator.
public struct Mailbox: LockstepContracts.Outbox {
    private let outbox: LockstepEmulation.Outbox

    /// The messages of the emulator of this panel.
    public init(_ panel: ControlPanel) { outbox = panel.outbox }

    /// All messages, oldest first.
    public func messages() async throws -> [SentMessage] {
        let mails = outbox.mails.reversed().map { mail in
            (mail.date, SentMessage(recipient: mail.to, link: mail.link, code: mail.code))
        }
        let texts = outbox.shortMessages.reversed().map { text in
            // Some backends write numbers without their plus sign.
            (text.date, SentMessage(channel: .sms, recipient: text.to.hasPrefix("+") ? text.to : "+" + text.to, code: text.code))
        }
        return texts.isEmpty ? mails.map(\.1) : (mails + texts).sorted { $0.0 < $1.0 }.map(\.1)
    }
}
