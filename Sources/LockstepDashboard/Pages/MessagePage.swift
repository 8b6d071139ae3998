internal import LockstepEmulation
internal import LockstepPrimitives

/// `/inbox/{provider}/{id}`: a message with its code, links, page, text and source.
struct MessagePage {
    let visit: Visit

    private func message() throws(ErrorPage) -> Message {
        let (emulator, id) = (try visit.emulator(), visit.request[placeholder: "id"])
        guard let message = Message.all(of: emulator).first(where: { $0.id == id }) else {
            throw ErrorPage(404, "There is no message \"\(id.prefix(60))\". It was deleted, or the emulator was reset.")
        }
        return message
    }

    func response() throws -> EmulatorResponse {
        let message = try message()
        visit.open(message)
        let found = PageAddress("users", query: ["provider": message.emulator.name, "query": message.to])
        let cause = message.emulator.server.panel.shown(limit: 1) { $0.response.messages.contains(message.number) }.first?.request
        return Layout.page(
            visit, message.title, in: "inbox", tools: Layout.Tools(filters: false, action: neighbours(of: message)),
            """
            \(message.code.map { "<p>\(CopyableCode(text: $0).markup)</p>" })
            \(.values([
                ("To", "<a href=\"\(found)\">\(message.to, upTo: 400)</a>"),
                ("From", "\(message.mail?.from ?? "–")"), ("Sent", message.emulator.time(message.date.rfc3339)),
                ("Provider", message.emulator.mark), ("Request", cause.map { Self.link($0, message.emulator) } ?? "–"),
            ]))
            \(links(of: message))
            \(parts(of: message))
            """)
    }

    /// The request that has sent the message.
    private static func link(_ request: JSON, _ emulator: DashboardEmulator) -> Markup {
        """
        <a href="\(PageAddress("requests", emulator.name, String(request["number"]?.int ?? 0)))"><span class="chip">\(
            request["method"]?.string ?? "", upTo: 20)</span> \(path: request["path"]?.string ?? "")</a>
        """
    }

    /// Returns the links to the next message of the list and to the previous one.
    private func neighbours(of message: Message) -> Markup {
        let list = visit.emulators.flatMap(Message.all).sorted(by: Message.isNewer)
        let place = list.firstIndex { $0.number == message.number && $0.emulator.name == message.emulator.name } ?? 0
        func link(_ step: Int, _ title: String, _ relation: String) -> Markup {
            guard list.indices.contains(place + step) else { return "" }
            return "<a class=\"button\" rel=\"\(relation)\" href=\"\(list[place + step].address)\">\(title)</a> "
        }
        return "<div>\(link(-1, "Previous (k)", "prev"))\(link(1, "Next (j)", "next"))</div>"
    }

    /// Returns the links, each with two buttons: open it in this browser, or on another device without its cookies.
    private func links(of message: Message) -> Markup {
        let links = message.links
        guard !links.isEmpty else { return "" }
        let items: [Markup] = links.enumerated().map { place, link in
            guard link.isWeb else { return "<li><code>\(link.text, upTo: 2000)</code> (not a web address)</li>" }
            return """
                <li><code>\(link.text, upTo: 2000)</code><br>
                <a class="button" href="\(link.text, upTo: 8000)" target="_blank" rel="noreferrer noopener">Open here</a>
                \(visit.button("Open on another device", PageAddress("inbox", message.emulator.name, message.id, "elsewhere"),
                    [("link", String(place))]))</li>
                """
        }
        return """
            <h2>Links</h2><ul class="plain">\(items)</ul>
            <p>A link opens the provider first, then your app's page. The provider has processed the link even if no server runs at the \
            address of your app.</p>
            """
    }

    /// Returns a sentence about the provider's answer to a link.
    ///
    /// Providers report an error in the query or the fragment of the address of the app's page.
    private static func outcome(of answer: OutgoingResponse) -> String {
        guard (300..<400).contains(answer.status), !answer.location.isEmpty else {
            return answer.status < 400
                ? "The provider returned its own page (status \(answer.status))."
                : "The provider rejected the link (status \(answer.status))."
        }
        let parts = answer.location.pieces(atAnyOf: "?#")
        let pairs = parts.dropFirst().flatMap { Percent.decodeForm($0) ?? [] }
        for name in ["error_description", "error_code", "error"] {
            if let pair = pairs.first(where: { $0.name == name && !$0.value.isEmpty }) {
                return "The provider rejected the link: \"\(pair.value)\"."
            }
        }
        return "The provider accepted the link, and redirected to \"\(parts.first ?? "")\" (status \(answer.status))."
    }

    private func parts(of message: Message) -> Markup {
        func text(_ title: String, _ text: String) -> Markup {
            "<pre tabindex=\"0\" role=\"region\" aria-label=\"\(title)\">\(text, upTo: 20_000, lines: true)</pre>"
        }
        guard let mail = message.mail else { return text("Text", message.text) }
        let names = (mail.html.isEmpty ? [] : ["HTML"]) + ["Text", "Source"]
        let chosen = names.first { $0.lowercased() == visit.query("part") } ?? names[0]
        let tabs: [Markup] = names.map { name in
            let address = PageAddress("inbox", message.emulator.name, message.id, query: ["part": name.lowercased()])
            let current: Markup = name == chosen ? " aria-current=\"true\"" : ""
            return "<li><a href=\"\(address)\"\(current)>\(name)</a></li>"
        }
        let part: Markup =
            switch chosen {
            case "HTML":
                """
                <iframe sandbox="allow-same-origin" title="The mail as a mail program shows it" src="\(
                    PageAddress("inbox", message.emulator.name, message.id, "frame"))"></iframe>
                """
            case "Text": text("Text", mail.text)
            default: "\(text("Source", mail.html))<h3>As it was sent</h3>\(text("As it was sent", MailSource(mail: mail).text))"
            }
        return "<nav class=\"filter\" aria-label=\"Parts\"><ul>\(tabs)</ul></nav>\(part)"
    }

    /// Returns the email's own page for the frame.
    func frame() throws -> EmulatorResponse {
        let message = try message()
        return .html(message.mail?.html ?? "", policy: Layout.mailPolicy)
    }

    /// Opens a link without cookies, in the same way as an email program on a phone.
    func openElsewhere() async throws -> EmulatorResponse {
        let message = try message()
        let links = message.links
        guard let place = Int(visit.field("link")), links.indices.contains(place), links[place].isWeb else {
            throw ErrorPage(422, "There is no such link in this message. Reload the page.")
        }
        let link = links[place].text
        guard LoopbackClient.reaches(link) else {
            throw ErrorPage(422, "The link points to another machine. Open it yourself: \"\(link.prefix(400))\".")
        }
        let agent = "Mozilla/5.0 (another device of the Lockstep dashboard)"
        let answer: OutgoingResponse
        do throws(OutgoingError) {
            answer = try LoopbackClient.send(OutgoingRequest("GET", link, headers: ["User-Agent": agent, "Accept": "text/html"]))
        } catch {
            throw ErrorPage(422, "No server responds at \"\(link.prefix(400))\": \(error)")
        }
        return Layout.page(
            visit, "Opened on another device", in: "inbox",
            """
            <p>The link was opened without the cookies of this browser. \(Self.outcome(of: answer), upTo: 600)</p>
            <p><a href="\(message.address)">Back to the message</a></p>
            """)
    }
}

/// A link in a message.
struct MessageLink: Sendable, Hashable {
    let text: String

    /// Whether it opens a web page.
    ///
    /// Links such as `javascript:` stay text.
    var isWeb: Bool {
        let start = text.prefix(8).lowercased()
        return (start.hasPrefix("http://") || start.hasPrefix("https://")) && text.utf8.count <= 8000
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f && !$0.isInvisible }
    }
}

extension Message {
    /// The provider's link and other links of the text, without duplicates.
    var links: [MessageLink] {
        var links = mail?.link.map { [MessageLink(text: $0)] } ?? []
        let words = text.unicodeScalars.split { $0.properties.isWhitespace || "<>\"'".unicodeScalars.contains($0) }
        for word in words.map({ String($0) }) where word.contains(bytesOf: "://") {
            let link = MessageLink(text: word)
            if link.isWeb, !links.contains(link), links.count < 20 { links.append(link) }
        }
        return links
    }
}
