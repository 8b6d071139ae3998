internal import LockstepContracts
internal import LockstepPrimitives

extension ContractReport {
    /// The report as one table in Markdown.
    package var markdown: String {
        var lines = head("contract")
        for entry in entries {
            let cells = providers.indices.map { entry.cell($0).escapedForMarkdown }
            let contract = "`\(entry.contract.id)`: \(entry.contract.statement.withCodeInMarkdown)"
            lines.append("| \(contract) | " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The number of contracts for each verdict, in Markdown.
    package var summaryMarkdown: String {
        var lines = head("contracts")
        for verdict in Verdict.names {
            let counts = providers.indices.map { String(count(verdict, $0)) }
            lines.append("| \(Verdict.words(of: verdict)) | " + counts.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func head(_ first: String) -> [String] {
        [
            "| \(first) | " + titles.map(\.escapedForMarkdown).joined(separator: " | ") + " |",
            "|---" + String(repeating: "|---", count: providers.count) + "|",
        ]
    }

    /// The numbers, as a part of a page.
    var summarySection: Page.Section { Page.Section(title, "<div class=\"table\"><table>\(countsHTML)</table></div>") }

    private var countsHTML: String {
        let head = "<tr><th></th>" + titles.map { "<th>\($0.escapedForHTML)</th>" }.joined() + "</tr>"
        let rows = Verdict.names.map { verdict in
            "<tr><th>\(Verdict.words(of: verdict))</th>" + providers.indices.map { "<td>\(count(verdict, $0))</td>" }.joined()
                + "</tr>"
        }
        return ([head] + rows).joined(separator: "\n")
    }

    /// The report as an HTML page.
    package var html: String { html(from: nil) }

    /// Returns the report as an HTML page, with its origin if `origin` is given.
    ///
    /// - Parameter origin: The command, the release and the time of the report; `nil` to omit this
    ///   information.
    package func html(from origin: ReportOrigin?) -> String {
        let head = "<tr><th>contract</th>" + titles.map { "<th>\($0.escapedForHTML)</th>" }.joined() + "</tr>"
        let groups = Dictionary(grouping: entries) { $0.contract.id.prefix { $0 != "." } }
        var names: [Substring] = []
        for entry in entries where !names.contains(entry.contract.id.prefix { $0 != "." }) {
            names.append(entry.contract.id.prefix { $0 != "." })
        }
        let sections = names.map { name in
            let rows = (groups[name] ?? []).map { entry in
                let cells = providers.indices.map { column -> String in
                    let verdict = entry.verdict(column)
                    let mark = ["broken", "failed"].contains(verdict.name) ? " class=\"broken\"" : ""
                    return
                        "<td\(mark) title=\"\((verdict.reason ?? "").escapedForHTML)\">\(entry.cell(column).escapedForHTML)</td>"
                }
                let contract = entry.contract
                return "<tr><th><code>\(contract.id.escapedForHTML)</code><br>"
                    + "<small>\(contract.statement.withCodeInHTML)</small></th>\(cells.joined())</tr>"
            }
            return Page.Section(
                String(name), "<div class=\"table\"><table>\(([head] + rows).joined(separator: "\n"))</table></div>")
        }
        return Page.html(
            title: "Contracts on \(titles.listed)", origin: origin, sections: [summarySection] + sections)
    }

    /// The report as JUnit XML, for CI servers.
    ///
    /// There is one suite for each provider, and one case for each contract and variant.
    package var junit: String {
        let suites = providers.enumerated().map { column, provider in
            let outcomes = entries.flatMap { $0.outcomes[column] }
            let cases = outcomes.map { outcome in
                let head =
                    "<testcase classname=\"\(provider).\(outcome.variant)\" name=\"\(outcome.contract.id.escapedForHTML)\""
                    + " time=\"\((outcome.duration ?? .zero).seconds)\""
                let reason = (outcome.verdict.reason ?? "").escapedForHTML
                return switch outcome.verdict {
                case .kept: head + "/>"
                case .broken: head + "><failure message=\"\(reason)\"/></testcase>"
                case .failed: head + "><error message=\"\(reason)\"/></testcase>"
                case .notApplicable, .notChecked:
                    head + "><skipped message=\"\(Verdict.words(of: outcome.verdict.name)): \(reason)\"/></testcase>"
                }
            }
            let failures = outcomes.count(where: \.isBroken)
            let errors = outcomes.count(where: \.isFailed)
            let skipped = outcomes.count { $0.verdict != .kept && !$0.isBroken && !$0.isFailed }
            let time = outcomes.reduce(Duration.zero) { $0 + ($1.duration ?? .zero) }.seconds
            return """
                <testsuite name="\(provider)" tests="\(outcomes.count)" failures="\(failures)" errors="\(errors)" skipped="\(skipped)" time="\(time)">
                \(cases.joined(separator: "\n"))
                </testsuite>
                """
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites.joined(separator: "\n") + "\n</testsuites>\n"
    }
}

extension ContractReport.Entry {
    /// The verdict in words, with the declared value.
    fileprivate func cell(_ column: Int) -> String {
        let verdict = Verdict.words(of: verdict(column).name)
        return declaredWords(column).map { "\(verdict): \($0)" } ?? verdict
    }
}

extension Duration {
    /// The seconds with three decimals, such as `0.042`.
    fileprivate var seconds: String {
        let thousandths = milliseconds
        let digits = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
