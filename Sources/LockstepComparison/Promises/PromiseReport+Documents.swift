internal import LockstepContracts
internal import LockstepPrimitives

extension PromiseReport {
    /// For documents: one table.
    public var markdown: String {
        var lines = [
            "| promise | " + providers.joined(separator: " | ") + " |",
            "|---" + String(repeating: "|---", count: providers.count) + "|",
        ]
        for entry in entries {
            let cells = providers.indices.map { column -> String in
                let verdict = entry.verdict(column).name
                return (entry.declared(column).map { "\(verdict): \($0)" } ?? verdict).escapedForMarkdown
            }
            lines.append(
                "| \(entry.contract.id): \(entry.contract.promise.escapedForMarkdown) | " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For documents: the counts.
    public var summaryMarkdown: String {
        var lines = [
            "| promises | " + providers.joined(separator: " | ") + " |",
            "|---" + String(repeating: "|---", count: providers.count) + "|",
        ]
        for verdict in Verdict.names {
            lines.append("| \(verdict) | " + providers.indices.map { String(count(verdict, $0)) }.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The counts, as a part of a page.
    var summaryHTML: String {
        let head = "<tr><th></th>" + providers.map { "<th>\($0.escapedForHTML)</th>" }.joined() + "</tr>"
        let rows = Verdict.names.map { verdict in
            "<tr><th>\(verdict)</th>" + providers.indices.map { "<td>\(count(verdict, $0))</td>" }.joined() + "</tr>"
        }
        return
            "<section><h2>\(title)</h2><div class=\"table\"><table>\(([head] + rows).joined(separator: "\n"))</table></div></section>"
    }

    /// For a browser.
    public var html: String {
        let head = "<tr><th>promise</th>" + providers.map { "<th>\($0.escapedForHTML)</th>" }.joined() + "</tr>"
        let rows = entries.map { entry in
            let cells = providers.indices.map { column -> String in
                let verdict = entry.verdict(column)
                let text = entry.declared(column).map { "\(verdict.name): \($0)" } ?? verdict.name
                return "<td title=\"\((verdict.reason ?? "").escapedForHTML)\">\(text.escapedForHTML)</td>"
            }
            return
                "<tr><th>\(entry.contract.id.escapedForHTML)<br><small>\(entry.contract.promise.escapedForHTML)</small></th>\(cells.joined())</tr>"
        }
        return Page.html(
            title: "Promises on \(providers.listed)",
            body: "<div class=\"table\"><table>\(([head] + rows).joined(separator: "\n"))</table></div>")
    }

    /// For CI servers: one suite a provider, one case a promise and configuration.
    public var junit: String {
        let suites = providers.enumerated().map { column, provider in
            let outcomes = entries.flatMap { $0.outcomes[column] }
            let cases = outcomes.map { outcome in
                let head = "<testcase classname=\"\(provider).\(outcome.variant)\" name=\"\(outcome.contract.id.escapedForHTML)\""
                let reason = (outcome.verdict.reason ?? "").escapedForHTML
                return switch outcome.verdict {
                case .kept: head + "/>"
                case .broken: head + "><failure message=\"\(reason)\"/></testcase>"
                case .failed: head + "><error message=\"\(reason)\"/></testcase>"
                case .notApplicable, .notChecked: head + "><skipped message=\"\(outcome.verdict.name): \(reason)\"/></testcase>"
                }
            }
            let failures = outcomes.count(where: \.isBroken)
            let errors = outcomes.count(where: \.isFailed)
            let skipped = outcomes.count { $0.verdict != .kept && !$0.isBroken && !$0.isFailed }
            return """
                <testsuite name="\(provider)" tests="\(outcomes.count)" failures="\(failures)" errors="\(errors)" skipped="\(skipped)">
                \(cases.joined(separator: "\n"))
                </testsuite>
                """
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites.joined(separator: "\n") + "\n</testsuites>\n"
    }
}
