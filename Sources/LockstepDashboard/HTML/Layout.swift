internal import LockstepEmulation
internal import LockstepPrimitives

/// The layout around the content of all pages.
enum Layout {
    /// The pages, in the order of the navigation.
    static let pages: [(title: String, path: String)] = [
        ("Start", ""), ("Inbox", "inbox"), ("Users", "users"), ("Sessions", "sessions"), ("Requests", "requests"),
        ("Faults", "faults"), ("Clock", "clock"), ("Settings", "settings"), ("Deliveries", "deliveries"),
    ]

    /// Returns a page.
    ///
    /// - Parameters:
    ///   - visit: The request of the browser.
    ///   - title: Its heading.
    ///   - path: Its page in the navigation.
    ///   - kinds: The changes after which a browser with scripts reloads its live parts; empty for none.
    ///   - filters: Whether the page has a choice of the provider.
    static func page(
        _ visit: Visit, _ title: String, in path: String, following kinds: [ChangeLog.Kind] = [], filters: Bool = false,
        status: Int = 200, _ content: Markup
    ) -> EmulatorResponse {
        let notice = visit.request.query["done"].flatMap(Notice.init)
        let changes = kinds.isEmpty ? "" : visit.position
        return document(
            title, bodyAttributes: "data-changes=\"\(changes)\" data-kinds=\"\(kinds.map(\.rawValue).joined(separator: " "))\"",
            status: status,
            """
            <a class="skip" href="#main">Skip to the content</a>
            <header><p class="brand">Lockstep</p><nav aria-label="Pages"><ul>\(pages.map { item($0, visit, path) })</ul></nav></header>
            <main id="main"><div class="head"><h1>\(title)</h1>\(kinds.isEmpty ? nil : refresh(visit))</div>
            \(notice.map { "<p class=\"notice\" role=\"status\">\($0.sentence)</p>" })
            \(filters ? filter(visit, path) : nil)
            \(content)</main>
            """)
    }

    private static func item(_ page: (title: String, path: String), _ visit: Visit, _ path: String) -> Markup {
        let address = PageAddress(page.path, query: ["provider": visit.chosen?.name])
        let current: Markup = page.path == path ? " aria-current=\"page\"" : ""
        return "<li><a href=\"\(address)\"\(current)>\(page.title)</a></li>"
    }

    /// The link that reloads the page without the notice of a form.
    private static func refresh(_ visit: Visit) -> Markup {
        let pairs = visit.request.query.pairs.filter { !["done", "key"].contains($0.name) }
        let fields: [Markup] = pairs.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value, upTo: .max)\">" }
        return """
            <form method="get" class="refresh">\(fields)<button>Refresh</button> <span id="live" role="status"></span></form>
            """
    }

    private static func filter(_ visit: Visit, _ path: String) -> Markup {
        guard visit.emulators.count > 1 else { return "" }
        func link(_ title: String, _ name: String?) -> Markup {
            let current: Markup = visit.chosen?.name == name ? " aria-current=\"true\"" : ""
            return "<li><a href=\"\(PageAddress(path, query: ["provider": name]))\"\(current)>\(title)</a></li>"
        }
        return """
            <nav class="filter" aria-label="Provider"><ul>\(link("All", nil))\(visit.emulators.map { link($0.title, $0.name) })</ul></nav>
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
    static let mailPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox"
}

/// An error page with the problem and the remedy.
struct ErrorPage: Error {
    let status: Int
    let sentence: String

    init(_ status: Int, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    /// The page for a request without a session, which shows nothing about the emulators.
    var response: EmulatorResponse {
        Layout.document(
            "Not possible", status: status,
            "<main id=\"main\"><h1>Not possible</h1><p role=\"alert\">\(sentence, upTo: 1000)</p></main>")
    }

    /// Returns the page for a session.
    func response(to visit: Visit) -> EmulatorResponse {
        let path = visit.request.path.pieces(at: "/").first.map(String.init) ?? ""
        let known = Layout.pages.first { $0.path == path } ?? Layout.pages[0]
        return Layout.page(
            visit, "Not possible", in: known.path, status: status,
            """
            <p class="problem" role="alert">\(sentence, upTo: 1000)</p>
            <p>Go back in the browser to correct the form, or <a href="\(PageAddress(known.path))">open the page \(known.title)</a>.</p>
            """)
    }
}
