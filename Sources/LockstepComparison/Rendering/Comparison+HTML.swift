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
                + row.runs.map { "<td>\($0.isOffered ? $0.totals.summary : "–")</td>" }.joined() + "</tr>"
            let problems = zip(providers, row.runs).compactMap { provider, run in
                run.problem.map { "<li class=\"broken\">\("\(provider) broke off: \($0)".escapedForHTML)</li>" }
            }
            let differences = row.differences.flatMap(\.sentences).map { "<li>\($0.escapedForHTML)</li>" }
            return """
                <section><h2>\(number + 1). \(row.journey.title.escapedForHTML)</h2>
                <table>\(([head] + observations + [end, wire]).joined(separator: "\n"))</table>
                <ul>\((problems + differences).joined(separator: "\n"))</ul></section>
                """
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>lockstep compare</title><style>\(Self.style)</style></head>
            <body><h1>\(providers.listed.escapedForHTML), side by side</h1>
            \(body.joined(separator: "\n"))
            \(promises?.summaryHTML ?? "")
            </body></html>

            """
    }

    private static let style = """
        body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1c1c1e }
        table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid #ddd }
        tr.differs td { background: #fff7e0 } tr.wire td { color: #667 } li.broken { color: #b00020 }
        """
}

extension String {
    var escapedForHTML: String {
        visible.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&quot;")
    }
}
