internal import LockstepEmulation
internal import LockstepPrimitives

/// The layout around the content of all pages.
enum Layout {
    /// The pages, in the order of the navigation.
    static let pages: [(title: String, path: String)] = [
        ("Start", ""), ("Inbox", "inbox"), ("Users", "users"), ("Sessions", "sessions"), ("Requests", "requests"),
        ("Faults", "faults"), ("Clock", "clock"), ("Settings", "settings"), ("Webhooks", "deliveries"),
    ]

    /// The toolbar of a page: one line with the choice of the provider, a search, and the main action at its right.
    struct Tools {
        var filters = true
        var search: Markup?
        var action: Markup?
    }

    /// Returns a page.
    ///
    /// - Parameters:
    ///   - visit: The request of the browser.
    ///   - title: The title of the tab.
    ///   - heading: The heading, if it is more than the title.
    ///   - path: Its page in the navigation.
    ///   - kinds: The changes after which a browser with scripts reloads its live parts; empty for the bar and the counts alone.
    ///   - count: The number beside the heading.
    ///   - problem: Why the form of the page was rejected; it then shows the values that a person has typed.
    static func page(
        _ visit: Visit, _ title: String, heading: Markup? = nil, in path: String, following kinds: [ChangeLog.Kind] = [],
        count: String? = nil,
        tools: Tools? = nil, problem: ErrorPage? = nil, status: Int = 200, _ content: Markup
    ) -> EmulatorResponse {
        let status = problem?.status ?? status
        let notice = visit.request.query["done"].flatMap(Notice.init)
        let isLive = visit.request.method == "GET" && status == 200
        let followed = isLive ? Set(kinds + [.messages, .faults, .clock]).map(\.rawValue).sorted() : []
        let unread = visit.emulators.reduce(0) { $0 + visit.unread(at: $1) }
        let hasToolbar = tools.map { $0.filters || $0.search != nil } ?? false
        let isFinding: Markup = path == "find" ? " aria-current=\"page\"" : ""
        return document(
            (unread > 0 ? "(\(unread)) " : "") + title,
            bodyAttributes:
                "data-changes=\"\(isLive ? visit.position : "")\" data-kinds=\"\(followed.joined(separator: " "))\" data-start=\"\(visit.start)\"",
            status: status,
            """
            <a class="skip" href="#main">Skip to the content</a>
            <header><p class="brand">Lockstep</p><nav id="pages" data-live aria-label="Pages"><ul>\(pages.map { item($0, visit, path, unread) })</ul></nav>\
            <a class="button find" href="/find"\(isFinding)>Find <kbd>Ctrl K</kbd></a></header>
            <section id="bar" aria-label="Alerts" data-live>\(AlertBar(visit: visit).lines)</section>
            <main id="main"><div class="head"><h1>\(heading ?? "\(title)")\(.live("count", count.map { "<span class=\"count\">\($0)</span>" } ?? "", "span"))</h1>\
            \(hasToolbar ? nil : tools?.action)\(isLive ? refresh(visit) : nil)</div>
            \(problem.map { "<p class=\"problem\" role=\"alert\">\($0.sentence, upTo: 1000)</p>" })
            \(notice.map { "<p class=\"notice\" role=\"status\">\($0.sentence)</p>" })
            \(!hasToolbar ? nil : tools.map { "<div class=\"tools\">\($0.filters ? filter(visit, path) : nil)\($0.search)\($0.action)</div>" })
            \(content)</main>
            """)
    }

    private static func item(_ page: (title: String, path: String), _ visit: Visit, _ path: String, _ unread: Int) -> Markup {
        let address = PageAddress(page.path, query: ["provider": visit.chosen?.name])
        let current: Markup = page.path == path ? " aria-current=\"page\"" : ""
        let count: (number: Int, what: String) =
            switch page.path {
            case "inbox": (unread, "unread")
            case "users": (visit.emulators.reduce(0) { $0 + ($1.userCount ?? 0) }, "users")
            case "requests": (visit.emulators.reduce(0) { $0 + $1.server.panel.transcript.count }, "requests")
            case "faults": (visit.emulators.reduce(0) { $0 + $1.activeFaults.count }, "active")
            default: (0, "")
            }
        let mark: Markup? =
            count.number > 0 ? "<span class=\"count\">\(count.number)<span class=\"hidden\"> \(count.what)</span></span>" : nil
        return "<li><a href=\"\(address)\"\(current)>\(page.title)\(mark)</a></li>"
    }

    /// The state of the connection; without scripts, the button that reloads the page without the notice of a form.
    private static func refresh(_ visit: Visit) -> Markup {
        let pairs = visit.request.query.pairs.filter { !["done", "key"].contains($0.name) }
        let fields: [Markup] = pairs.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value, upTo: .max)\">" }
        return """
            <form method="get" class="refresh">\(fields)<button class="unscripted">Refresh</button><span id="live" class="live" role="status"></span></form>
            """
    }

    private static func filter(_ visit: Visit, _ path: String) -> Markup {
        guard visit.emulators.count > 1 else { return "" }
        func link(_ title: String, _ name: String?) -> Markup {
            let current: Markup = visit.chosen?.name == name ? " aria-current=\"true\"" : ""
            return
                "<li><a href=\"\(PageAddress(path, query: ["provider": name, "query": visit.query("query")]))\"\(current)>\(title)</a></li>"
        }
        return """
            <nav class="filter" aria-label="Provider"><ul>\(link("All", nil))\(visit.emulators.map { link($0.word, $0.name) })</ul></nav>
            """
    }

    /// Returns a complete document.
    static func document(_ title: String, bodyAttributes: Markup = "", status: Int, _ body: Markup) -> EmulatorResponse {
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title) – Lockstep</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link rel="stylesheet" href="/style.css"><link rel="icon" href="/icon.svg"><script src="/script.js" defer></script></head>
            <body \(bodyAttributes)>\(body)</body></html>

            """
        return .html(page.html, status: status, policy: policy)
    }

    /// The policy of pages: resources come only from this dashboard, and nothing inline runs.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
        + "frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// The policy of an email in its frame: no script, remote image, form, or access to the surrounding page.
    ///
    /// `allow-same-origin` lets the page measure the height of the mail. It is harmless, because nothing in the frame can run.
    static let mailPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; "
        + "sandbox allow-same-origin"
}

/// An error page with the problem and the remedy.
struct ErrorPage: Error {
    let status: Int
    let sentence: String

    init(_ status: Int, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    private var title: String {
        switch status {
        case 401, 403, 421: "No access"
        case 404: "Not found"
        case 422: "Nothing was changed"
        default: "Not possible"
        }
    }

    /// The page for a request without a session, which shows nothing about the emulators.
    var response: EmulatorResponse {
        Layout.document(
            title, status: status,
            "<main id=\"main\"><h1>\(title)</h1><p role=\"alert\">\(sentence, upTo: 1000)</p></main>")
    }

    /// Returns the page for a session.
    func response(to visit: Visit) -> EmulatorResponse {
        let path = visit.request.path.pieces(at: "/").first.map(String.init) ?? ""
        let known = Layout.pages.first { $0.path == path } ?? Layout.pages[0]
        return Layout.page(
            visit, title, in: path, status: status,
            """
            <p class="problem" role="alert">\(sentence, upTo: 1000)</p>
            <p>Go back in the browser to correct the form, or <a href="\(PageAddress(known.path))">open the page \(known.title)</a>.</p>
            """)
    }
}
