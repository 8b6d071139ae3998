internal import LockstepPrimitives

extension Comparison {
    /// Returns the beginning of a report for a terminal: the journeys by provider, and the most expensive differences.
    ///
    /// - Parameters:
    ///   - width: The number of columns.
    ///   - paint: The style for the important parts.
    /// - Returns: The lines, each with a line break.
    public func summary(width: Int = 100, paint: Paint = .none) -> String {
        let label = 22
        let column = min(24, max((titles.map(\.count).max() ?? 0) + 2, (width - label - 3) / max(1, providers.count)))
        var lines = [paint.bold(("Journeys".padded(to: label + 3) + titles.map { $0.padded(to: column) }.joined()).trimmedEnd)]
        for row in rows {
            let names = Difference.names(of: row.runs)
            let cells = providers.indices.map { index -> Paint.Cell in
                guard row.runs[index].problem == nil else { return ("failed", paint.red) }
                let count = names.count { isAlone(row, index, $0) }
                return count == 0 ? ("same", { $0 }) : ("\(count) of \(names.count) differ", paint.yellow)
            }
            lines.append("   " + row.journey.id.padded(to: label) + Paint.row(cells, column: column))
        }
        lines += "A provider differs in a step if no other provider has the same value.".wrapped(
            width - 3, first: "   ", rest: "   "
        ).map(
            paint.dim)
        for problem in problems {
            lines += "\(problem.provider) failed in the journey \(problem.journey): \(problem.reason)"
                .wrapped(width - 5, first: "   x ", rest: "     ").map(paint.red)
        }
        let dearest = dearestDifferences.prefix(5)
        if !dearest.isEmpty {
            lines += ["", paint.bold("The most expensive differences")]
            for (place, note) in dearest {
                let weight = note.cost.weight
                lines += "\(place). \(note.short ?? note.text)".wrapped(
                    width - 10, first: "   \(weight.padded(to: 7))", rest: "          "
                ).map {
                    weight == "safety" ? paint.red($0) : paint.yellow($0)
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Whether no other provider has the same value of an observation.
    private func isAlone(_ row: Row, _ index: Int, _ name: String) -> Bool {
        guard row.differences.contains(where: { $0.observation == name }), let value = row.runs[index][name],
            !Consequence.isUnmeasured(value)
        else { return false }
        return row.runs.indices.allSatisfy { $0 == index || row.runs[$0][name] != value }
    }

    /// The meanings of the differences, most expensive first, without duplicates of observed and declared ones.
    private var dearestDifferences: [(place: String, note: Difference.Note)] {
        var statements: Set<String> = []
        var notes: [(place: String, note: Difference.Note)] = []
        let seen = rows.flatMap { row in row.differences.map { ("\(row.journey.id): \($0.observation)", $0) } }
        for (place, difference) in seen + declaredDifferences.map({ ($0.observation, $0) }) {
            if let statement = difference.statement, !statements.insert(statement).inserted { continue }
            guard let note = difference.notes.max(by: { $0.cost < $1.cost }), note.cost > 0 else { continue }
            notes.append((place, note))
        }
        return notes.enumerated().sorted {
            ($1.element.note.cost, $0.offset) < ($0.element.note.cost, $1.offset)
        }.map(\.element)
    }
}
