package import LockstepPrimitives

/// The origin of a report: the command, the release and the time.
package struct ReportOrigin: Sendable {
    /// The name and the release of the command, such as `lockstep 0.1.0`.
    package let release: String
    /// The command line, quoted for a shell.
    package let commandLine: String
    /// The time when the report was made.
    package let date: Instant

    /// Creates the origin of a report.
    ///
    /// - Parameters:
    ///   - release: The name and the release of the command.
    ///   - commandLine: The command line, quoted for a shell.
    ///   - date: The time when the report was made.
    package init(release: String, commandLine: String, date: Instant) {
        self.release = release
        self.commandLine = commandLine
        self.date = date
    }

    /// The date in UTC, without seconds.
    private var minute: String { "\(date.rfc3339.prefix(10)) \(date.rfc3339.dropFirst(11).prefix(5)) UTC" }

    fileprivate var html: String {
        """
        <p class="origin">\(release.escapedForHTML), \(minute)<br><code>\(commandLine.escapedForHTML)</code></p>

        """
    }

    var markdown: String { "Made by \(release.escapedForMarkdown) on \(minute): \(commandLine.asCodeInMarkdown)\n" }
}

/// A page for a browser with its own style, without external resources.
package enum Page {
    /// A part of a page, listed in its contents.
    package struct Section {
        let title: String
        let body: String

        /// Creates a section; its body is HTML.
        package init(_ title: String, _ body: String) {
            self.title = title
            self.body = body
        }
    }

    /// A script of the page, with its SHA-256 digest in Base64, as a Content Security Policy wants it.
    struct Script {
        let text: String
        let digest: String
    }

    /// The page as HTML.
    ///
    /// - Parameters:
    ///   - title: The heading.
    ///   - origin: The origin of the report; `nil` for none.
    ///   - introduction: HTML before the contents.
    ///   - sections: The parts, in order.
    /// - Returns: A document.
    package static func html(title: String, origin: ReportOrigin?, introduction: String = "", sections: [Section]) -> String {
        html(title: title, origin: origin, introduction: introduction, sections: sections, script: nil)
    }

    static func html(
        title: String, origin: ReportOrigin?, introduction: String, sections: [Section], script: Script?
    ) -> String {
        let links = sections.enumerated().map { "<li><a href=\"#s\($0 + 1)\">\($1.title.escapedForHTML)</a></li>" }
        let contents =
            sections.count < 2 ? "" : "<nav><h2>Contents</h2><ol>\(links.joined(separator: "\n"))</ol></nav>\n"
        let parts = sections.enumerated().map { number, section in
            "<section id=\"s\(number + 1)\"><h2>\(section.title.escapedForHTML)</h2>\n\(section.body)</section>"
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="\(policy)\(script.map { "; script-src 'sha256-\($0.digest)'" } ?? "")">
            <meta name="color-scheme" content="light dark">
            <title>\(title.escapedForHTML)</title><style>\(style)</style></head>
            <body><h1>\(title.escapedForHTML)</h1>
            \(origin?.html ?? "")\(introduction)
            \(contents)\(parts.joined(separator: "\n"))
            \(script.map { "<script>\($0.text)</script>" } ?? "")</body></html>

            """
    }

    /// The policy that allows only the page's own style: no image, form or base address, and no script but a named one.
    private static let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

    /// The style.
    ///
    /// A table that is too wide scrolls in its own box.
    private static let style = """
        :root { color-scheme: light dark; --text: #1c1c1e; --page: #fff; --line: #ddd; --dim: #556; --code: #f4f4f6; --differs: #fff7e0;
          --safety: #b00020; --flow: #8a5300; --bar: #ccc; --link: #0a58ca; --area: #f7f8fa }
        .firebase { --provider: #f5820d } .gotrue { --provider: #3ecf8e } .clerk { --provider: #6c47ff }
        @media (prefers-color-scheme: dark) { :root { --text: #e6e6ea; --page: #16161a; --line: #38383e; --dim: #a0a4b0; --code: #26262c;
          --differs: #3a3110; --safety: #ff7a88; --flow: #f0b25a; --bar: #4a4a52; --link: #7fb0ff; --area: #1d1d22 } }
        body { font: 15px/1.45 system-ui, sans-serif; margin: 1rem auto; max-width: 62rem; padding: 0 1rem; color: var(--text); background: var(--page) }
        h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 1.4rem 0 .4rem } h3 { font-size: 1rem; margin: 1rem 0 .3rem }
        h1, h2, h3, td, dd, li, p, summary { overflow-wrap: break-word } a { color: var(--link) }
        nav ol { columns: 16rem; padding-left: 1.6rem } .origin { color: var(--dim) }
        .table { overflow-x: auto } table { border-collapse: collapse; width: 100%; min-width: 30rem }
        th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid var(--line) }
        td.differs { background: var(--differs) } td.count { font-variant-numeric: tabular-nums; white-space: nowrap } tr.wire td { color: var(--dim) } .broken { color: var(--safety) }
        .verdict { font-size: 1.1rem; border-left: .3rem solid var(--link); padding-left: .8rem }
        .bar { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center; padding: .4rem 0; background: var(--page); border-bottom: 1px solid var(--line) }
        .bar button { margin-left: auto; font: inherit } label { cursor: pointer }
        body:has(.show-safety:not(:checked)) .safety, body:has(.show-flow:not(:checked)) .flow, body:has(.show-screen:not(:checked)) .screen,
        body:has(.show-notice:not(:checked)) .notice { display: none }
        details { border-left: .3rem solid var(--bar); padding: .2rem 0 .2rem .8rem; margin: .5rem 0; scroll-margin-top: 3rem }
        details.safety { border-color: var(--safety) } details.flow { border-color: var(--flow) }
        summary { font-weight: 600; cursor: pointer } summary a { text-decoration: none; opacity: .5 } details p { margin: .3rem 0 } .subject, em { color: var(--dim); font-style: normal }
        .two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: .6rem }
        .two > div { background: var(--area); border-top: .2rem solid var(--provider, var(--bar)); padding: .3rem .6rem; overflow-wrap: break-word } .two b { display: block }
        code { font: 13px/1.4 ui-monospace, monospace; background: var(--code); padding: 0 .2rem; overflow-wrap: anywhere }
        code.call { display: block; padding: .3rem .5rem; margin-top: .2rem; white-space: pre-wrap }
        @media (max-width: 40rem) { body { padding: 0 .7rem } }
        """
}
