/// Help pages that are generated from the declarations.
///
/// Lines fit the width of the terminal, and words are never broken.
struct HelpPage {
    /// The number of characters per line.
    let width: Int

    /// The maximum width, because longer lines are hard to read.
    static let widest = 100
    /// The width if that of the terminal is unknown.
    static let usual = 80

    private static let column = 26

    /// Creates pages for a terminal with this number of columns.
    init(columns: Int?) { width = min(max(columns ?? Self.usual, 20), Self.widest) }

    /// Returns the output of `lockstep help`.
    func overview(_ groups: [(title: String, commands: [Command])]) -> String {
        var lines = wrapped(
            "lockstep: one authentication client for Firebase, Supabase (GoTrue) and Clerk, with emulators, contracts and comparisons"
        )
        lines += ["", "usage: lockstep COMMAND [OPTIONS]"]
        for (title, commands) in groups {
            lines += ["", "\(title):"] + commands.flatMap { row($0.name, $0.summary, column: 14) }
        }
        lines += [""] + wrapped("lockstep help COMMAND shows more. lockstep version shows the release and the commit.")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the output of `lockstep help COMMAND`.
    func page(of command: Command) -> String {
        var lines = wrapped("lockstep \(command.name): \(command.summary)") + [""] + wrapped(command.about) + [""]
        guard command.verbs.isEmpty else { return group(command, lines) }
        lines += wrapped("usage: \(command.usage)", rest: 4) + ["", "examples:"] + examples(of: command)
        if let operands = command.operands {
            lines += [""] + row(operands.placeholder, operands.summary, column: Self.column)
        }
        for group in Option.Group.allCases {
            let options = command.allOptions.filter { $0.group == group }
            if !options.isEmpty { lines += ["", "\(group.rawValue):"] }
            for option in options { lines += row(option.form, option.about, column: Self.column) }
        }
        lines += ["", "exit status:"]
        for ending in command.endings { lines += row(ending.status, ending.meaning, column: 9) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the page of a group of commands, after its first lines.
    private func group(_ command: Command, _ head: [String]) -> String {
        var lines = head + wrapped("usage: \(command.usage)", rest: 4) + [""]
        for verb in command.verbs { lines += row(String(verb.name.dropFirst(command.name.count + 1)), verb.summary, column: 14) }
        lines += ["", "examples:"] + examples(of: command) + [""]
        lines += wrapped("lockstep help \(command.name) VERB shows more, and so does lockstep \(command.name) VERB --help.")
        return lines.joined(separator: "\n") + "\n"
    }

    private func examples(of command: Command) -> [String] {
        command.examples.flatMap { wrapped($0.line, first: 2, rest: 6) + wrapped($0.meaning, first: 6, rest: 6) }
    }

    /// Returns a name with its meaning next to it, or below it if there is little space.
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

    /// Returns the text in indented lines.
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
    /// Returns the text with a space after each bar, if it is longer than a line.
    fileprivate func spaced(beyond width: Int) -> String {
        count <= width ? self : split(separator: "|").joined(separator: "| ")
    }
}
