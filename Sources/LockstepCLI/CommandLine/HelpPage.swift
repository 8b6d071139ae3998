/// Help, made from the declarations.
enum HelpPage {
    /// What `lockstep --help` prints.
    static func overview(_ commands: [Command]) -> String {
        let list = commands.map { "  " + $0.name.padded(to: 12) + $0.summary }.joined(separator: "\n")
        return """
            lockstep: one authentication client on Firebase, Supabase Auth (GoTrue) and Clerk, and the proof of it

            usage: lockstep COMMAND [OPTIONS]

            \(list)

              lockstep COMMAND --help tells more, lockstep --version the version.

            """
    }

    /// What `lockstep COMMAND --help` prints.
    static func page(of command: Command) -> String {
        var lines = ["lockstep \(command.name): \(command.summary)", "", command.about, ""]
        let operands = command.operands.map { " [\($0.placeholder)]" } ?? ""
        lines += ["usage: lockstep \(command.name)\(operands) [OPTIONS]", ""]
        if let operands = command.operands { lines.append("  " + operands.placeholder.padded(to: 30) + operands.summary) }
        for option in command.options {
            let form = "  " + option.form
            lines +=
                form.count < 32
                ? [form.padded(to: 32) + option.summary] : [form, String(repeating: " ", count: 32) + option.summary]
        }
        lines += ["", "examples:"]
        for example in command.examples { lines += ["  \(example.line)", "      \(example.meaning)"] }
        lines += ["", "exit status:"] + command.endings.map { "  " + $0.status.padded(to: 6) + $0.meaning }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
