internal import LockstepPrimitives

extension Comparison {
    /// The comparison as an HTML page without scripts and without external resources.
    package var html: String { html(with: nil) }

    /// Returns the comparison as an HTML page.
    ///
    /// - Parameters:
    ///   - contracts: The contracts to list at the end; `nil` for none.
    ///   - origin: The command, the release and the time of the report; `nil` to omit this
    ///     information.
    package func html(with contracts: ContractReport?, from origin: ReportOrigin? = nil) -> String {
        let journeys = rows.map { row in
            let observations = Difference.names(of: row.runs).map { name in
                let cells = row.runs.indices.map { index in
                    "<td\(isAlone(row, index, name) ? " class=\"differs\"" : "")>\(PlainValue(row.runs[index][name] ?? "–").html)</td>"
                }
                return "<tr><th>\(name.escapedForHTML)</th>\(cells.joined())</tr>"
            }
            let end =
                "<tr><th>at the end</th>" + row.runs.map { "<td>\(PlainValue($0.state ?? "–").html)</td>" }.joined() + "</tr>"
            let wire =
                "<tr class=\"wire\"><th>requests</th>"
                + row.runs.map { "<td>\($0.totals.summary)</td>" }.joined() + "</tr>"
            let problems = zip(titles, row.runs).compactMap { provider, run in
                run.problem.map { "<li class=\"broken\">\("\(provider) failed: \($0)".escapedForHTML)</li>" }
            }
            let differences = row.differences.flatMap(\.notes).map { "<li>\($0.html)</li>" }
            return Page.Section(
                row.journey.title,
                """
                <div class="table"><table>\(([head] + observations + [end, wire]).joined(separator: "\n"))</table></div>
                <ul>\((problems + differences).joined(separator: "\n"))</ul>
                """)
        }
        return Page.html(
            title: titles.listed + ", side by side", origin: origin, introduction: movesHTML + dearestHTML + configurationsHTML,
            sections: journeys + [declaredSection] + (contracts.map { [$0.summarySection] } ?? []))
    }

    private var head: String { "<tr><th></th>" + titles.map { "<th>\($0.escapedForHTML)</th>" }.joined() + "</tr>" }

    /// What each move changes, as a table with a row for the provider that an app leaves.
    private var movesHTML: String {
        guard !directions.isEmpty else { return "" }
        let head = "<tr><th>from</th>" + titles.map { "<th>to \($0.escapedForHTML)</th>" }.joined() + "</tr>"
        let rows = zip(providers, titles).map { source, title in
            let cells = providers.map { target -> String in
                guard let report = directions.first(where: { $0.source.name == source && $0.target.name == target }) else {
                    return "<td>–</td>"
                }
                let counts = report.legend.map { "\($0.count) \($0.weight)" }.joined(separator: " · ")
                return "<td><b>\(counts)</b><br>\(report.verdict.map(\.escapedForHTML).joined(separator: " "))</td>"
            }
            return "<tr><th>\(title.escapedForHTML)</th>\(cells.joined())</tr>"
        }
        return "<h2>What a move changes</h2><div class=\"table\"><table>\(([head] + rows).joined(separator: "\n"))</table></div>"
    }

    private var dearestHTML: String {
        let items = dearestDifferences.prefix(5).map { "<li>\($0.cost.weight): \(($0.short ?? $0.text).withCodeInHTML)</li>" }
        return items.isEmpty ? "" : "<h2>The most expensive differences</h2><ul>\(items.joined(separator: "\n"))</ul>"
    }

    private var configurationsHTML: String {
        let items = zip(titles, configurations).compactMap { provider, configurations in
            configurations.first.map { "<li>\("\(provider), variant “\($0.name)”: \($0.summary)".escapedForHTML)</li>" }
        }
        return "<p>Measured in these variants:</p><ul>\(items.joined())</ul>"
    }

    private var declaredSection: Page.Section {
        let rows = declaredDifferences.map { difference in
            let cells = providers.map { "<td>\((difference.values[$0] ?? "–").escapedForHTML)</td>" }.joined()
            let notes = difference.notes.map { "<li>\($0.html)</li>" }.joined()
            return "<tr><th>\(difference.observation.escapedForHTML)</th>\(cells)</tr>"
                + "<tr><td colspan=\"\(providers.count + 1)\"><ul>\(notes)</ul></td></tr>"
        }
        return Page.Section(
            "Different declared values", "<div class=\"table\"><table>\(([head] + rows).joined(separator: "\n"))</table></div>")
    }
}

extension Difference.Note {
    fileprivate var html: String { text.withCodeInHTML + (call.map(\.asCallInHTML) ?? "") }
}

extension String {
    /// The text escaped for HTML content and for attributes in double quotes.
    ///
    /// An apostrophe is not escaped, for readability.
    package var escapedForHTML: String {
        visible.replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: nil
            }
        }
    }
}
