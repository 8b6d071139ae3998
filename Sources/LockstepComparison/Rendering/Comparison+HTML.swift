internal import LockstepPrimitives

extension Comparison {
    /// For a browser: one page without scripts, and nothing loaded from elsewhere.
    public var html: String { html(with: nil) }

    /// The same, with the promises at its end.
    public func html(with promises: PromiseReport?) -> String {
        let body = rows.enumerated().map { number, row in
            let head = "<tr><th></th>" + providers.map { "<th>\($0.escapedForHTML)</th>" }.joined() + "</tr>"
            let observations = Difference.names(of: row.runs).map { name in
                let differs = row.differences.contains { $0.observation == name }
                let cells = row.runs.map { "<td>\(($0[name] ?? "–").escapedForHTML)</td>" }.joined()
                return "<tr\(differs ? " class=\"differs\"" : "")><th>\(name.escapedForHTML)</th>\(cells)</tr>"
            }
            let end =
                "<tr><th>at the end</th>" + row.runs.map { "<td>\(($0.state ?? "–").escapedForHTML)</td>" }.joined() + "</tr>"
            let wire =
                "<tr class=\"wire\"><th>requests</th>"
                + row.runs.map { "<td>\($0.totals.summary)</td>" }.joined() + "</tr>"
            let problems = zip(providers, row.runs).compactMap { provider, run in
                run.problem.map { "<li class=\"broken\">\("\(provider) broke off: \($0)".escapedForHTML)</li>" }
            }
            let differences = row.differences.flatMap(\.notes).map { "<li>\($0.html)</li>" }
            return """
                <section><h2>\(number + 1). \(row.journey.title.escapedForHTML)</h2>
                <div class="table"><table>\(([head] + observations + [end, wire]).joined(separator: "\n"))</table></div>
                <ul>\((problems + differences).joined(separator: "\n"))</ul></section>
                """
        }
        return Page.html(
            title: providers.listed + ", side by side",
            body: ([configurationsHTML] + body + [declaredHTML, promises?.summaryHTML ?? ""]).joined(separator: "\n"))
    }

    private var configurationsHTML: String {
        let items = zip(providers, configurations).compactMap { provider, configurations in
            configurations.first.map { "<li>\("\(provider): “\($0.name)”, \($0.summary)".escapedForHTML)</li>" }
        }
        return "<p>Measured in these configurations:</p><ul>\(items.joined())</ul>"
    }

    private var declaredHTML: String {
        let head = "<tr><th></th>" + providers.map { "<th>\($0.escapedForHTML)</th>" }.joined() + "</tr>"
        let rows = declaredDifferences.map { difference in
            let cells = providers.map { "<td>\((difference.values[$0] ?? "–").escapedForHTML)</td>" }.joined()
            let notes = difference.notes.map { "<li>\($0.html)</li>" }.joined()
            return "<tr><th>\(difference.observation.escapedForHTML)</th>\(cells)</tr>"
                + "<tr><td colspan=\"\(providers.count + 1)\"><ul>\(notes)</ul></td></tr>"
        }
        return """
            <section><h2>Declared differently</h2>
            <div class="table"><table>\(([head] + rows).joined(separator: "\n"))</table></div></section>
            """
    }
}

extension Difference.Note {
    fileprivate var html: String { text.withCodeInHTML + (call.map(\.asCallInHTML) ?? "") }
}

extension String {
    /// As HTML shows it, in content and in attributes with double quotes: an apostrophe stays, for readers of the source.
    var escapedForHTML: String {
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
