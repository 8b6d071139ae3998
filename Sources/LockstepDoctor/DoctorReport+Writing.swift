package import LockstepPrimitives

extension DoctorReport {
    /// The report as a JSON value.
    ///
    /// docs/comparing.md describes the members.
    package var json: JSON {
        let findings = sorted.map { finding -> JSON in
            [
                "id": .string(finding.id), "level": .string(finding.level.rawValue), "sentence": .string(finding.sentence),
                "reason": .string(finding.rule.reason), "remedy": .string(finding.rule.remedy),
                "link": .string(finding.rule.link),
                "touches": .string(finding.rule.touches),
            ]
        }
        return [
            "version": 3, "provider": .string(provider), "address": .string(address), "emulator": .bool(isEmulator),
            "findings": .array(findings),
            "requests": .array(requests.map { .string($0) }), "adapter": adapter.map { .string($0) } ?? .null,
        ]
    }

    /// The report in Markdown, for a page or a comment.
    package var markdown: String {
        var lines = ["| level | finding | sentence | what to change |", "| --- | --- | --- | --- |"]
        for finding in sorted {
            let remedy = finding.needsChange ? "\(finding.rule.remedy) [More](\(finding.rule.link))" : ""
            lines.append(
                "| \(finding.level.rawValue) | `\(finding.id)` | \(finding.sentence.markdownCell) | \(remedy.markdownCell) |")
        }
        if let adapter { lines += ["", "```swift", adapter, "```"] }
        return lines.joined(separator: "\n")
    }

    /// The findings as commands of a GitHub workflow, so that GitHub shows them next to the run.
    package var workflowCommands: String {
        sorted.map { finding in
            let command = finding.level == .fail ? "error" : finding.level == .warn ? "warning" : "notice"
            let text = finding.sentence + (finding.needsChange ? " " + finding.rule.remedy + " " + finding.rule.link : "")
            return "::\(command) title=\(finding.id.workflowText(true))::\(text.workflowText(false))"
        }
        .joined(separator: "\n")
    }

    /// The table of all findings about a provider, for this provider's page in docs.
    package static func table(of provider: String) -> String {
        var lines = ["| finding | subject | read from | touches | the provider's page |", "| --- | --- | --- | --- | --- |"]
        let keys = keyRules
        for rule in keys + GoTrueRules.all + FirebaseRules.all + ClerkRules.all where rule.id.hasPrefix(provider + ".") {
            let isKey = keys.contains { $0.id == rule.id }
            let place = isKey ? "the key itself" : rule.source.title + (rule.source.need.map { " (\($0))" } ?? "")
            lines.append("| `\(rule.id)` | \(rule.subject) | \(place) | `\(rule.touches)` | [page](\(rule.link)) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The ids of all findings about projects.
    package static var allIDs: [String] {
        (keyRules + GoTrueRules.all + FirebaseRules.all + ClerkRules.all).map(\.id)
    }

    /// The rules about keys, which doctor applies outside of the list of a provider's rules.
    private static let keyRules = [
        GoTrueRules.administratorKey, GoTrueRules.rejectedKey, FirebaseRules.administratorKey, FirebaseRules.rejectedKey,
        ClerkRules.administratorKey, ClerkRules.rejectedKey,
    ]
}

extension DoctorFinding {
    /// Whether the setting should be changed.
    package var needsChange: Bool { level == .fail || level == .warn }
}

extension String {
    /// The text in a cell of a table.
    fileprivate var markdownCell: String { visible.replacing("|", with: "\\|").replacing("<", with: "&lt;") }

    /// Returns the text for a workflow command, with some characters percent-encoded.
    fileprivate func workflowText(_ isProperty: Bool) -> String {
        let text = visible.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
        return isProperty ? text.replacing(":", with: "%3A").replacing(",", with: "%2C") : text
    }
}
