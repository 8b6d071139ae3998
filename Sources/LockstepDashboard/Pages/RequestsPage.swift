internal import LockstepEmulation
internal import LockstepPrimitives

/// `/requests`: the last requests of all emulators, without secrets.
struct RequestsPage {
    let visit: Visit

    static let columns: [Markup] = ["Status", "Request", "User", "Time", "<span class=\"n\">Took</span>", "Provider"]

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        page("GET", "/requests") { try await RequestsPage(visit: $0).response() }
        page("GET", "/requests/{provider}/{number}") { try await ExchangePage($0).response() }
    }

    /// Returns a request as a table row.
    ///
    /// - Parameter user: The name of the user for whom the request was made.
    static func row(_ exchange: JSON, of emulator: DashboardEmulator, user: String?) -> Markup {
        let address = PageAddress("requests", emulator.name, String(exchange["number"]?.int ?? 0))
        let path = exchange["path"]?.string ?? ""
        let name: Markup =
            exchange["user"]?.string.map { id in
                "<a href=\"\(PageAddress("users", emulator.name, id))\">\(user ?? id, upTo: 60)</a>"
            } ?? ""
        let fault: Markup = exchange["fault"]?.bool == true ? " <span class=\"chip bad\">fault</span>" : ""
        // The host in Firebase's paths, and the mount of the others, are the same in each row.
        let end = path.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        return """
            <td>\(.status(exchange["status"]?.int))\(fault)</td>\
            <td><a href="\(address)"><span class="chip">\(exchange["method"]?.string ?? "", upTo: 20)</span> \
            <span class="quiet">\(path: path[..<end])</span>\(path[end...], upTo: 120)</a></td>\
            <td>\(name)</td><td>\(emulator.time(exchange["date"]?.string))</td>\
            <td class="n">\(Self.milliseconds(exchange["milliseconds"]?.double ?? 0)) ms</td><td>\(emulator.mark)</td>
            """
    }

    /// A duration with one digit after the point below ten milliseconds.
    private static func milliseconds(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(value.rounded()))"
    }

    private static let limit = 50

    /// The path of the search, with `*` around plain text: one field finds a part of a path, and a whole one.
    private var match: RequestMatch {
        let text = visit.query("query") ?? "*"
        return RequestMatch(visit.query("method")?.uppercased(), text.hasPrefix("/") || text.hasPrefix("*") ? text : "*\(text)*")
    }

    private func response() async throws -> EmulatorResponse {
        _ = try visit.searchText()
        let (match, status) = (match, visit.query("status") ?? "")
        let isFaulty = visit.query("fault") != nil
        let page = min(max(visit.query("page").flatMap { Int($0) } ?? 1, 1), 10)
        var found: [(end: Duration, request: JSON, emulator: DashboardEmulator)] = []
        for emulator in visit.shown {
            found += emulator.server.panel.shown(limit: Self.limit * page + 1) { entry in
                match.matches(entry.request) && (!isFaulty || entry.isFaulty) && Self.matches(entry.response.status, status)
            }.map { ($0.entry.end, $0.request, emulator) }
        }
        // The backends' clocks differ, and a person moves them: the machine's time decides the order.
        let newest = found.enumerated().sorted {
            $0.element.end == $1.element.end ? $0.offset < $1.offset : $0.element.end > $1.element.end
        }
        .dropFirst(Self.limit * (page - 1)).map(\.element)
        var names = UserNames()
        var rows: [Markup] = []
        for (_, request, emulator) in newest.prefix(Self.limit) {
            rows.append(Self.row(request, of: emulator, user: await names.name(of: request["user"]?.string, at: emulator)))
        }
        func link(_ text: Markup, to page: Int) -> Markup {
            let query: KeyValuePairs<String, String?> = [
                "provider": visit.chosen?.name, "method": visit.query("method"), "query": visit.query("query"),
                "status": visit.query("status"), "fault": visit.query("fault"), "page": String(page),
            ]
            return "<a class=\"button\" href=\"\(PageAddress("requests", query: query))\">\(text)</a> "
        }
        let newer: Markup? = page > 1 ? link("Newer requests", to: page - 1) : nil
        let older: Markup? = newest.count > Self.limit ? link("Older requests", to: page + 1) : nil
        let total = visit.shown.reduce(0) { $0 + $1.server.panel.transcript.count }
        let curl =
            (visit.chosen ?? visit.emulators.first).flatMap { ConnectionLines.lines(of: $0.server.ready).first?.text } ?? ""
        let first: Markup = "No requests yet. Start here: \(.copyable(curl, id: "first", "the first request", isBlock: true))"
        let statuses = [("", "Any status"), ("2xx", "2xx"), ("4xx", "4xx"), ("5xx", "5xx")].map { (value: $0.0, title: $0.1) }
        return Layout.page(
            visit, "Requests", in: "requests", following: [.requests],
            tools: Layout.Tools(
                search: .search(
                    visit, "requests", "Search a path, with * for any characters ( / )",
                    """
                    \(.choice("Status", "status", statuses, chosen: status, isPlain: true))\(.box("Only with a fault", "fault", isFaulty))
                    """)),
            """
            \(.live("requests", """
                \(.table("Requests", Self.columns, rows, empty: total == 0 ? first : visit.noMatch("request among the last 500", at: "requests")))\
                <p>\(newer)\(older)</p>
                """))
            """)
    }

    /// Whether a status matches: `404`, `4xx`, or all.
    private static func matches(_ status: Int, _ text: String) -> Bool {
        if text.isEmpty { return true }
        let first = text.utf8.first.map { Int($0) - 0x30 } ?? 0
        return text.lowercased().hasSuffix("xx") ? status / 100 == first : String(status) == text
    }
}

/// `/requests/{provider}/{number}`: one request with its response.
struct ExchangePage {
    private let visit: Visit
    private let emulator: DashboardEmulator
    private let exchange: JSON

    init(_ visit: Visit) throws(ErrorPage) {
        let (emulator, number) = (try visit.emulator(), visit.request[placeholder: "number"])
        guard let exchange = emulator.server.panel.shown(limit: 1, where: { String($0.number) == number }).first?.request else {
            throw ErrorPage(404, "There is no request \"\(number.prefix(20))\" among the last 500. Open the list of requests.")
        }
        (self.visit, self.emulator, self.exchange) = (visit, emulator, exchange)
    }

    func response() async -> EmulatorResponse {
        let id = exchange["user"]?.string
        var names = UserNames()
        let name = await names.name(of: id, at: emulator) ?? ""
        let user: Markup = id.map { "<a href=\"\(PageAddress("users", emulator.name, $0))\">\(name, upTo: 120)</a>" } ?? "–"
        let (method, path) = (exchange["method"]?.string ?? "", exchange["path"]?.string ?? "")
        return Layout.page(
            visit, "\(method) \(path)", heading: "\(method) \(path: path, upTo: 2000)", in: "requests",
            """
            \(.values([
                ("Status", .status(exchange["status"]?.int)), ("Time", emulator.time(exchange["date"]?.string)),
                ("Provider", emulator.mark), ("User", user),
                ("Fault", exchange["fault"]?.bool == true ? "a fault has affected it" : "none"),
            ]))
            <div class="actions">\(failing)\(.copyable(markdown: Markdown(exchange, base: emulator.server.base).text, id: "markdown"))</div>
            <h2>As curl</h2><p>Secrets are masked: put your own in.</p>
            \(.copyable(CurlLine(exchange, base: emulator.server.base).text, id: "curl", "the request as curl", isBlock: true))
            <h2>Request</h2>\(part("query", "Query"))\(headers("headers", "Headers of the request"))\(part("body", "Body of the request"))
            <h2>Answer</h2>\(headers("responseHeaders", "Headers of the answer"))\(part("answer", "Body of the answer"))
            """)
    }

    /// The buttons that make the same request fail: the next one, and each one of its user.
    private var failing: Markup {
        let fields = [
            ("provider", emulator.name), ("method", exchange["method"]?.string ?? ""), ("path", exchange["path"]?.string ?? ""),
            ("effect", "lose-answer"), ("times", "1"),
        ]
        let next = visit.button("Fail this request next time", PageAddress("faults"), fields)
        let address = ["email", "email_address", "identifier"].compactMap { exchange["body"]?[$0]?.string }.first
        guard let address, address.contains(bytesOf: "@") else { return next }
        let own = fields.dropLast() + [("times", "1000000"), ("address", address)]
        return "\(next) \(visit.button("Fail it for this user", PageAddress("faults"), Array(own)))"
    }

    private func part(_ name: String, _ title: String) -> Markup {
        guard let value = exchange[name], value != .null, value != [:] else { return "" }
        return "<h3>\(title)</h3>\(.document(value, title))"
    }

    private func headers(_ name: String, _ title: String) -> Markup {
        let rows: [Markup] = (exchange[name]?.array ?? []).map { pair in
            "<td>\(pair[0]?.string ?? "")</td><td>\(pair[1]?.string ?? "", upTo: 2000)</td>"
        }
        return "<h3>\(title)</h3>\(.table(title, ["Name", "Value"], rows, empty: "None."))"
    }
}

/// A request as a command line, without secrets.
struct CurlLine {
    let text: String

    init(_ exchange: JSON, base: String) {
        var words = ["curl"]
        let method = exchange["method"]?.string ?? "GET"
        if method != "GET" { words += ["-X", Self.quoted(method)] }
        for pair in exchange["headers"]?.array ?? [] {
            let (name, value) = (pair[0]?.string ?? "", pair[1]?.string ?? "")
            guard !Self.ownHeaders.contains(name.lowercased()) else { continue }
            words += ["-H", Self.quoted("\(name): \(value)")]
        }
        switch exchange["body"] ?? .null {
        case .null: break
        case .string(let text): words += ["--data-binary", Self.quoted(text)]
        case let body: words += ["--data-binary", Self.quoted(Self.isForm(exchange) ? Self.form(body) : body.text())]
        }
        let query = exchange["query"].map(Self.form) ?? ""
        words.append(Self.quoted(base + (exchange["path"]?.string ?? "/") + (query.isEmpty ? "" : "?" + query)))
        text = words.joined(separator: " ")
    }

    /// The headers that curl adds itself, and those of browsers.
    private static let ownHeaders: Set<String> = [
        "host", "content-length", "connection", "accept-encoding", "cookie", "transfer-encoding", "sec-fetch-site",
        "sec-fetch-mode",
        "sec-fetch-dest", "user-agent",
    ]

    private static func isForm(_ exchange: JSON) -> Bool {
        (exchange["headers"]?.array ?? []).contains { pair in
            pair[0]?.string?.lowercased() == "content-type"
                && pair[1]?.string?.hasPrefix("application/x-www-form-urlencoded") == true
        }
    }

    private static func form(_ value: JSON) -> String {
        Percent.encodeForm((value.object ?? [:]).map { (name: $0.name, value: $0.value.string ?? $0.value.text()) })
    }

    /// Returns a text quoted as one word for a shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.pieces(at: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
