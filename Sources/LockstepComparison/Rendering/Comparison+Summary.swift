internal import LockstepPrimitives

extension Comparison {
    /// Returns the beginning of a report for a terminal: the costs of each move, the most expensive differences, and the journeys
    /// by provider.
    ///
    /// - Parameters:
    ///   - width: The number of columns.
    ///   - paint: The style for the important parts.
    /// - Returns: The lines, each with a line break.
    package func summary(width: Int = 100, paint: Paint = .none) -> String {
        var lines = moveTable(paint)
        let dearest = dearestDifferences.prefix(5)
        if !dearest.isEmpty {
            lines += [paint.bold("The most expensive differences")]
            for note in dearest {
                let weight = note.cost.weight
                lines += (note.short ?? note.text).wrapped(width - 11, first: "   \(weight.padded(to: 8))", rest: "           ")
                    .map {
                        weight == "safety" ? paint.red($0) : paint.yellow($0)
                    }
            }
            lines.append("")
        }
        let label = 22
        let column = min(24, max((titles.map(\.count).max() ?? 0) + 2, (width - label - 3) / max(1, providers.count)))
        lines.append(paint.bold("Steps of each journey that only this provider does in its way"))
        lines.append(paint.bold(("".padded(to: label + 3) + titles.map { $0.padded(to: column) }.joined()).trimmedEnd))
        for row in rows {
            let names = Difference.names(of: row.runs)
            let cells = providers.indices.map { index -> Paint.Cell in
                guard row.runs[index].problem == nil else { return ("failed", paint.red) }
                let count = names.count { isAlone(row, index, $0) }
                return count == 0 ? ("–", paint.dim) : ("\(count) of \(names.count)", paint.yellow)
            }
            lines.append("   " + row.journey.id.padded(to: label) + Paint.row(cells, column: column))
        }
        for problem in problems {
            lines += "\(problem.provider) failed in the journey \(problem.journey): \(problem.reason)"
                .wrapped(width - 5, first: "   x ", rest: "     ").map(paint.red)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A line for each move: the numbers of its changes by weight, and of its work by effort.
    private func moveTable(_ paint: Paint) -> [String] {
        guard !directions.isEmpty else { return [] }
        let label = 27
        let heads = Cost.weights.map(\.name) + ["server", "setting", "code"]
        func row(_ cells: [String]) -> String { zip(heads, cells).map { $1.padded(before: $0.count + 2) }.joined() }
        var lines = [paint.bold("What a move changes".padded(to: label) + row(heads))]
        for report in directions {
            if !lines.contains("   from \(report.source.title)") { lines.append("   from \(report.source.title)") }
            let efforts = [Effort.server, .setting, .line].map { effort in report.work.first { $0.effort == effort }?.count ?? 0 }
            let counts = (report.legend.map(\.count) + efforts).map(String.init)
            lines.append("      to \(report.target.title)".padded(to: label) + row(counts))
        }
        return lines + [
            paint.dim("   Changes by weight; then those with work on your server, in a setting, and in code."), "",
        ]
    }

    /// Whether no other provider has the same value of an observation.
    func isAlone(_ row: Row, _ index: Int, _ name: String) -> Bool {
        guard row.differences.contains(where: { $0.observation == name }), let value = row.runs[index][name],
            !Consequence.isUnmeasured(value)
        else { return false }
        return row.runs.indices.allSatisfy { $0 == index || row.runs[$0][name] != value }
    }

    /// The meanings of the differences, most expensive first, without duplicates of observed and declared ones.
    var dearestDifferences: [Difference.Note] {
        var statements: Set<String> = []
        var notes: [Difference.Note] = []
        for difference in rows.flatMap(\.differences) + declaredDifferences {
            if let statement = difference.statement, !statements.insert(statement).inserted { continue }
            guard let note = difference.notes.max(by: { $0.cost < $1.cost }), note.cost > 0 else { continue }
            notes.append(note)
        }
        return notes.enumerated().sorted {
            ($1.element.cost, $0.offset) < ($0.element.cost, $1.offset)
        }.map(\.element)
    }
}
