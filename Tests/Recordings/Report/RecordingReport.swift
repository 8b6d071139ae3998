/// The result of a run, as text.
public struct RecordingReport: Sendable {
    private struct Count {
        var matched = 0
        var differing = 0
        var declined = 0

        mutating func add(_ outcome: Outcome) {
            switch outcome {
            case .matched: matched += 1
            case .declined: declined += 1
            case .differs, .matchedThoughDeclined, .unusable: differing += 1
            }
        }
    }

    private var counts: [String: [String: Count]] = [:]
    /// Whether nothing differs.
    public private(set) var isFine = true

    /// An empty report.
    public init() {}

    /// Adds an outcome, and returns its text for immediate output: empty if it matched.
    public mutating func add(_ recording: Recording, _ outcome: Outcome) -> String? {
        counts[recording.provider, default: [:]][recording.area, default: Count()].add(outcome)
        if !outcome.isFine { isFine = false }
        let name = "\(recording.provider) \(recording.id) (\(recording.variant))"
        switch outcome {
        case .matched: return nil
        case .declined(let reason, _): return "declined  \(name): \(reason)"
        case .matchedThoughDeclined(let reason): return "DIFFERS   \(name): is as recorded, and declared not to be (\(reason))"
        case .unusable(let fault): return "UNUSABLE  \(name): \(fault)"
        case .differs(let differences): return (["DIFFERS   \(name)"] + Self.lines(differences)).joined(separator: "\n")
        }
    }

    /// Adds a file that contains no recording.
    public mutating func add(_ error: RecordingError) -> String {
        counts["unreadable", default: [:]]["files", default: Count()].differing += 1
        isFine = false
        return "UNUSABLE  \(error)"
    }

    private static func lines(_ differences: [Difference]) -> [String] {
        var last = ""
        return differences.flatMap { difference in
            let head = difference.step == last ? [] : ["  step \(difference.step)"]
            last = difference.step
            return head + [
                "    \(difference.path)", "      expected  \(difference.expected)", "      got       \(difference.got)",
            ]
        }
    }

    /// The table: a line for each area, with the sum of a provider below.
    public var table: String {
        var lines = [Self.row("", "", "matched", "differing", "declined")]
        for (provider, areas) in counts.sorted(by: { $0.key < $1.key }) {
            var sum = Count()
            for (area, count) in areas.sorted(by: { $0.key < $1.key }) {
                lines.append(Self.row(provider, area, "\(count.matched)", "\(count.differing)", "\(count.declined)"))
                sum.matched += count.matched
                sum.differing += count.differing
                sum.declined += count.declined
            }
            lines.append(Self.row(provider, "all", "\(sum.matched)", "\(sum.differing)", "\(sum.declined)"))
        }
        return lines.joined(separator: "\n")
    }

    private static func row(_ cells: String...) -> String {
        let left = cells.prefix(2).map { $0 + String(repeating: " ", count: max(1, 16 - $0.count)) }.joined()
        return cells.dropFirst(2).reduce(left) { $0 + String(repeating: " ", count: max(1, 10 - $1.count)) + $1 }
    }
}
