internal import LockstepEmulation
internal import LockstepPrimitives

/// `/requests`: the last requests of all emulators, without secrets.
struct RequestsPage {
    let visit: Visit

    static let columns = ["Request", "Status", "Time", "Took", "Fault"]

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        page("GET", "/requests") { RequestsPage(visit: $0).response() }
        page("GET", "/requests/{provider}/{number}") { try ExchangePage($0).response() }
    }

    /// Returns a request as a table row.
    static func row(_ exchange: JSON, of emulator: DashboardEmulator) -> Markup {
        let number = exchange["number"]?.int ?? 0
        let address = PageAddress("requests", emulator.name, String(number))
        let status: Markup =
            exchange["status"]?.int.map { status in
                status >= 400 ? "<span class=\"bad\">\(status)</span>" : "\(status)"
            } ?? "no answer"
        let milliseconds = Int((exchange["milliseconds"]?.double ?? 0).rounded())
        return """
            <td><a href="\(address)">\(exchange["method"]?.string ?? "", upTo: 20) \(exchange["path"]?.string ?? "", upTo: 120)</a></td>\
            <td>\(status)</td><td>\(.time(exchange["date"]?.string))</td><td>\(milliseconds) ms</td>\
            <td>\(exchange["fault"]?.bool == true ? "yes" : "")</td>
            """
    }

    private static let limit = 50

    private func response() -> EmulatorResponse {
        let match = RequestMatch(visit.query("method")?.uppercased(), visit.query("path") ?? "*")
        let status = visit.query("status") ?? ""
        let isFaulty = visit.query("fault") != nil
        let page = min(max(visit.query("page").flatMap { Int($0) } ?? 1, 1), 10)
        var rows: [(end: Duration, row: Markup)] = []
        for emulator in visit.shown {
            let found = emulator.server.panel.shown(limit: Self.limit * page + 1) { entry in
                match.matches(entry.request) && (!isFaulty || entry.isFaulty) && Self.matches(entry.response.status, status)
            }
            // The backends' clocks differ, and a person moves them: the machine's time decides the order.
            rows += found.map { ($0.end, Self.row($0.request, of: emulator) + "<td>\(emulator.title)</td>") }
        }
        let newest = rows.enumerated().sorted {
            $0.element.end == $1.element.end ? $0.offset < $1.offset : $0.element.end > $1.element.end
        }
        .dropFirst(Self.limit * (page - 1)).map(\.element.row)
        func link(_ text: Markup, to page: Int) -> Markup {
            let query: KeyValuePairs<String, String?> = [
                "provider": visit.chosen?.name, "method": visit.query("method"), "path": visit.query("path"),
                "status": visit.query("status"), "fault": visit.query("fault"), "page": String(page),
            ]
            return "<a class=\"button\" href=\"\(PageAddress("requests", query: query))\">\(text)</a> "
        }
        let newer: Markup? = page > 1 ? link("Newer requests", to: page - 1) : nil
        let older: Markup? = newest.count > Self.limit ? link("Older requests", to: page + 1) : nil
        let provider: Markup = visit.chosen.map { "<input type=\"hidden\" name=\"provider\" value=\"\($0.name)\">" } ?? ""
        return Layout.page(
            visit, "Requests", in: "requests", following: [.requests], filters: true,
            """
            <form method="get" action="/requests" class="fields">\(provider)
            \(.field("Method", "method", visit.query("method") ?? ""))
            \(.field("Path", "path", visit.query("path") ?? "", hint: "with * for any characters"))
            \(.field("Status", "status", status, hint: "such as 404 or 4xx"))
            \(.box("Only with a fault", "fault", isFaulty))<button>Filter</button></form>
            \(.live("requests", """
                \(.table("Requests", Self.columns + ["Provider"], Array(newest.prefix(Self.limit)),
                    empty: "No such requests among the last 500."))<p>\(newer)\(older)</p>
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

    func response() -> EmulatorResponse {
        let user: Markup =
            exchange["user"]?.string.map { "<a href=\"\(PageAddress("users", emulator.name, $0))\">\($0)</a>" } ?? "–"
        return Layout.page(
            visit, "Request", in: "requests",
            """
            \(.values([
                ("Request", "<strong>\(exchange["method"]?.string ?? "") \(exchange["path"]?.string ?? "", upTo: 2000)</strong>"),
                ("Status", exchange["status"]?.int.map { "\($0)" } ?? "no answer"), ("Time", .time(exchange["date"]?.string)),
                ("Provider", "\(emulator.title)"), ("User", user),
                ("Fault", exchange["fault"]?.bool == true ? "a fault has affected it" : "none"),
            ]))
            <h2>As curl</h2><p>Secrets are masked: put your own in.</p>
            \(.copyable(CurlLine(exchange, base: emulator.server.base).text, id: "curl", "the request as curl", isBlock: true))
            <h2>Request</h2>\(part("query", "Query"))\(headers("headers", "Headers of the request"))\(part("body", "Body of the request"))
            <h2>Answer</h2>\(headers("responseHeaders", "Headers of the answer"))\(part("answer", "Body of the answer"))
            """)
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
