internal import LockstepPrimitives

extension MoveReport {
    /// Returns the report for a terminal.
    ///
    /// - Parameters:
    ///   - width: The number of columns.
    ///   - isWhole: Whether to print everything; otherwise, only the verdict, and the changes of the weights safety and flow.
    ///   - paint: The style for the important parts.
    /// - Returns: The lines, each with a line break.
    package func text(width: Int = 100, isWhole: Bool = true, paint: Paint = .none) -> String {
        var lines = [paint.bold(headline)] + verdict.joined(separator: " ").wrapped(width - 3, first: "   ", rest: "   ")
        let shown = differences.filter { isWhole || $0.isGrave }
        for change in shown { lines += [""] + self.lines(of: change, width, paint) }
        if !isWhole { return (lines + [""] + rest(paint)).joined(separator: "\n") + "\n" }
        if !settings.isEmpty { lines += ["", paint.bold(Self.settingsTitle)] }
        for (variant, settings) in settings {
            lines += variant.wrapped(width - 5, first: "   ", rest: "     ")
            for setting in settings {
                lines += "\(setting.subject): \(setting.words.inPlainWords)"
                    .wrapped(width - 10, first: "        ", rest: "          ").map(paint.dim)
            }
        }
        if !wayBack.isEmpty { lines += ["", paint.bold(Self.wayBackTitle)] }
        for change in wayBack { lines += self.lines(of: change, width, paint) }
        lines += [""] + Self.evidence.wrapped(width, first: "", rest: "").map(paint.dim)
        lines += variants.flatMap { $0.wrapped(width - 5, first: "   ", rest: "     ").map(paint.dim) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The numbers of all changes, and how to see those that are left out.
    private func rest(_ paint: Paint) -> [String] {
        let counts = legend.map { "\($0.count) \($0.weight)" }.joined(separator: ", ")
        let command = "lockstep compare --from \(source.name) --to \(target.name)"
        return [
            paint.bold("\(differences.count) changes: \(counts)"), "   All of them   \(command) --all",
            "   A page        \(command) --html report.html",
        ]
    }

    private func lines(of change: Change, _ width: Int, _ paint: Paint) -> [String] {
        let mark: @Sendable (String) -> String =
            switch change.weight {
            case "safety": paint.red
            case "flow": paint.yellow
            default: paint.bold
            }
        let indent = "        "
        let label = max(source.title.count, target.title.count, "Do".count) + 2
        let hanging = indent + String(repeating: " ", count: label)
        func part(_ name: String, _ text: String) -> [String] {
            text.wrapped(width - hanging.count - 2, first: indent + name.padded(to: label), rest: hanging)
        }
        let head = change.isDifference ? change.weight.padded(to: indent.count) : indent
        var lines = change.title.wrapped(width - indent.count, first: head, rest: indent).map(mark)
        if !change.effect.isGeneral { lines += change.subject.wrapped(width - 10, first: indent, rest: indent).map(paint.dim) }
        lines += part(source.title, change.before.inPlainWords).map(paint.dim)
        lines += part(target.title, change.after.inPlainWords).map(paint.dim)
        guard !change.effect.action.isEmpty else { return lines }
        let effort = change.effect.effort.label.map { " (\($0))" } ?? ""
        lines += part("Do", change.effect.action.capitalizedFirst + effort)
        if let call = change.effect.call {
            lines += call.wrapped(width - hanging.count - 4, first: hanging, rest: hanging + "  ")
        }
        return lines
    }
}

extension Change {
    /// Whether the short report prints the change.
    var isGrave: Bool { effect.cost >= 50 }
}
