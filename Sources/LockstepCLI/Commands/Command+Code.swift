import LockstepHTTP
import LockstepPrimitives

extension Command {
    /// The command `lockstep code`.
    static let code = sent(
        .code, summary: "print the newest code that was sent to an address",
        example: Example(line: "lockstep code ada@example.com --wait 30", meaning: "wait for the code of a sign-up"))

    /// The command `lockstep link`.
    static let link = sent(
        .link, summary: "print the newest link that was sent to an address",
        example: Example(line: "xdg-open \"$(lockstep link ada@example.com)\"", meaning: "open the link of a sign-up"))

    private static func sent(_ part: SentPart, summary: String, example: Example) -> Command {
        Command(
            name: part.rawValue, summary: summary,
            about: """
                Prints the newest \(part.rawValue) of this user's emulators for an address or a phone number that still works: \
                one that was not used, has not expired, and was not replaced. Prints nothing else on stdout. If there is none, \
                it says why.
                """,
            operands: Operands(
                placeholder: "ADDRESS", summary: "an e-mail address, or a phone number such as +15550100", choices: []),
            options: [
                Option("wait", .number("SECONDS", 0...3600), "wait for a message", standard: "0"),
                Option(
                    "after", .text("ID|TIME"), "only messages after this message, or after a time such as 2026-11-29T08:00:00Z"),
                Option("provider", .choice(Providers.names), "only the messages of this provider"),
                .readyFile("ask the emulators that this file lists"),
            ],
            examples: [
                example,
                Example(
                    line: "lockstep \(part.rawValue) +15550100 --provider clerk",
                    meaning: "the \(part.rawValue) of a text message"),
            ],
            failure: "no \(part.rawValue) was sent, or none that still works"
        ) { invocation, terminal in
            guard let address = invocation.operands.first, invocation.operands.count == 1 else {
                throw UsageError("\"lockstep \(part.rawValue)\" needs one address: lockstep \(part.rawValue) ada@example.com")
            }
            var documents = (try ReadyLines.found(by: invocation) ?? []).flatMap(\.documents)
            if let name = invocation["provider"] { documents = documents.filter { $0["provider"]?.string == name } }
            guard !documents.isEmpty else { throw CommandFailure("no emulator is running. Start one with lockstep serve.") }
            let inboxes = documents.map { SentMessages(ControlClient($0), to: address, part: part) }
            let clock = SystemClock()
            let end = clock.uptime + .seconds(invocation.number("wait") ?? 0)
            while true {
                var (found, reasons, isPlaceKnown) = ([(title: String, text: String)](), [String](), false)
                for inbox in inboxes {
                    switch try await inbox.newest(after: invocation["after"]) {
                    case .open(let text): found.append((inbox.title, text))
                    case .none(let reason): if let reason { reasons.append("\(inbox.title): \(reason)") }
                    case .unknownPlace: continue
                    }
                    isPlaceKnown = true
                }
                if !isPlaceKnown, let place = invocation["after"] {
                    throw UsageError(
                        "invalid value \"\(place)\" for --after: expected the id of a message to this address, or a time in UTC such as 2026-11-29T08:00:00Z."
                    )
                }
                if found.count == 1, let only = found.first {
                    try terminal.print(only.text.visible)
                    return .success
                }
                guard found.isEmpty else {
                    throw UsageError(
                        "\(found.map(\.title).joined(separator: " and ")) have each sent a \(part.rawValue) to \(address). Choose one with --provider."
                    )
                }
                guard clock.uptime < end else {
                    throw CommandFailure(
                        reasons.isEmpty
                            ? "no message was sent to \(address). lockstep logs shows the requests and why nothing was sent; lockstep open shows the users."
                            : reasons.joined(separator: "; ") + ".")
                }
                try await clock.sleep(for: .milliseconds(100))
            }
        }
    }
}

/// The part of a message that a command prints.
enum SentPart: String, Sendable {
    case code, link

    /// The part that a message without this part may have instead.
    var other: SentPart { self == .code ? .link : .code }
}

/// The messages of one emulator to one recipient.
private struct SentMessages {
    let control: ControlClient
    let recipient: String
    let part: SentPart

    enum Answer {
        case open(String)
        /// No message, or why the newest does not help.
        case none(String?)
        /// No message has the id after which messages are wanted.
        case unknownPlace
    }

    var title: String { control.title }

    init(_ control: ControlClient, to recipient: String, part: SentPart) {
        (self.control, self.recipient, self.part) = (control, recipient, part)
    }

    /// Returns the newest code or link that works.
    func newest(after place: String?) async throws -> Answer {
        let list = try await control.send(.get, "/messages?to=\(Percent.encode(recipient))")["messages"]?.array ?? []
        guard let messages = place.map({ Self.messages(list, after: $0) }) ?? list else { return .unknownPlace }
        var reason: String?
        for message in messages.reversed() {
            guard let text = message[part.rawValue]?.string else {
                if message[part.other.rawValue]?.string != nil {
                    reason =
                        reason
                        ?? "the message to \(recipient) has a \(part.other.rawValue) and no \(part.rawValue): lockstep \(part.other.rawValue) \(recipient)"
                }
                continue
            }
            let id = message["id"]?.string ?? ""
            switch try await control.send(.get, "/messages/\(Percent.encode(id))/standing")["standing"]?.string {
            case "open": return .open(text)
            case "expired": reason = reason ?? "the newest \(part.rawValue) for \(recipient) has expired"
            default: reason = reason ?? "the newest \(part.rawValue) for \(recipient) was used or replaced"
            }
        }
        return .none(reason)
    }

    private static func messages(_ list: [JSON], after place: String) -> [JSON]? {
        // In UTC, times in the same form are in the order of their texts.
        if place.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z/) != nil {
            return list.filter { ($0["date"]?.string ?? "").dropLast() > place.dropLast() }
        }
        guard let index = list.firstIndex(where: { $0["id"]?.string == place }) else { return nil }
        return Array(list[list.index(after: index)...])
    }
}
