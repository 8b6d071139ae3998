internal import LockstepPrimitives

extension PlanSummary {
    /// The plan as a text for people, with at most a hundred characters per line.
    public var text: String {
        var lines: [String] = []
        if let probe { lines.append("probe \(probe)     the exported hash matches the given password") }
        if probe == nil { lines.append("probe none     hashes not checked: add a known account to move.json") }
        let warnings = warnings
        if !warnings.isEmpty { lines += ["", "before you apply"] }
        for warning in warnings { lines += Self.wrapped("  ", warning, indent: 4) }
        lines += ["", "\(Self.grouped(read)) users read, \(comparison)"]
        lines += Self.row(created, "create") + Self.row(adopted, "adopt")
        lines += Self.outcome("skip", skipped) + Self.outcome("refuse", refused)
        if let tenants, !tenants.isEmpty { lines += Self.wrapped("not in this plan: ", Self.text(of: tenants), indent: 4) }
        if let listsText { lines += Self.wrapped("not in this plan, but in files of the run: ", listsText, indent: 4) }
        lines += ["", "how they sign in afterwards"]
        for way in WayIn.allCases {
            if way != .none, ways[way] ?? 0 == 0 { continue }
            lines += Self.row(ways[way] ?? 0, sentence(of: way))
        }
        lines += [""] + table
        if let writing { lines += [""] + Self.wrapped("", sentence(of: writing), indent: 2) }
        // The journal may have been edited.
        return lines.map(\.visible).joined(separator: "\n") + "\n"
    }

    /// The settings that block users or make them wait.
    ///
    /// The operator changes them first.
    private var warnings: [String] {
        var warnings: [String] = []
        if let line = fields.first(where: { $0.reason == .hashNotInAPI }) {
            let users = Self.grouped(line.count) + (line.count == 1 ? " user" : " users")
            warnings.append(
                "The source returns no hashes this way, so no password moves: \(users) must set a new one. If the source has a "
                    + "database, or has exported its users with their hashes, name it in move.json.")
        }
        if let otherWay = writing?.otherWay,
            fields.contains(where: { $0.treatment == .otherWay }) || refused[.noAddressOrNumber] ?? 0 > 0
        {
            warnings.append(otherWay)
        }
        if mailedCount > 0 {
            let users = Self.grouped(mailedCount) + (mailedCount == 1 ? " user needs" : " users need")
            warnings.append("\(users) an email before the first sign-in. \(duration(of: mailedCount))")
        }
        if created > 0, let firstSignIns = writing?.firstSignIns { warnings.append(firstSignIns) }
        warnings += obstacles.map(\.sentence)
        if !unknown.isEmpty {
            let names = unknown.map(\.sentence).joined(separator: ", ")
            warnings.append("The target does not report these values: \(names). Check them there.")
        }
        if tenants == nil {
            warnings.append("The source does not show its tenants. If it has any, their users are not in this plan.")
        }
        let hidden = lists.filter { $0.entries == nil }.map(\.kind.rawValue)
        if !hidden.isEmpty {
            let names = hidden.joined(separator: ", ")
            warnings.append("The source does not show its \(names). If it has any, they are not counted.")
        }
        if unlisted.count > 0 {
            let users = Self.grouped(unlisted.count) + (unlisted.count == 1 ? " user" : " users")
            warnings.append("The export names \(users) whom the source no longer has: \(unlisted.names).")
        }
        if isSourceOpen == true {
            warnings.append("Sign-up is open on the source. Users who sign up after this plan need another plan.")
        }
        return warnings
    }

    /// The tenants with their users, as a part of a sentence.
    static func text(of tenants: [MoveTenant]) -> String {
        let users = tenants.reduce(0) { $0 + min($1.users, Int(mostUsers)) }
        let count = grouped(users) + (users == 1 ? " user" : " users")
        let names = tenants.prefix(10).map { "\($0.name.visible) \(grouped($0.users))" } + (tenants.count > 10 ? ["…"] : [])
        return "\(count) of \(tenants.count == 1 ? "a tenant" : "\(tenants.count) tenants") (\(names.joined(separator: ", ")))"
    }

    private var comparison: String {
        guard let counted else { return "the project reports no count" }
        guard let countedBefore, countedBefore != counted else { return "as many as the project reports" }
        return "the project reported \(Self.grouped(countedBefore)) before and \(Self.grouped(counted)) after"
    }

    private func sentence(of way: WayIn) -> String {
        switch way {
        case .provider:
            let counts = providers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\($0.key.visible) \(Self.grouped($0.value))" }.joined(separator: ", ")
            // Apple's ids belong to the developer's team (Apple TN3159).
            let team = providers["apple"] == nil ? "" : " (Apple's ids belong to a team: use the same team on the target)"
            return "\(way.sentence): \(counts)\(team)"
        case .passwordAfterProof, .newPassword, .mailLink:
            return way.sentence + ". " + duration(of: ways[way] ?? 0)
        default: return way.sentence
        }
    }

    private func duration(of users: Int) -> String {
        guard let perHour = emails.perHour, let hours = emails.hours(for: users) else {
            return "How long that takes depends on the email limit of \(emails.sender)."
        }
        let limit = "\(emails.sender) sends \(Self.grouped(perHour)) emails an hour\(emails.isTold ? "" : " by default")"
        return hours > 48 ? "\(limit): \(Self.grouped((hours + 12) / 24)) days. Raise it first." : "\(limit): \(hours) h."
    }

    private func sentence(of writing: Writing) -> String {
        let time =
            switch writing.seconds {
            case nil: ""
            case let seconds? where seconds < 30: ""
            case let seconds? where seconds < 90: "at least \(seconds) s "
            case let seconds? where seconds < 5400: "at least \((seconds + 30) / 60) min "
            case let seconds?: "at least \((seconds + 1800) / 3600) h "
            }
        let effects =
            writing.effects.map { effects in
                effects.map { "; \($0.what): " + ($0.names.isEmpty ? "none" : $0.names.map(\.visible).joined(separator: ", ")) }
            } ?? ["; its triggers and webhooks on the target are unknown, because the target does not show them"]
        return "writing: \(time)\(writing.road)" + effects.joined()
    }
}

// MARK: The table

extension PlanSummary {
    /// The field table: a line for each reason of a field.
    private var table: [String] {
        var columns: [(name: String, treatment: FieldTreatment)] = [
            ("kept", .kept), ("transformed", .transformed), ("lost", .lost),
        ]
        // Only if there are such fields.
        for column in [("another way", FieldTreatment.otherWay), ("only the old side", .lazy)]
        where fields.contains(where: { $0.treatment == column.1 }) { columns.append(column) }
        var lines = [Self.cells("field", columns.map(\.name)) + "   why"]
        var former: MoveField?
        for line in fields {
            let cells = columns.map { $0.treatment == line.treatment ? Self.grouped(line.count) : "0" }
            let head = Self.cells(former == line.field ? "" : line.field.rawValue, cells) + "   "
            lines += Self.wrapped(head, why(line), indent: head.count)
            former = line.field
        }
        return lines
    }

    private func why(_ line: FieldLine) -> String {
        guard line.field == .password, line.treatment == .kept else { return line.reason?.sentence ?? "" }
        return hashes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { hashes.count == 1 ? $0.key : "\($0.key): \(Self.grouped($0.value))" }.joined(separator: "; ")
    }

    private static func cells(_ name: String, _ cells: [String]) -> String {
        name.padded(16) + cells.map { $0.right(13) }.joined()
    }

    private static func outcome(_ name: String, _ reasons: [UserReason: Int]) -> [String] {
        let sorted = reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        guard !sorted.isEmpty else { return row(0, name) }
        var head = grouped(reasons.values.reduce(0, +)).right(11) + "  " + name.padded(10)
        var lines: [String] = []
        for (reason, count) in sorted {
            let number = sorted.count == 1 ? "" : grouped(count) + " "
            lines += wrapped(head, number + reason.sentence, indent: head.count + number.count)
            head = String(repeating: " ", count: head.count)
        }
        return lines
    }

    private static func row(_ count: Int, _ text: String) -> [String] {
        let head = grouped(count).right(11) + "  "
        return wrapped(head, text, indent: head.count)
    }

    /// The number with commas between its thousands.
    package static func grouped(_ number: Int) -> String {
        var text: [UInt8] = []
        for (place, digit) in String(number).utf8.reversed().enumerated() {
            if place > 0, place % 3 == 0, digit != UInt8(ascii: "-") { text.append(UInt8(ascii: ",")) }
            text.append(digit)
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    /// The maximum width of a line, unless a word is longer.
    private static let width = 100

    /// The text after a head, in lines of at most ``width`` columns.
    package static func wrapped(_ head: String, _ text: String, indent: Int) -> [String] {
        var lines: [String] = []
        var line = head
        var isEmpty = true
        var gap = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            // Several spaces stay, except at the end of a line.
            if word.isEmpty {
                gap += 1
                continue
            }
            let space = isEmpty ? 0 : gap + 1
            if !isEmpty, line.count + space + word.count > width {
                lines.append(line)
                line = String(repeating: " ", count: indent)
                isEmpty = true
            }
            line += String(repeating: " ", count: isEmpty ? 0 : space) + word
            (isEmpty, gap) = (false, 0)
        }
        var last = line
        while last.last == " " { last.removeLast() }
        return lines + [last]
    }
}

extension String {
    /// The text with trailing spaces, up to a width.
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(width - count, 1)) }

    /// The text with leading spaces, up to a width.
    fileprivate func right(_ width: Int) -> String { String(repeating: " ", count: max(width - count, 1)) + self }
}
