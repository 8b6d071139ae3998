internal import LockstepPrimitives

extension MoveReport {
    /// Returns the report as Markdown.
    ///
    /// - Parameter origin: The command, the release and the time of the report; `nil` to omit this
    ///   information.
    /// - Returns: The document.
    package func markdown(from origin: ReportOrigin? = nil) -> String {
        var lines = ["# \(headline.escapedForMarkdown)", "", verdict.joined(separator: " ").escapedForMarkdown, ""]
        if let origin { lines.append(origin.markdown) }
        for (weight, count, meaning) in legend { lines.append("- **\(weight)** (\(count)): \(meaning.escapedForMarkdown)") }
        if !differences.isEmpty { lines += ["", "## Changes", ""] + table(differences) }
        if !settings.isEmpty { lines += ["", "## \(Self.settingsTitle)"] }
        for (variant, settings) in settings {
            lines += ["", variant.escapedForMarkdown, "", "| what | value |", "|---|---|"]
            lines += settings.map { "| \($0.subject.escapedForMarkdown) | \(PlainValue($0.words).markdown) |" }
        }
        if !wayBack.isEmpty { lines += ["", "## \(Self.wayBackTitle)", ""] + table(wayBack) }
        lines += ["", Self.evidence.escapedForMarkdown, ""] + variants.map { "- \($0.escapedForMarkdown)" }
        return lines.joined(separator: "\n") + "\n"
    }

    private func table(_ changes: [Change]) -> [String] {
        let (from, to) = (source.title.escapedForMarkdown, target.title.escapedForMarkdown)
        return ["| weight | finding | what | \(from) | \(to) | what to do | work |", "|---|---|---|---|---|---|---|"]
            + changes.map { change in
                let call = change.effect.call.map { " \($0.asCodeInMarkdown)" } ?? ""
                let cells = [
                    change.weight, change.title.withCodeInMarkdown, change.subject.escapedForMarkdown,
                    PlainValue(change.before).markdown, PlainValue(change.after).markdown,
                    change.effect.action.withCodeInMarkdown + call, change.effect.effort.label ?? "–",
                ]
                return "| " + cells.joined(separator: " | ") + " |"
            }
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
