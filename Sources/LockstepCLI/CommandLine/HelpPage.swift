/// Help, made from the declarations, in lines of a terminal's width; a word is never broken.
struct HelpPage {
    /// How many characters a line has.
    let width: Int

    /// The widest page: longer lines are hard to read.
    static let widest = 100
    /// The width where the terminal's is unknown.
    static let usual = 80

    private static let column = 26

    /// A page for a terminal of that many columns.
    init(columns: Int?) { width = min(max(columns ?? Self.usual, 20), Self.widest) }

    /// What `lockstep help` prints.
    func overview(_ commands: [Command]) -> String {
        var lines = wrapped(
            "lockstep: one authentication client for Firebase, Supabase Auth (GoTrue) and Clerk, and the emulators that prove it")
        lines += ["", "usage: lockstep COMMAND [OPTIONS]", ""]
        for command in commands { lines += row(command.name, command.summary, column: 14) }
        lines += [""] + wrapped("lockstep help COMMAND shows more. lockstep version shows release and commit.")
        return lines.joined(separator: "\n") + "\n"
    }

    /// What `lockstep help COMMAND` prints.
    func page(of command: Command) -> String {
        var lines = wrapped("lockstep \(command.name): \(command.summary)") + [""] + wrapped(command.about) + [""]
        let operands = command.operands.map { " [\($0.placeholder)]" } ?? ""
        let program = command.program.map { " -- \($0)" } ?? ""
        lines += wrapped("usage: lockstep \(command.name)\(operands) [OPTIONS]\(program)", rest: 4) + [""]
        if let operands = command.operands { lines += row(operands.placeholder, operands.summary, column: Self.column) }
        for option in command.options { lines += row(option.form, option.summary, column: Self.column) }
        lines += ["", "examples:"]
        for example in command.examples {
            lines += wrapped(example.line, first: 2, rest: 6) + wrapped(example.meaning, first: 6, rest: 6)
        }
        lines += ["", "exit status:"]
        for ending in command.endings { lines += row(ending.status, ending.meaning, column: 9) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A name, and beside it, or below it where there is little room, what it means.
    private func row(_ name: String, _ meaning: String, column: Int) -> [String] {
        let indent = width < 2 * column ? 6 : column
        let text = wrapped(meaning, first: indent, rest: indent)
        guard name.count + 4 <= indent, let first = text.first else {
            // A list of choices is a single word to a reader, and may be longer than the line.
            return wrapped(name.spaced(beyond: width - 2), first: 2, rest: 4, joint: "|") + text
        }
        let head = "  " + name
        return [head + String(repeating: " ", count: indent - head.count) + first.dropFirst(indent)] + text.dropFirst()
    }

    /// The text in lines, each with spaces in front.
    private func wrapped(_ text: String, first: Int = 0, rest: Int = 0, joint: String? = nil) -> [String] {
        var lines: [String] = []
        var line = String(repeating: " ", count: first)
        var isEmpty = true
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = String(repeating: " ", count: rest)
                isEmpty = true
            }
            line += isEmpty || (joint != nil && line.hasSuffix(joint ?? "")) ? String(word) : " \(word)"
            isEmpty = false
        }
        return lines + [line]
    }
}

extension String {
    /// The text with a space behind each bar, where it is longer than a line.
    fileprivate func spaced(beyond width: Int) -> String {
        count <= width ? self : split(separator: "|").joined(separator: "| ")
    }
}
