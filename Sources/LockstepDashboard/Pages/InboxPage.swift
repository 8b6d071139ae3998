internal import LockstepEmulation
internal import LockstepPrimitives

/// `/inbox`: emails and text messages of all emulators, newest first.
struct InboxPage {
    let visit: Visit

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        page("GET", "/inbox") { try InboxPage(visit: $0).list() }
        page("GET", "/inbox/{provider}/{id}") { try MessagePage(visit: $0).response() }
        page("GET", "/inbox/{provider}/{id}/frame") { try MessagePage(visit: $0).frame() }
        page("POST", "/inbox/{provider}/{id}/elsewhere") { try await MessagePage(visit: $0).openElsewhere() }
        // The short address in the terminal of lockstep serve.
        page("GET", "/m/{provider}/{number}") { visit in
            let number = visit.request[placeholder: "number"]
            guard let message = Message.all(of: try visit.emulator()).first(where: { String($0.number) == number }) else {
                throw ErrorPage(404, "There is no message \(number.prefix(20)). It was deleted, or the emulator was reset.")
            }
            return .redirect(to: message.address.text)
        }
        page("POST", "/inbox/delete") { visit in
            for emulator in visit.shown { emulator.server.panel.outbox.reset() }
            return visit.done(.messagesDeleted, at: PageAddress("inbox"))
        }
        page("POST", "/inbox/read") { visit in
            for message in visit.emulators.flatMap(Message.all) { visit.open(message) }
            return visit.done(.messagesRead, at: PageAddress("inbox"))
        }
        page("POST", "/inbox/reachable") { visit in
            let body: JSON = ["reachable": .bool(visit.field("reachable") == "true")]
            for emulator in visit.emulators { try await emulator.call("PUT", PageAddress("outbox"), body) }
            return visit.done(.outboxChanged, at: PageAddress("inbox"))
        }
    }

    /// The number of messages per page.
    private static let limit = 50

    private func list() throws(ErrorPage) -> EmulatorResponse {
        let query = try visit.searchText()
        let all = visit.shown.flatMap(Message.all)
        let found = all.filter { $0.matches(query) }.sorted(by: Message.isNewer)
        let rows: [Markup] = found.prefix(Self.limit).map(row)
        let more: Markup = found.count > rows.count ? "<p>\(found.count - rows.count) older messages. Search for them.</p>" : ""
        let empty: Markup =
            query == nil
            ? "No messages yet. Sign up a user in your app, or <a href=\"/side-by-side\">run a sign-up on all</a>."
            : visit.noMatch("message", at: "inbox")
        let isReachable = visit.emulators.allSatisfy { $0.server.panel.outbox.isReachable }
        return Layout.page(
            visit, "Inbox", in: "inbox", following: [.messages], count: query == nil ? nil : "\(found.count) of \(all.count)",
            tools: Layout.Tools(
                search: .search(visit, "inbox", "Search an address, subject or code ( / )"),
                action: """
                    <div>\(visit.button("Mark all as read", PageAddress("inbox", "read")))
                    \(visit.guarded("Delete all", PageAddress("inbox", "delete"), of: "messages", "This deletes the messages of all emulators."))</div>
                    """),
            """
            \(.live("messages", """
                \(Markup.table("Messages", ["Code", "To", "Subject", "Sent", "Provider"], rows, empty: empty))\(more)
                """))
            <h2>Delivery</h2>
            <div class="actions"><span>\(isReachable ? "Messages are sent." : "Sending fails, as if the mail server and the SMS provider were unreachable.")</span>
            \(visit.button(isReachable ? "Make sending fail" : "Send messages again", PageAddress("inbox", "reachable"),
                [("reachable", isReachable ? "false" : "true")]))</div>
            """)
    }

    private func row(_ message: Message) -> Markup {
        let dot: Markup = visit.isUnread(message) ? "<span class=\"dot\"><span class=\"hidden\">unread: </span></span>" : ""
        return """
            <td>\(message.code.map { CopyableCode(text: $0).markup }) \(message.opening)</td>\
            <td>\(dot)<a class="name" href="\(message.address)">\(message.to, upTo: 80)</a></td>\
            <td><a href="\(message.address)">\(message.title, upTo: 120)</a></td>\
            <td>\(message.emulator.time(message.date.rfc3339))</td><td>\(message.emulator.mark)</td>
            """
    }
}

/// A code that a click copies; without scripts, a click selects it.
struct CopyableCode {
    let text: String

    var markup: Markup {
        """
        <button type="button" class="code scripted" data-copy title="Copy">\(text, upTo: 40)</button><strong class="code unscripted">\(text, upTo: 40)</strong>
        """
    }
}

/// An email or a text message of an emulator.
struct Message {
    let emulator: DashboardEmulator
    let id: String
    let number: Int
    let to: String
    let title: String
    let text: String
    let code: String?
    let date: Instant
    /// The email; `nil` for a text message.
    let mail: Mail?

    var address: PageAddress { PageAddress("inbox", emulator.name, id) }

    /// The order of a list: newest first.
    static func isNewer(_ one: Message, _ other: Message) -> Bool {
        one.date == other.date ? one.number > other.number : one.date > other.date
    }

    /// The button that opens the link in a new tab.
    var opening: Markup? {
        guard let link = links.first, link.isWeb else { return nil }
        return """
            <a class="button" href="\(link.text, upTo: 8000)" target="_blank" rel="noreferrer noopener">Open link<span class="hidden"> of \(
                title, upTo: 80)</span></a>
            """
    }

    /// Returns all messages of an emulator.
    static func all(of emulator: DashboardEmulator) -> [Message] {
        let outbox = emulator.server.panel.outbox
        return outbox.mails.map { mail in
            Message(
                emulator: emulator, id: mail.id, number: mail.number, to: mail.to,
                title: mail.subject.isEmpty ? "(no subject)" : mail.subject, text: mail.text, code: mail.code, date: mail.date,
                mail: mail)
        }
            + outbox.shortMessages.map { message in
                Message(
                    emulator: emulator, id: message.id, number: message.number, to: message.to,
                    title: message.text.isEmpty ? "(no text)" : message.text, text: message.text, code: message.code,
                    date: message.date, mail: nil)
            }
    }

    /// Whether the message contains each word of a search.
    func matches(_ query: String?) -> Bool {
        Visit.search(query, in: [to, title, text, code])
    }
}
