internal import LockstepContracts
internal import LockstepPrimitives

extension PromiseReport {
    /// How many promises of each verdict a provider has.
    func count(_ name: String, _ column: Int) -> Int {
        entries.count { $0.verdict(column).name == name }
    }

    /// What the report is about: all promises, or those alone whose result is declared.
    var title: String {
        !entries.isEmpty && entries.allSatisfy { $0.contract.declared != nil }
            ? "Promises that check what is declared" : "Promises"
    }

    /// The promises that providers declare differently.
    private var differentlyDeclared: [(id: String, values: [String])] {
        entries.compactMap { entry in
            let values = providers.indices.map { entry.declared($0) ?? "–" }
            return Set(values.filter { $0 != "–" }).count > 1 ? (entry.contract.id, values) : nil
        }
    }

    /// How many promises were kept; what was broken, could not run or was not checked without a listed reason, and why.
    public func summary(width: Int = 100, paint: Paint = .none) -> String {
        var lines = [heading(title, width, paint)]
        for (name, verdict) in [
            ("kept", "kept"), ("broken", "broken"), ("failed", "failed"), ("not applicable", "notApplicable"),
            ("not checked", "notChecked"),
        ] {
            lines.append(row(name, providers.indices.map { String(count(verdict, $0)) }, width))
        }
        return (lines + findings(width, paint)).joined(separator: "\n") + "\n"
    }

    private static let label = 44

    private func column(_ width: Int) -> Int { max(14, (width - Self.label - 3) / max(1, providers.count)) }

    private func row(_ name: String, _ cells: [String], _ width: Int) -> String {
        ("   " + name.padded(to: Self.label) + cells.map { $0.padded(to: column(width)) }.joined()).trimmedEnd
    }

    private func heading(_ title: String, _ width: Int, _ paint: Paint) -> String {
        paint.bold((title.padded(to: Self.label + 3) + providers.map { $0.padded(to: column(width)) }.joined()).trimmedEnd)
    }

    /// What makes the run no success, with the reasons.
    private func findings(_ width: Int, _ paint: Paint) -> [String] {
        var lines: [String] = []
        for (index, provider) in providers.enumerated() {
            for entry in entries {
                for outcome in entry.outcomes[index] {
                    let what: String
                    switch outcome.verdict {
                    case .broken: what = "breaks"
                    case .failed: what = "could not run"
                    case .notChecked where cannotCheck[index][entry.contract.id] == nil: what = "has not checked"
                    case .kept, .notApplicable, .notChecked: continue
                    }
                    let reason = outcome.verdict.reason ?? ""
                    lines += "\(provider) (\(outcome.variant)) \(what) \(entry.contract.id): \(reason)"
                        .wrapped(width - 5, first: "   x ", rest: "     ").map(paint.red)
                }
            }
        }
        return lines
    }

    /// One line a promise, the counts, and what is declared differently.
    public func table(width: Int = 100, paint: Paint = .none) -> String {
        let column = 16
        let label = max(44, width - column * providers.count)
        var lines = [paint.bold(("promise".padded(to: label) + providers.map { $0.padded(to: column) }.joined()).trimmedEnd)]
        for entry in entries {
            let cells = providers.indices.map { index -> String in
                let name = entry.verdict(index).name
                switch name {
                case "kept": return "kept".padded(to: column)
                case "broken": return paint.red("BROKEN".padded(to: column))
                case "failed": return paint.red("FAILED".padded(to: column))
                case "notApplicable": return paint.dim("not applicable".padded(to: column))
                default: return paint.yellow("not checked".padded(to: column))
                }
            }
            lines.append((entry.contract.id.padded(to: label) + cells.joined()).trimmedEnd)
        }
        return lines.joined(separator: "\n") + "\n\n" + summary(width: width, paint: paint) + declarations(width, paint)
    }

    /// What providers declare differently, in the raw values of `ProviderBehavior`.
    private func declarations(_ width: Int, _ paint: Paint) -> String {
        let different = differentlyDeclared
        guard !different.isEmpty else { return "" }
        var lines = ["", heading("Declared differently, and found to be so", width, paint)]
        for (id, values) in different {
            let cells = values.map { $0.wrapped(column(width) - 2, first: "", rest: "") }
            let names = id.wrapped(Self.label - 1, first: "", rest: "")
            for index in 0..<max(names.count, cells.map(\.count).max() ?? 1) {
                lines.append(
                    row(index < names.count ? names[index] : "", cells.map { index < $0.count ? $0[index] : "" }, width))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
