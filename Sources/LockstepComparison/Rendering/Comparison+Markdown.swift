internal import LockstepPrimitives

extension Comparison {
    /// For documents: one table a journey.
    public var markdown: String {
        rows.enumerated().map { number, row in
            let head =
                "| | " + providers.joined(separator: " | ") + " |\n|---" + String(repeating: "|---", count: providers.count) + "|"
            var lines = ["## \(number + 1). \(row.journey.title)", "", head]
            for name in Difference.names(of: row.runs) {
                lines.append(
                    "| \(name.escapedForMarkdown) | "
                        + row.runs.map { ($0[name] ?? "–").escapedForMarkdown }.joined(separator: " | ") + " |")
            }
            lines.append(
                "| at the end | " + row.runs.map { ($0.state ?? "–").escapedForMarkdown }.joined(separator: " | ") + " |")
            lines.append(
                "| requests | " + row.runs.map { $0.isOffered ? $0.totals.summary : "–" }.joined(separator: " | ") + " |")
            lines.append("")
            for (provider, run) in zip(providers, row.runs) {
                if let problem = run.problem { lines.append("- **\(provider) broke off**: \(problem.escapedForMarkdown)") }
            }
            lines += row.differences.flatMap(\.sentences).map { "- \($0.escapedForMarkdown)" }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n\n") + "\n"
    }
}

extension String {
    /// As text in Markdown, also in a cell of a table: no markup, no HTML, no line of its own.
    var escapedForMarkdown: String {
        visible.reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "|", "\\", "`", "[", "]", "*": text += "\\\(character)"
            default: text.append(character)
            }
        }
    }
}
