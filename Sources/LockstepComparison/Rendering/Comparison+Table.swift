internal import LockstepPrimitives

extension Comparison {
    /// Returns the comparison for a terminal.
    ///
    /// Each journey is one block. The providers are side by side, with the differences below them.
    ///
    /// - Parameters:
    ///   - width: The number of columns. Longer values continue on the next line.
    ///   - paint: The style for the important parts.
    /// - Returns: The lines, each with a line break.
    package func table(width: Int = 100, paint: Paint = .none) -> String {
        let label = 30
        let column = max(14, (width - label - 3) / max(1, providers.count))
        var lines: [String] = []
        for (provider, configurations) in zip(titles, configurations) {
            guard let usual = configurations.first else { continue }
            lines += "\(provider), variant “\(usual.name)”: \(usual.summary)".wrapped(width - 5, first: "   ", rest: "     ").map(
                paint.dim)
        }
        if !lines.isEmpty { lines = [paint.bold("Measured in these variants")] + lines + [""] }
        for (number, row) in rows.enumerated() {
            let title = "\(number + 1)  \(row.journey.title)"
            let isShort = title.count < label + 3
            if !isShort { lines.append(paint.bold(title)) }
            for (index, head) in line("", titles, label, column, { $0 }).enumerated() {
                lines.append(paint.bold((isShort && index == 0 ? title : "").padded(to: label + 3) + head.dropFirst(label + 3)))
            }
            for name in Difference.names(of: row.runs) {
                let differs = row.differences.contains { $0.observation == name }
                lines += line(
                    name, row.runs.map { $0[name]?.inPlainWords ?? "–" }, label, column,
                    differs ? paint.yellow : { $0 })
            }
            lines += line("at the end", row.runs.map { $0.state?.inPlainWords ?? "–" }, label, column) { $0 }
            lines += line(
                "requests", row.runs.map(\.totals.summary), label, column, paint.dim)
            for (provider, run) in zip(titles, row.runs) {
                if let problem = run.problem {
                    lines += "\(provider) failed: \(problem)".wrapped(width - 5, first: "   x ", rest: "     ").map(paint.red)
                }
            }
            for difference in row.differences { lines += difference.lines(width) }
            lines.append("")
        }
        let declared = declaredDifferences
        if !declared.isEmpty { lines.append(paint.bold("Different declared values")) }
        for difference in declared {
            lines += difference.observation.wrapped(width - 5, first: "   ", rest: "     ").map(paint.yellow)
            lines += difference.lines(width)
        }
        return (lines + [""]).joined(separator: "\n")
    }

    private func line(_ name: String, _ values: [String], _ label: Int, _ column: Int, _ paint: (String) -> String) -> [String] {
        let cells = values.map { $0.wrapped(column - 2, first: "", rest: "") }
        let names = name.wrapped(label - 1, first: "", rest: "")
        let height = max(names.count, cells.map(\.count).max() ?? 1)
        return (0..<height).map { index in
            let name = index < names.count ? names[index] : ""
            let rest = cells.map { (index < $0.count ? $0[index] : "").padded(to: column) }.joined()
            // What is padded and painted has no blanks at its end.
            return rest.trimmedEnd.isEmpty ? ("   " + name).trimmedEnd : "   " + name.padded(to: label) + paint(rest.trimmedEnd)
        }
    }
}

extension Difference {
    fileprivate func lines(_ width: Int) -> [String] {
        notes.flatMap { note in
            note.text.wrapped(width - 5, first: "   ! ", rest: "     ")
                + (note.call?.wrapped(width - 11, first: "         ", rest: "           ") ?? [])
        }
    }
}

/// A style for the parts of a report.
package struct Paint: Sendable {
    /// Highlights the most important parts.
    package var bold: @Sendable (String) -> String
    /// Marks less important parts.
    package var dim: @Sendable (String) -> String
    /// Marks differences.
    package var yellow: @Sendable (String) -> String
    /// Marks errors.
    package var red: @Sendable (String) -> String

    /// A cell of a table: its text, and the text's style.
    typealias Cell = (text: String, style: @Sendable (String) -> String)

    /// Returns cells side by side.
    ///
    /// The row has no blanks at its end, because a terminal would show blanks beyond its last column as an empty line. So only
    /// the texts have a style.
    static func row(_ cells: [Cell], column: Int) -> String {
        cells.enumerated().map { place, cell in
            let blanks = place + 1 < cells.count ? max(1, column - cell.text.count) : 0
            return cell.style(cell.text) + String(repeating: " ", count: blanks)
        }.joined()
    }

    /// No highlighting.
    package static let none = Paint(bold: { $0 }, dim: { $0 }, yellow: { $0 }, red: { $0 })

    /// The colors of a terminal (ECMA-48).
    package static let terminal: Paint = {
        func code(_ number: Int) -> @Sendable (String) -> String { { "\u{1b}[\(number)m\($0)\u{1b}[0m" } }
        return Paint(bold: code(1), dim: code(2), yellow: code(33), red: code(31))
    }()
}

extension String {
    /// The text with blanks in front, for a column of numbers.
    func padded(before width: Int) -> String { String(repeating: " ", count: Swift.max(0, width - count)) + self }

    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(1, width - count)) }

    var trimmedEnd: String {
        var text = Substring(self)
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// Returns the words in lines of at most `width`, with a prefix on each line.
    ///
    /// Invisible characters are written out.
    package func wrapped(_ width: Int, first: String, rest: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in visible.pieces(at: " ").flatMap({ $0.broken(to: width) }) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        lines.append(line)
        return lines.enumerated().map { ($0.offset == 0 ? first : rest) + $0.element }
    }
}

extension Substring {
    /// Returns the word in pieces of at most `width`, broken after a symbol such as a slash or before a capital letter, if
    /// possible.
    fileprivate func broken(to width: Int) -> [Substring] {
        guard count > width, width > 0 else { return [self] }
        let limit = index(startIndex, offsetBy: width)
        let head = self[index(after: startIndex)..<limit]
        let slash = head.lastIndex { "/,.-_".contains($0) }.map { index(after: $0) }
        let capital = self[index(after: startIndex)..<index(after: limit)].lastIndex(where: \.isUppercase)
        let end = slash ?? capital.map { $0 > limit ? limit : $0 } ?? limit
        return [self[..<end]] + self[end...].broken(to: width)
    }
}
