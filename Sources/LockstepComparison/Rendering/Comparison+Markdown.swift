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
                    "| \(name) | " + row.runs.map { ($0[name] ?? "–").escapedForMarkdown }.joined(separator: " | ") + " |")
            }
            lines.append("| at the end | " + row.runs.map { $0.state ?? "–" }.joined(separator: " | ") + " |")
            lines.append(
                "| requests | " + row.runs.map { $0.isOffered ? $0.totals.summary : "–" }.joined(separator: " | ") + " |")
            lines.append("")
            for (provider, run) in zip(providers, row.runs) {
                if let problem = run.problem { lines.append("- **\(provider) broke off**: \(problem)") }
            }
            lines += row.differences.flatMap(\.sentences).map { "- \($0)" }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n\n") + "\n"
    }
}

extension String {
    var escapedForMarkdown: String { replacing("|", with: "\\|") }
}
