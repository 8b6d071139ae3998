internal import LockstepPrimitives

extension Comparison {
    /// The comparison as Markdown, with one table for each journey.
    package var markdown: String { markdown(from: nil) }

    /// Returns the comparison as Markdown, with its origin if `origin` is given.
    ///
    /// - Parameter origin: The command, the release and the time of the report; `nil` to omit this
    ///   information.
    /// - Returns: The document.
    package func markdown(from origin: ReportOrigin?) -> String {
        ([origin?.markdown, configurationsMarkdown].compactMap(\.self) + journeysMarkdown + [declaredMarkdown]).joined(
            separator: "\n\n") + "\n"
    }

    private var configurationsMarkdown: String {
        let lines = zip(titles, configurations).compactMap { provider, configurations in
            configurations.first.map { "- \("\(provider), variant “\($0.name)”: \($0.summary)".escapedForMarkdown)" }
        }
        return (["Measured in these variants:", ""] + lines).joined(separator: "\n")
    }

    private var declaredMarkdown: String {
        var lines = [
            "## Different declared values", "",
            "| | " + titles.map(\.escapedForMarkdown).joined(separator: " | ") + " | meaning and settings |",
            "|---" + String(repeating: "|---", count: providers.count + 1) + "|",
        ]
        for difference in declaredDifferences {
            let cells = [difference.observation] + providers.map { difference.values[$0] ?? "–" }
            let notes = difference.notes.map(\.markdown).joined(separator: " ")
            lines.append("| " + (cells.map(\.escapedForMarkdown) + [notes]).joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    private var journeysMarkdown: [String] {
        rows.enumerated().map { number, row in
            let head =
                "| | " + titles.map(\.escapedForMarkdown).joined(separator: " | ") + " |\n|---"
                + String(repeating: "|---", count: providers.count) + "|"
            var lines = ["## \(number + 1). \(row.journey.title)", "", head]
            for name in Difference.names(of: row.runs) {
                lines.append(
                    "| \(name.escapedForMarkdown) | "
                        + row.runs.map { PlainValue($0[name] ?? "–").markdown }.joined(separator: " | ") + " |")
            }
            lines.append(
                "| at the end | " + row.runs.map { PlainValue($0.state ?? "–").markdown }.joined(separator: " | ") + " |")
            lines.append(
                "| requests | " + row.runs.map { $0.totals.summary }.joined(separator: " | ") + " |")
            lines.append("")
            for (provider, run) in zip(titles, row.runs) {
                if let problem = run.problem { lines.append("- **\(provider) failed**: \(problem.escapedForMarkdown)") }
            }
            lines += row.differences.flatMap(\.notes).map { "- \($0.markdown)" }
            return lines.joined(separator: "\n")
        }
    }
}

extension Difference.Note {
    fileprivate var markdown: String { text.withCodeInMarkdown + (call.map { " \($0.asCodeInMarkdown)" } ?? "") }
}

extension String {
    /// The text escaped for Markdown, including table cells: no markup, no HTML, no line break.
    var escapedForMarkdown: String {
        visible.replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "|", "\\", "`", "[", "]", "*": "\\\(scalar)"
            default: nil
            }
        }
    }
}
