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
        page("POST", "/inbox/delete") { visit in
            for emulator in visit.shown { emulator.server.panel.outbox.reset() }
            return visit.done(.messagesDeleted, at: PageAddress("inbox"))
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
        let found = visit.shown.flatMap { emulator in Message.all(of: emulator) }
            .filter { $0.matches(query) }
            .sorted { $0.date == $1.date ? $0.number > $1.number : $0.date > $1.date }
        let rows: [Markup] = found.prefix(Self.limit).map(row)
        let more: Markup = found.count > rows.count ? "<p>\(found.count - rows.count) older messages. Search for them.</p>" : ""
        let empty = query?.isEmpty == false ? "No message matches the search." : "No messages yet. Sign up a user."
        let isReachable = visit.emulators.allSatisfy { $0.server.panel.outbox.isReachable }
        return Layout.page(
            visit, "Inbox", in: "inbox", following: [.messages], filters: true,
            """
            <form method="get" action="/inbox" class="fields">\(provider)
            \(.field("Search", "query", query ?? "", type: "search"))<button>Search</button></form>
            \(.live("messages", """
                \(Markup.table("Messages", ["Code", "To", "Subject", "Sent", "Provider"], rows, empty: empty))\(more)
                """))
            <h2>Delivery</h2>
            <p>\(isReachable ? "Messages are sent." : "Sending fails, as if the mail server and the SMS provider were unreachable.")</p>
            \(visit.button(isReachable ? "Make sending fail" : "Send messages again", PageAddress("inbox", "reachable"),
                ["reachable": isReachable ? "false" : "true"]))
            \(visit.guarded("Delete all messages", PageAddress("inbox", "delete"), "This deletes the messages of all emulators."))
            """)
    }

    private var provider: Markup {
        guard let chosen = visit.chosen else { return "" }
        return "<input type=\"hidden\" name=\"provider\" value=\"\(chosen.name)\">"
    }

    private func row(_ message: Message) -> Markup {
        """
        <td>\(message.code.map { "<strong class=\"code\">\($0, upTo: 20)</strong>" } ?? "–")</td>\
        <td><a href="\(message.address)">\(message.to, upTo: 80)</a></td><td><a href="\(message.address)">\(message.title, upTo: 120)</a></td><td>\(.time(message.date.rfc3339))</td>\
        <td>\(message.emulator.title)</td>
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
        guard let query else { return true }
        let words = query.lowercased().pieces(at: " ")
        let texts = [to, title, text, code ?? ""].map { $0.lowercased() }
        return words.allSatisfy { word in texts.contains { $0.contains(bytesOf: String(word)) } }
    }
}
