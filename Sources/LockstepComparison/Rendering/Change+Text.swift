internal import LockstepPrimitives

extension Change {
    /// What it says beside its values, in the order in which a person reads it; an effect's text has code between backticks.
    fileprivate var parts: [(name: String, text: String)] {
        var parts = [("your app", effect.consequence)]
        if !effect.action.isEmpty { parts.append(("do", effect.action)) }
        parts += settings.map { ("setting", $0) }
        parts.append(("evidence", evidence))
        return parts
    }

    fileprivate var place: String { kind == .journey ? "\(journey ?? ""): \(observation)" : observation }
}

extension [Change] {
    /// The differences, and beside them, under a title, what is none.
    fileprivate var groups: [(title: String?, changes: [Change])] {
        let groups: [(String?, [Change])] = [
            (nil, filter(\.isDifference)),
            ("Not different as the platforms begin, but by a setting", filter { $0.kind == .setting }),
            ("The way back", filter { $0.kind == .wayBack }),
        ]
        return groups.filter { !$0.1.isEmpty }
    }

    /// The first sentence of every form.
    private func summary(_ source: String, _ target: String) -> String {
        let differences = filter(\.isDifference)
        guard !differences.isEmpty else { return "Nothing that was looked at changes from \(source) to \(target)." }
        let counts = ["safety", "flow", "screen", "notice"].map { weight in
            "\(differences.count { $0.weight == weight }) \(weight)"
        }
        return "\(differences.count) differences for an app that moves from \(source) to \(target), first what costs it most: "
            + counts.joined(separator: ", ") + "."
    }

    /// For a terminal: what costs most first, each with what to do.
    public func text(from source: String, to target: String, width: Int = 100, paint: Paint = .none) -> String {
        var lines = summary(source, target).wrapped(width, first: "", rest: "").map(paint.bold)
        for (title, changes) in groups {
            if let title { lines += ["", paint.bold(title)] }
            for change in changes {
                let mark: @Sendable (String) -> String =
                    switch change.weight {
                    case "safety": paint.red
                    case "flow": paint.yellow
                    default: { $0 }
                    }
                lines.append("")
                let head = change.isDifference ? "\(change.weight)  \(change.place)" : "        \(change.place)"
                lines += head.wrapped(width, first: change.isDifference ? "" : "        ", rest: "        ").map(mark)
                lines += "\(source): \(change.before)".wrapped(width - 8, first: "        ", rest: "          ").map(paint.dim)
                lines += "\(target): \(change.after)".wrapped(width - 8, first: "        ", rest: "          ").map(paint.dim)
                for (name, text) in change.parts {
                    lines += "\(name): \(text)".wrapped(width - 10, first: "        ", rest: "          ")
                    if name == "do", let call = change.effect.call {
                        lines += call.wrapped(width - 14, first: "            ", rest: "              ")
                    }
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For documents.
    public func markdown(from source: String, to target: String) -> String {
        let (from, to) = (source.escapedForMarkdown, target.escapedForMarkdown)
        var text = "# From \(from) to \(to)\n\n\(summary(source, target).escapedForMarkdown)\n"
        for (title, changes) in groups {
            if let title { text += "\n## \(title)\n" }
            text += """

                | weight | where | \(from) | \(to) | your app | what to do | evidence, and settings |
                |---|---|---|---|---|---|---|

                """
            for change in changes {
                let call = change.effect.call.map { " \($0.asCodeInMarkdown)" } ?? ""
                let cells = [change.weight, change.place, change.before, change.after].map(\.escapedForMarkdown)
                let evidence = ([change.evidence] + change.settings).joined(separator: "; ").escapedForMarkdown
                let effect = [change.effect.consequence.withCodeInMarkdown, change.effect.action.withCodeInMarkdown + call]
                text += "| " + (cells + effect + [evidence]).joined(separator: " | ") + " |\n"
            }
        }
        return text
    }

    /// For a browser: one page without scripts, readable on a phone.
    public func html(from source: String, to target: String) -> String {
        let sections = groups.map { title, changes in
            (title.map { "<h2>\($0.escapedForHTML)</h2>\n" } ?? "")
                + changes.map { $0.section(source, target) }.joined(separator: "\n")
        }
        return Page.html(
            title: "From \(source) to \(target)",
            body: "<p>\(summary(source, target).escapedForHTML)</p>\n" + sections.joined(separator: "\n"))
    }
}

extension Change {
    fileprivate func section(_ source: String, _ target: String) -> String {
        let parts = parts.map { name, text in
            let isEffect = name == "your app" || name == "do"
            let call = name == "do" ? effect.call.map(\.asCallInHTML) ?? "" : ""
            return "<dt>\(name)</dt><dd>\(isEffect ? text.withCodeInHTML : text.escapedForHTML)\(call)</dd>"
        }
        let mark = isDifference ? "<span>\(weight.escapedForHTML)</span> " : ""
        return """
            <section class="\(isDifference ? weight.escapedForHTML : "none")"><h2>\(mark)\(place.escapedForHTML)</h2>
            <dl><dt>\(source.escapedForHTML)</dt><dd>\(before.escapedForHTML)</dd>
            <dt>\(target.escapedForHTML)</dt><dd>\(after.escapedForHTML)</dd>
            \(parts.joined(separator: "\n"))</dl></section>
            """
    }
}

extension String {
    /// As code in a cell of a table, which knows no escapes but that of its bars.
    var asCodeInMarkdown: String {
        unicodeScalars.contains("`") ? escapedForMarkdown : "`\(visible.replacingScalars { $0 == "|" ? "\\|" : nil })`"
    }

    /// A call, below the sentence that says what it does.
    var asCallInHTML: String { "<code class=\"call\">\(escapedForHTML)</code>" }

    /// As text in Markdown, with what stands between backticks as code.
    var withCodeInMarkdown: String { pieces.map { $0.isCode ? $0.text.asCodeInMarkdown : $0.text.escapedForMarkdown }.joined() }

    /// As text in HTML, with what stands between backticks as code.
    var withCodeInHTML: String {
        pieces.map { $0.isCode ? "<code>\($0.text.escapedForHTML)</code>" : $0.text.escapedForHTML }.joined()
    }

    /// The text, cut at its backticks; one that has no partner is text.
    private var pieces: [(text: String, isCode: Bool)] {
        let parts = pieces(at: "`", omittingEmptySubsequences: false).map(String.init)
        guard parts.count.isMultiple(of: 2) == false else { return [(self, false)] }
        return parts.enumerated().map { ($0.element, !$0.offset.isMultiple(of: 2)) }.filter { !$0.0.isEmpty }
    }
}
