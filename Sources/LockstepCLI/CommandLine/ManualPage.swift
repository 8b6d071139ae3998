/// The manual page of all commands, generated from the declarations: docs/lockstep.1.
struct ManualPage {
    let commands: [Command]

    /// The day of the release.
    private static let day = "2026-11-27"

    /// The page in the language of man(7).
    var text: String {
        var lines = [
            ".TH LOCKSTEP 1 \"\(Self.day)\" \"lockstep \(Release.version)\" \"User Commands\"", ".SH NAME",
            "lockstep \\- " + Self.line("one authentication client for Firebase, Supabase (GoTrue) and Clerk"),
            ".SH SYNOPSIS", ".B lockstep", ".I COMMAND", "[OPTIONS]", ".SH COMMANDS",
        ]
        for command in commands { lines += Self.item(Self.bold(command.name), command.summary) }
        for command in commands.flatMap({ [$0] + $0.verbs }) { lines += section(command) }
        lines += [".SH ENVIRONMENT"]
        for setting in Command.sharedSettings {
            lines += Self.item(Self.bold(setting.variable), "sets --\(setting.option.name) for serve and exec")
        }
        lines += Self.item(Self.bold("LOCKSTEP_READY"), "the file with the ready lines that status, wait and token read")
        lines += [".SH FILES"] + Self.item(Self.bold("lockstep.json"), "a team's settings; lockstep config shows them")
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ command: Command) -> [String] {
        var lines = [
            ".SH \(Self.escaped("lockstep \(command.name)".uppercased()))", Self.line(command.usage), ".PP",
            Self.line(command.about),
        ]
        if let operands = command.operands { lines += Self.item(Self.italic(operands.placeholder), operands.summary) }
        for option in command.allOptions { lines += Self.item(Self.bold(option.form), option.about) }
        if !command.examples.isEmpty { lines.append(".PP\nExamples:") }
        for example in command.examples { lines += Self.item(Self.bold(example.line), example.meaning) }
        guard command.verbs.isEmpty else { return lines }
        lines.append(".PP\nExit status:")
        for ending in command.endings { lines += Self.item(Self.bold(ending.status), ending.meaning) }
        return lines
    }

    private static func item(_ head: String, _ text: String) -> [String] { [".TP", head, line(text)] }

    private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    private static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// Returns a text as lines of at most 78 bytes, none of which starts with a control character of man(7).
    private static func line(_ text: String) -> String {
        var lines: [String] = []
        for word in escaped(text).split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.utf8.count + word.utf8.count < 78 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word.hasPrefix(".") ? "\\&" + word : String(word))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the text with escaped special characters, so that a hyphen stays a hyphen when it is copied.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq").replacing("…", with: "...")
    }
}
