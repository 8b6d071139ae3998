import LockstepComparison
import LockstepDoctor

/// The report of `lockstep doctor` as text: required changes first, and one line per other finding.
struct DoctorPage {
    private let report: DoctorReport
    private let width: Int
    private let paint: Paint

    init(_ report: DoctorReport, width: Int, paint: Paint) {
        (self.report, self.width, self.paint) = (report, min(width, 100), paint)
    }

    /// The lines of the page.
    var text: String {
        let counts = DoctorFinding.Level.allCases.map { "\(report.count($0)) \($0.rawValue)" }.joined(separator: ", ")
        var lines = [paint.bold("\(title): \(counts)"), ""]
        let risks = report.findings.count(where: \.needsChange)
        if report.isEmulator {
            let words =
                risks == 1 ? "One of these settings" : risks == 0 ? "None of these settings" : "\(risks) of these settings"
            lines += ["This is an emulator of yours. \(words) would be risky in production.", ""]
        }
        for finding in report.sorted where finding.needsChange { lines += block(finding) + [""] }
        for finding in report.findings where finding.level == .info { lines += row(finding) }
        lines += unknown
        if !report.requests.isEmpty {
            lines += ["", "Sent \(report.requests.count) requests:"] + report.requests.map { "  " + $0.visible }
        }
        if let adapter = report.adapter { lines += ["", "The adapter for this project:", "", adapter] }
        return lines.joined(separator: "\n")
    }

    private var title: String {
        if report.provider == "machine" { return "This machine" }
        let name = Providers.title(of: report.provider)
        return report.address.isEmpty ? name : "\(name)\(report.isEmulator ? " emulator" : "") at \(report.address.visible)"
    }

    private func row(_ finding: DoctorFinding) -> [String] {
        "\(finding.id): \(finding.sentence)".wrapped(width - 9, first: label(finding.level), rest: Self.indent)
    }

    /// The settings that the project did not report, with one paragraph per reason.
    private var unknown: [String] {
        let found = report.findings.filter { $0.level == .unknown }
        let reasons = found.map(\.sentence).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return reasons.flatMap { reason in
            let names = found.filter { $0.sentence == reason }.map(\.id).joined(separator: ", ")
            return "\(names): \(reason)".wrapped(width - 9, first: label(.unknown), rest: Self.indent)
        }
    }

    private static let indent = String(repeating: " ", count: 9)

    private func block(_ finding: DoctorFinding) -> [String] {
        let lines = row(finding)
        let rest = [finding.rule.reason, finding.rule.remedy, "Affects \(finding.rule.touches). See \(finding.rule.link)"]
        let marked = finding.level == .fail ? paint.red : paint.yellow
        return [marked(lines[0])] + lines.dropFirst()
            + rest.filter { !$0.isEmpty }.flatMap { $0.wrapped(width - 9, first: Self.indent, rest: Self.indent) }
    }

    private func label(_ level: DoctorFinding.Level) -> String {
        level.rawValue + String(repeating: " ", count: 9 - level.rawValue.count)
    }
}
