internal import LockstepPrimitives

extension [Change] {
    /// For a terminal: worst first, each with what to do.
    public func text(from source: String, to target: String, width: Int = 100, paint: Paint = .none) -> String {
        guard !isEmpty else { return "Nothing that was looked at changes from \(source) to \(target).\n" }
        var lines = [paint.bold("From \(source) to \(target): \(count) changes"), ""]
        for change in self {
            let mark =
                change.weight == "safety" ? paint.red("safety") : change.weight == "flow" ? paint.yellow("flow") : change.weight
            lines.append("\(mark)  \("\(change.journey): \(change.observation)".visible)")
            lines += "\(change.before)  ->  \(change.after)".wrapped(width - 8, first: "        ", rest: "        ").map(
                paint.dim)
            lines += change.advice.wrapped(width - 8, first: "        ", rest: "        ")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For documents.
    public func markdown(from source: String, to target: String) -> String {
        let head = "# From \(source) to \(target)\n\n| weight | where | before | after | what to do |\n|---|---|---|---|---|\n"
        return head
            + map { change in
                let cells = [
                    change.weight, "\(change.journey): \(change.observation)", change.before, change.after, change.advice,
                ]
                return "| " + cells.map(\.escapedForMarkdown).joined(separator: " | ") + " |\n"
            }.joined()
    }

    /// For a browser.
    public func html(from source: String, to target: String) -> String {
        let rows = map { change in
            let cells = [change.weight, "\(change.journey): \(change.observation)", change.before, change.after, change.advice]
            return "<tr>" + cells.map { "<td>\($0.escapedForHTML)</td>" }.joined() + "</tr>"
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>from \(source) to \(target)</title></head>
            <body><h1>From \(source) to \(target)</h1>
            <table><tr><th>weight</th><th>where</th><th>before</th><th>after</th><th>what to do</th></tr>
            \(rows.joined(separator: "\n"))
            </table></body></html>

            """
    }
}
