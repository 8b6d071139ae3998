internal import LockstepContracts
internal import LockstepPrimitives

extension ContractReport {
    /// Returns the number of contracts with this verdict on a provider.
    func count(_ name: String, _ column: Int) -> Int {
        entries.count { $0.verdict(column).name == name }
    }

    /// The heading, for all contracts or for those that check declared behavior.
    var title: String {
        !entries.isEmpty && entries.allSatisfy { $0.contract.demands.declared != nil }
            ? "Contracts that check declared behavior" : "Contracts"
    }

    /// Returns the report for a terminal: the kept contracts by group, the totals, and each contract that is not kept.
    ///
    /// - Parameters:
    ///   - width: The number of columns.
    ///   - isVerbose: Whether to list every contract on a separate line, including contracts that are kept or do not
    ///     apply.
    ///   - paint: The style for the important parts.
    /// - Returns: The lines of the report, each with a line break.
    package func text(width: Int = 100, isVerbose: Bool = false, paint: Paint = .none) -> String {
        var lines = [heading("Number of applicable contracts that are kept", width, paint)]
        for (name, entries) in groups {
            lines += row(name, providers.indices.map { Self.kept(entries, $0) }, width)
        }
        lines += row("all", providers.indices.map { Self.kept(entries, $0) }, width) + [""]
        lines += counts(width, paint) + findings(width, paint)
        if isVerbose {
            lines += [""] + list(width, paint) + declarations(width, paint)
        } else {
            lines += ["", paint.dim("To see each contract: lockstep contracts --verbose")]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a summary for a terminal: the totals, and each contract that makes the run fail.
    ///
    /// - Parameters:
    ///   - width: The number of columns.
    ///   - paint: The style for the important parts.
    /// - Returns: The lines of the summary, each with a line break.
    package func summary(width: Int = 100, paint: Paint = .none) -> String {
        (counts(width, paint) + findings(width, paint)).joined(separator: "\n") + "\n"
    }

    /// The contracts by the first word of their ids, in the order of the catalog.
    private var groups: [(name: String, entries: [Entry])] {
        var groups: [(name: String, entries: [Entry])] = []
        for entry in entries {
            let name = entry.contract.id.prefixBefore(".")
            if let index = groups.firstIndex(where: { $0.name == name }) {
                groups[index].entries.append(entry)
            } else {
                groups.append((name, [entry]))
            }
        }
        return groups
    }

    private static func kept(_ entries: [Entry], _ column: Int) -> String {
        let verdicts = entries.map { $0.verdict(column).name }
        let applicable = verdicts.count { $0 != "notApplicable" }
        return applicable == 0 ? "–" : "\(verdicts.count { $0 == "kept" }) of \(applicable)"
    }

    private func counts(_ width: Int, _ paint: Paint) -> [String] {
        [heading(title, width, paint)]
            + Verdict.names.flatMap { name in
                row(Verdict.words(of: name), providers.indices.map { String(count(name, $0)) }, width)
            }
    }

    /// Returns the contracts that are broken, failed or not checked, with one line per shared reason.
    private func findings(_ width: Int, _ paint: Paint) -> [String] {
        var lines: [String] = []
        for (index, title) in titles.enumerated() {
            var unchecked: [(reason: String, ids: [String])] = []
            for entry in entries {
                for (verdict, variants) in entry.findings(index) {
                    let reason = verdict.reason ?? ""
                    if case .notChecked = verdict, cannotCheck[index][entry.contract.id] != nil {
                        if let place = unchecked.firstIndex(where: { $0.reason == reason }) {
                            unchecked[place].ids.append(entry.contract.id)
                        } else {
                            unchecked.append((reason, [entry.contract.id]))
                        }
                        continue
                    }
                    let head = "\(title), \(variants.count == 1 ? "variant" : "variants") \(variants.listed)"
                    lines += "\(head): \(entry.contract.id) \(verdict.predicate): \(reason)"
                        .wrapped(width - 5, first: "   x ", rest: "     ").map(paint.red)
                    lines += "contract: \(entry.contract.statement)".wrapped(width - 5, first: "     ", rest: "     ").map(
                        paint.dim)
                }
            }
            for (reason, ids) in unchecked {
                lines += "\(title): \(ids.count) not checked. Reason: \(reason)".wrapped(width - 5, first: "   - ", rest: "     ")
                    .map(paint.yellow)
                lines += ids.joined(separator: ", ").wrapped(width - 7, first: "       ", rest: "       ").map(paint.dim)
            }
        }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// Returns one line per contract, or two if the terminal is too narrow.
    private func list(_ width: Int, _ paint: Paint) -> [String] {
        let cell = max(16, (titles.map(\.count).max() ?? 0) + 2)
        let label = (entries.map(\.contract.id.count).max() ?? 0) + 2
        let isNarrow = label + cell * providers.count > width
        let indent = isNarrow ? "    " : ""
        let head = titles.map { $0.padded(to: cell) }.joined()
        var lines = [paint.bold((isNarrow ? "Contract" : "Contract".padded(to: label) + head).trimmedEnd)]
        if isNarrow { lines.append(paint.bold((indent + head).trimmedEnd)) }
        for entry in entries {
            let cells = providers.indices.map { index -> Paint.Cell in
                let name = entry.verdict(index).name
                let words = Verdict.words(of: name)
                return switch name {
                case "kept": (words, { $0 })
                case "broken", "failed": (words.uppercased(), paint.red)
                case "notApplicable": (words, paint.dim)
                default: (words, paint.yellow)
                }
            }
            let row = Paint.row(cells, column: cell)
            lines += isNarrow ? [entry.contract.id, indent + row] : [entry.contract.id.padded(to: label) + row]
        }
        return lines
    }

    /// Returns the declarations that differ between providers, in words.
    private func declarations(_ width: Int, _ paint: Paint) -> [String] {
        let different = entries.filter { entry in
            Set(providers.indices.compactMap { entry.declared($0) }).count > 1
        }
        guard !different.isEmpty else { return [] }
        var lines = ["", paint.bold("Declared values that differ, and the contracts that confirm them")]
        for entry in different {
            let subject = Meaning.of(statement: entry.contract.demands.declared?.name ?? "").title
            lines += "\(subject) (\(entry.contract.id))".wrapped(width - 5, first: "   ", rest: "     ")
            for index in providers.indices {
                guard let words = entry.declaredWords(index) else { continue }
                lines += "\(titles[index]): \(words)".wrapped(width - 9, first: "       ", rest: "         ").map(paint.dim)
            }
        }
        return lines
    }

    // MARK: Columns

    private static let label = 28

    private func column(_ width: Int) -> Int {
        min(24, max((titles.map(\.count).max() ?? 0) + 2, (width - Self.label - 3) / max(1, providers.count)))
    }

    private func row(_ name: String, _ cells: [String], _ width: Int) -> [String] {
        let names = name.wrapped(Self.label - 1, first: "", rest: "")
        let last = ("   " + (names.last ?? "").padded(to: Self.label) + cells.map { $0.padded(to: column(width)) }.joined())
            .trimmedEnd
        return names.dropLast().map { "   " + $0 } + [last]
    }

    private func heading(_ heading: String, _ width: Int, _ paint: Paint) -> String {
        let head = titles.map { $0.padded(to: column(width)) }.joined()
        guard heading.count < Self.label + 3 else {
            return paint.bold(heading) + "\n" + paint.bold((String(repeating: " ", count: Self.label + 3) + head).trimmedEnd)
        }
        return paint.bold((heading.padded(to: Self.label + 3) + head).trimmedEnd)
    }
}

extension ContractReport.Entry {
    /// Returns the verdicts of a provider other than "kept" and "not applicable", each with its variants.
    fileprivate func findings(_ column: Int) -> [(verdict: Verdict, variants: [String])] {
        var findings: [(verdict: Verdict, variants: [String])] = []
        for outcome in outcomes[column] {
            switch outcome.verdict {
            case .kept, .notApplicable: continue
            case .broken, .failed, .notChecked: break
            }
            if let index = findings.firstIndex(where: { $0.verdict == outcome.verdict }) {
                findings[index].variants.append(outcome.variant)
            } else {
                findings.append((outcome.verdict, [outcome.variant]))
            }
        }
        return findings
    }
}

extension Verdict {
    /// Returns a verdict's name in words.
    static func words(of name: String) -> String {
        switch name {
        case "failed": "could not run"
        case "notApplicable": "not applicable"
        case "notChecked": "not checked"
        default: name
        }
    }

    fileprivate var predicate: String {
        switch self {
        case .broken: "is broken"
        case .failed: "could not run"
        case .notChecked: "was not checked"
        case .kept: "is kept"
        case .notApplicable: "does not apply"
        }
    }
}

extension String {
    /// The text before the first of these characters.
    fileprivate func prefixBefore(_ character: Character) -> String { String(prefix { $0 != character }) }
}
