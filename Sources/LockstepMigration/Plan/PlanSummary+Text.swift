internal import LockstepPrimitives

extension PlanSummary {
    /// The plan for a person.
    ///
    /// - Parameter mailsPerHour: How many mails the target sends in an hour; `nil` if that is not known.
    /// - Returns: Lines.
    public func text(mailsPerHour: Int?) -> String {
        var lines: [String] = []
        if let probe { lines.append("probe \(probe)     the exported hash verifies with the given password") }
        if probe == nil { lines.append("probe none     not checked that the hashes verify: add a known account to move.json") }
        lines += [
            "",
            "\(Self.grouped(read)) users read, "
                + (counted == nil ? "the project reports no count" : "as many as the project counts"),
        ]
        lines.append(Self.row(created, "create"))
        lines.append(Self.row(adopted, "adopt"))
        lines += Self.outcome("skip", skipped) + Self.outcome("refuse", refused)
        lines += ["", "how they sign in afterwards"]
        for way in WayIn.allCases {
            guard let count = ways[way] else { continue }
            var note = way.sentence
            if way == .provider {
                note +=
                    ": "
                    + providers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                    .map { "\($0.key) \(Self.grouped($0.value))" }.joined(separator: ", ")
            }
            if way == .passwordAfterProof { note += Self.mails(count, mailsPerHour) }
            lines.append(Self.row(count, note))
        }
        lines.append(Self.row(0, "no way to sign in"))
        lines += [""] + table
        return lines.joined(separator: "\n") + "\n"
    }

    private static func outcome(_ name: String, _ reasons: [UserReason: Int]) -> [String] {
        let sum = reasons.values.reduce(0, +)
        let sorted = reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        guard let first = sorted.first else { return [row(0, name)] }
        let names = sorted.map { sorted.count == 1 ? $0.key.sentence : "\(grouped($0.value)) \($0.key.sentence)" }
        let head = row(sum, name.padded(10) + (sorted.count == 1 ? first.key.sentence : names[0]))
        return [head] + names.dropFirst().map { String(repeating: " ", count: 24) + $0 }
    }

    private static func mails(_ count: Int, _ perHour: Int?) -> String {
        guard let perHour, perHour > 0 else { return "   the duration depends on the target's email limit" }
        let hours = (count + perHour - 1) / perHour
        return "   the target sends \(perHour) emails an hour: "
            + (hours > 48 ? "\((hours + 23) / 24) days. Raise the limit first." : "\(hours) h")
    }

    private var table: [String] {
        let heads = ["kept", "transformed", "lost"]
        var lines = ["field".padded(16) + heads.map { $0.right(14) }.joined() + "   why"]
        for field in MoveField.allCases {
            for line in fields where line.field == field {
                let column: Int
                switch line.treatment {
                case .kept: column = 0
                case .transformed: column = 1
                case .lost, .lazy, .needsRows: column = 2
                }
                let cells = (0..<3).map { ($0 == column ? Self.grouped(line.count) : "0").right(14) }.joined()
                lines.append(field.rawValue.padded(16) + cells + (line.reason.map { "   \($0.sentence)" } ?? ""))
            }
        }
        return lines
    }

    private static func row(_ count: Int, _ text: String) -> String { grouped(count).right(12) + "  " + text }

    /// The number with commas between its thousands.
    static func grouped(_ number: Int) -> String {
        var text: [UInt8] = []
        for (place, digit) in String(number).utf8.reversed().enumerated() {
            if place > 0, place % 3 == 0, digit != UInt8(ascii: "-") { text.append(UInt8(ascii: ",")) }
            text.append(digit)
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }
}

extension String {
    /// The text with spaces behind it, up to a width.
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(width - count, 1)) }

    /// The text with spaces before it, up to a width.
    fileprivate func right(_ width: Int) -> String { String(repeating: " ", count: max(width - count, 1)) + self }
}
