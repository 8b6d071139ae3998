internal import LockstepPrimitives

extension Change {
    /// What it says beside its values, in the order in which a person reads it.
    fileprivate var parts: [(name: String, text: String)] {
        var parts = [("your app", effect.consequence)]
        if !effect.action.isEmpty { parts.append(("do", effect.action)) }
        parts += settings.map { ("setting", $0) }
        parts.append(("seen", evidence))
        return parts
    }

    fileprivate var place: String { "\(topic): \(observation)" }
}

extension [Change] {
    /// The first sentence of every form.
    private func summary(_ source: String, _ target: String) -> String {
        let counts = ["safety", "flow", "screen", "notice"].map { weight in "\(count { $0.weight == weight }) \(weight)" }
        return "\(count) differences for an app that moves from \(source) to \(target), first what costs it most: "
            + counts.joined(separator: ", ") + "."
    }

    /// For a terminal: what costs most first, each with what to do.
    public func text(from source: String, to target: String, width: Int = 100, paint: Paint = .none) -> String {
        guard !isEmpty else { return "Nothing that was looked at changes from \(source) to \(target).\n" }
        var lines = summary(source, target).wrapped(width, first: "", rest: "").map(paint.bold)
        for change in self {
            let mark: @Sendable (String) -> String =
                switch change.weight {
                case "safety": paint.red
                case "flow": paint.yellow
                default: { $0 }
                }
            lines.append("")
            lines += "\(change.weight)  \(change.place)".wrapped(width, first: "", rest: "        ").map(mark)
            lines += "\(source): \(change.before)".wrapped(width - 8, first: "        ", rest: "          ").map(paint.dim)
            lines += "\(target): \(change.after)".wrapped(width - 8, first: "        ", rest: "          ").map(paint.dim)
            for (name, text) in change.parts {
                lines += "\(name): \(text)".wrapped(width - 10, first: "        ", rest: "          ")
                if name == "do", let call = change.effect.call {
                    lines += call.wrapped(width - 14, first: "            ", rest: "              ")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For documents.
    public func markdown(from source: String, to target: String) -> String {
        let head = """
            # From \(source.escapedForMarkdown) to \(target.escapedForMarkdown)

            \(isEmpty ? "Nothing that was looked at changes." : summary(source, target).escapedForMarkdown)

            | weight | where | \(source.escapedForMarkdown) | \(target.escapedForMarkdown) | your app | what to do | seen, and settings |
            |---|---|---|---|---|---|---|

            """
        return head
            + map { change in
                let call = change.effect.call.map { " \($0.asCodeInMarkdown)" } ?? ""
                let cells = [change.weight, change.place, change.before, change.after, change.effect.consequence].map(
                    \.escapedForMarkdown)
                let evidence = ([change.evidence] + change.settings).joined(separator: "; ").escapedForMarkdown
                return "| " + (cells + [change.effect.action.escapedForMarkdown + call, evidence]).joined(separator: " | ")
                    + " |\n"
            }.joined()
    }

    /// For a browser: one page without scripts, readable on a phone.
    public func html(from source: String, to target: String) -> String {
        let items = map { change in
            let parts = change.parts.map { name, text in
                let call = name == "do" ? change.effect.call.map { "<code>\($0.escapedForHTML)</code>" } ?? "" : ""
                return "<dt>\(name)</dt><dd>\(text.escapedForHTML)\(call)</dd>"
            }
            return """
                <section class="\(change.weight.escapedForHTML)"><h2><span>\(change.weight.escapedForHTML)</span> \
                \(change.place.escapedForHTML)</h2>
                <dl><dt>\(source.escapedForHTML)</dt><dd>\(change.before.escapedForHTML)</dd>
                <dt>\(target.escapedForHTML)</dt><dd>\(change.after.escapedForHTML)</dd>
                \(parts.joined(separator: "\n"))</dl></section>
                """
        }
        return Page.html(
            title: "From \(source) to \(target)",
            body: "<p>\(isEmpty ? "Nothing that was looked at changes." : summary(source, target).escapedForHTML)</p>\n"
                + items.joined(separator: "\n"))
    }
}

extension String {
    /// As code in a cell of a table, which knows no escapes but that of its bars.
    fileprivate var asCodeInMarkdown: String {
        contains("`") ? escapedForMarkdown : "`\(visible.replacing("|", with: "\\|"))`"
    }
}
