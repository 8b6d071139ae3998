internal import LockstepPrimitives
internal import Synchronization

extension ControlRoutes {
    /// The routes of emails and text messages.
    var messages: [ControlRoute] {
        let (outbox, accounts) = (panel.outbox, accounts)
        let page = InboxPage(provider: provider, outbox: outbox, prefix: Self.prefix + "/inbox")
        return [
            ControlRoute("GET", "/inbox", by: .anyProgram, "Shows messages in a browser.") { _ in page.response },
            ControlRoute(
                "GET", "/messages", by: .anyProgram,
                "Lists emails and text messages with their codes and links, or waits for the next message.",
                query: ["to", "after", "wait"], list),
            ControlRoute(
                "GET", "/messages/{id}/standing", "Says whether the code and the link of a message still work."
            ) { request in
                let id = request[placeholder: "id"]
                guard let proof = outbox.proof(of: id), let accounts else {
                    throw ControlError(404, "There is no message \"\(id.prefix(100))\". GET \(Self.prefix)/messages lists them.")
                }
                return .json(["standing": .string(try accounts.standing(of: proof).rawValue)])
            },
            ControlRoute("GET", "/sms", by: .anyProgram, "Lists text messages, newest first.") { _ in
                .json(.array(outbox.shortMessages.map(\.summary)))
            },
            ControlRoute("PUT", "/outbox", "Makes the mail server and the SMS provider reachable or unreachable.") { request in
                guard let isReachable = try request.values(["reachable": .flag]).flag("reachable") else {
                    throw ControlError(400, "Send {\"reachable\": true} or {\"reachable\": false}.")
                }
                outbox.isReachable = isReachable
                return .json([:])
            },
        ]
    }

    /// Returns a recipient in a comparable form: in lower case, and without the plus sign of a number.
    ///
    /// In a query, an unencoded plus sign means a space.
    private static func comparable(_ recipient: String) -> String {
        let text = recipient.lowercased()
        return text.hasPrefix("+") || text.hasPrefix(" ") ? String(text.dropFirst()) : text
    }

    private func list(_ request: EmulatorRequest) throws -> Reply {
        let after = try request.count("after", upTo: .max, default: 0)
        let recipient = request.query["to"].map(Self.comparable)
        let outbox = panel.outbox
        return try waiting(request, for: .messages, from: after) { last in
            let news = outbox.messages(after: last)
            last = news.last?.number ?? last
            let found = news.filter { recipient == nil || Self.comparable($0.to) == recipient }
            return found.isEmpty ? nil : found
        } _: { found in
            let last = found?.last?.number ?? after
            return .json(["messages": .array((found ?? []).map(\.json)), "last": .int(Int64(last))])
        }
    }
}

/// An email or a text message.
private enum AnyMessage: Sendable {
    case mail(Mail)
    case text(ShortMessage)

    var number: Int {
        switch self {
        case .mail(let mail): mail.number
        case .text(let message): message.number
        }
    }

    var to: String {
        switch self {
        case .mail(let mail): mail.to
        case .text(let message): message.to
        }
    }

    var json: JSON {
        switch self {
        case .mail(let mail):
            [
                "id": .string(mail.id), "number": .int(Int64(mail.number)), "kind": "mail", "from": .string(mail.from),
                "to": .string(mail.to), "date": .string(mail.date.rfc3339), "subject": .string(mail.subject),
                "text": .string(mail.text), "html": .string(mail.html), "code": mail.code.map { .string($0) } ?? .null,
                "link": mail.link.map { .string($0) } ?? .null,
            ]
        case .text(let message):
            [
                "id": .string(message.id), "number": .int(Int64(message.number)), "kind": "sms", "from": .null,
                "to": .string(message.to), "date": .string(message.date.rfc3339), "subject": .null,
                "text": .string(message.text), "html": .null, "code": message.code.map { .string($0) } ?? .null, "link": .null,
            ]
        }
    }
}

extension Outbox {
    /// Returns the emails and text messages with a higher number, oldest first.
    fileprivate func messages(after number: Int) -> [AnyMessage] {
        let (mails, texts) = state.withLock { state in
            (
                state.mails.reversed().prefix { $0.number > number },
                state.shortMessages.reversed().prefix { $0.number > number }
            )
        }
        changes.noteReading(of: mails.count + texts.count)
        return (mails.map(AnyMessage.mail) + texts.map(AnyMessage.text)).sorted { $0.number < $1.number }
    }
}

extension ShortMessage {
    fileprivate var summary: JSON {
        ["to": .string(to), "text": .string(text), "code": code.map { .string($0) } ?? .null]
    }
}
