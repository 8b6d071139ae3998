internal import LockstepContracts
internal import LockstepPrimitives

extension PromiseReport {
    /// How many promises of each verdict a provider has.
    func count(_ name: String, _ column: Int) -> Int {
        entries.count { $0.verdict(column).name == name }
    }

    /// The promises that providers declare differently.
    private var differentlyDeclared: [(id: String, values: [String])] {
        entries.compactMap { entry in
            let values = providers.indices.map { entry.declared($0) ?? "–" }
            return Set(values.filter { $0 != "–" }).count > 1 ? (entry.contract.id, values) : nil
        }
    }

    /// The end of a comparison: how many promises were kept, which are broken, which are declared differently.
    public func summary(width: Int = 100, paint: Paint = .none) -> String {
        let label = 34
        let column = max(14, (width - label - 3) / max(1, providers.count))
        func row(_ name: String, _ cells: [String]) -> String {
            ("   " + name.padded(to: label) + cells.map { $0.padded(to: column) }.joined()).trimmedEnd
        }
        var lines = [paint.bold(("Promises".padded(to: label + 3) + providers.map { $0.padded(to: column) }.joined()).trimmedEnd)]
        for (name, verdict) in [
            ("kept", "kept"), ("broken", "broken"), ("failed", "failed"), ("not applicable", "notApplicable"),
            ("not checked", "notChecked"),
        ] {
            lines.append(row(name, providers.indices.map { String(count(verdict, $0)) }))
        }
        for (column, provider) in providers.enumerated() {
            for entry in entries {
                guard case .broken = entry.verdict(column) else { continue }
                let reason = entry.verdict(column).reason ?? ""
                lines += "\(provider) breaks \(entry.contract.id): \(reason)".wrapped(width - 5, first: "   x ", rest: "     ")
                    .map(paint.red)
            }
        }
        let different = differentlyDeclared
        if !different.isEmpty {
            lines += ["", paint.bold("Declared differently, and found to be so")]
            for (id, values) in different {
                let cells = values.map { $0.wrapped(column - 2, first: "", rest: "") }
                let names = id.wrapped(label - 1, first: "", rest: "")
                for index in 0..<max(names.count, cells.map(\.count).max() ?? 1) {
                    lines.append(row(index < names.count ? names[index] : "", cells.map { index < $0.count ? $0[index] : "" }))
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// One line a promise.
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
        lines.append("")
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
        return lines.joined(separator: "\n") + "\n" + summary(width: width, paint: paint)
    }
}
