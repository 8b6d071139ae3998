extension CaseRegister {
    /// The output of `make cases`: every case with its tests, the numbers, and the faults.
    public var text: String {
        var lines: [String] = []
        var counts = (tried: 0, partly: 0, gaps: 0, missing: 0)
        for one in AttackCase.all {
            lines.append("\(one.id)  \(one.sentence)")
            for mark in trials(of: one) { lines.append("       \(mark.file): \(mark.trial ?? "")") }
            switch standing(of: one) {
            case .tried: counts.tried += 1
            case .partly(let reason):
                counts.partly += 1
                lines.append("     PART: \(reason)")
            case .gap(let reason):
                counts.gaps += 1
                lines.append("     GAP: \(reason)")
            case .missing:
                counts.missing += 1
                lines.append("     NOTHING TRIES IT")
            }
        }
        lines.append("")
        lines.append(
            "\(AttackCase.all.count) cases: \(counts.tried) tried, \(counts.partly) tried in part, \(counts.gaps) gaps that are declared, "
                + "\(counts.missing) that are not")
        lines += faults.map { "wrong: \($0)" }
        return lines.joined(separator: "\n")
    }
}
