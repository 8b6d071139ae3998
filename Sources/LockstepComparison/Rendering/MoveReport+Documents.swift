internal import LockstepPrimitives

extension MoveReport {
    /// Returns the report as Markdown.
    ///
    /// - Parameter origin: The command, the release and the time of the report; `nil` to omit this
    ///   information.
    /// - Returns: The document.
    public func markdown(from origin: ReportOrigin? = nil) -> String {
        var lines = [
            "# From \(source.escapedForMarkdown) to \(target.escapedForMarkdown)", "", headline.escapedForMarkdown + ".", "",
        ]
        if let origin { lines.append(origin.markdown) }
        for (weight, count, meaning) in legend { lines.append("- **\(weight)** (\(count)): \(meaning.escapedForMarkdown)") }
        lines += ["", evidence[0].escapedForMarkdown, ""] + variants.map { "- \($0.escapedForMarkdown)" }
        if !differences.isEmpty { lines += ["", "## Changes", ""] + table(differences) }
        if !settings.isEmpty {
            lines += ["", "## \(Self.settingsTitle)", "", "| provider | variant | what | value |", "|---|---|---|---|"]
            lines += settings.map { setting in
                let variant = "\(setting.variant): \(setting.summary)"
                let cells = [setting.provider, variant, setting.subject, setting.words]
                return "| " + cells.map(\.escapedForMarkdown).joined(separator: " | ") + " |"
            }
        }
        if !wayBack.isEmpty { lines += ["", "## \(Self.wayBackTitle)", ""] + table(wayBack) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func table(_ changes: [Change]) -> [String] {
        let (from, to) = (source.escapedForMarkdown, target.escapedForMarkdown)
        return ["| weight | what | \(from) | \(to) | your app | what to do |", "|---|---|---|---|---|---|"]
            + changes.map { change in
                let call = change.effect.call.map { " \($0.asCodeInMarkdown)" } ?? ""
                let seen = change.seen.isEmpty ? "" : " Also seen: \(change.seen.joined(separator: "; ").escapedForMarkdown)"
                let cells = [change.weight, change.place, change.before, change.after].map(\.escapedForMarkdown)
                let effect = [
                    change.effect.consequence.withCodeInMarkdown + seen, change.effect.action.withCodeInMarkdown + call,
                ]
                return "| " + (cells + effect).joined(separator: " | ") + " |"
            }
    }

    /// Returns the report as an HTML page without scripts, which can also be read on a phone.
    ///
    /// - Parameter origin: The command, the release and the time of the report; `nil` to omit this
    ///   information.
    public func html(from origin: ReportOrigin? = nil) -> String {
        let legend = legend.map { "<dt>\($0.weight) (\($0.count))</dt><dd>\($0.meaning.escapedForHTML)</dd>" }
        let variants = variants.map { "<li>\($0.escapedForHTML)</li>" }.joined()
        let introduction = """
            <p>\(headline.escapedForHTML).</p>
            <dl>\(legend.joined(separator: "\n"))</dl>
            <p>\(evidence[0].escapedForHTML)</p><ul>\(variants)</ul>
            """
        var sections = Cost.weights.compactMap { weight -> Page.Section? in
            let changes = differences.filter { $0.weight == weight.name }
            return changes.isEmpty
                ? nil : Page.Section(weight.name.capitalizedFirst, changes.map(article).joined(separator: "\n"))
        }
        if !settings.isEmpty {
            let rows = settings.map { setting in
                let cells = [setting.provider, "\(setting.variant): \(setting.summary)", setting.subject, setting.words]
                return "<tr>" + cells.map { "<td>\($0.escapedForHTML)</td>" }.joined() + "</tr>"
            }
            let head = "<tr><th>provider</th><th>variant</th><th>what</th><th>value</th></tr>"
            sections.append(
                Page.Section(
                    Self.settingsTitle, "<div class=\"table\"><table>\(([head] + rows).joined(separator: "\n"))</table></div>"))
        }
        if !wayBack.isEmpty {
            sections.append(Page.Section(Self.wayBackTitle, wayBack.map(article).joined(separator: "\n")))
        }
        return Page.html(title: "From \(source) to \(target)", origin: origin, introduction: introduction, sections: sections)
    }

    private func article(_ change: Change) -> String {
        let parts = change.parts.map { name, text in
            let isEffect = name == "your app" || name == "do"
            let call = name == "do" ? change.effect.call.map(\.asCallInHTML) ?? "" : ""
            return "<dt>\(name)</dt><dd>\(isEffect ? text.withCodeInHTML : text.escapedForHTML)\(call)</dd>"
        }
        let mark = change.isDifference ? "<span>\(change.weight.escapedForHTML)</span> " : ""
        return """
            <article class="\(change.isDifference ? change.weight.escapedForHTML : "none")"><h3>\(mark)\(change.place.escapedForHTML)</h3>
            <dl><dt>\(source.escapedForHTML)</dt><dd>\(change.before.escapedForHTML)</dd>
            <dt>\(target.escapedForHTML)</dt><dd>\(change.after.escapedForHTML)</dd>
            \(parts.joined(separator: "\n"))</dl></article>
            """
    }
}

extension String {
    /// The text as code in a table cell, where only bars are escaped.
    var asCodeInMarkdown: String {
        unicodeScalars.contains("`") ? escapedForMarkdown : "`\(visible.replacingScalars { $0 == "|" ? "\\|" : nil })`"
    }

    /// The text as a call, for the line below its description.
    var asCallInHTML: String { "<code class=\"call\">\(escapedForHTML)</code>" }

    /// The text escaped for Markdown, with code between backticks.
    var withCodeInMarkdown: String { pieces.map { $0.isCode ? $0.text.asCodeInMarkdown : $0.text.escapedForMarkdown }.joined() }

    /// The text escaped for HTML, with code between backticks.
    var withCodeInHTML: String {
        pieces.map { $0.isCode ? "<code>\($0.text.escapedForHTML)</code>" : $0.text.escapedForHTML }.joined()
    }

    /// The text, split at its backticks; an unpaired backtick is text.
    private var pieces: [(text: String, isCode: Bool)] {
        let parts = pieces(at: "`", omittingEmptySubsequences: false).map(String.init)
        guard parts.count.isMultiple(of: 2) == false else { return [(self, false)] }
        return parts.enumerated().map { ($0.element, !$0.offset.isMultiple(of: 2)) }.filter { !$0.0.isEmpty }
    }
}
