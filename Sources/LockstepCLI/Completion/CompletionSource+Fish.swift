extension CompletionSource {
    /// A script for fish.
    var fish: String {
        var lines = [
            "# Completion of lockstep for fish. Load it: lockstep completion fish | source",
            "function __lockstep_words", "    set -l tokens (commandline -opc)",
            "    test (count $tokens) -gt 1; and string join -- ' ' $tokens[2..-1]", "end",
            "function __lockstep_in",
            "    not contains -- -- (commandline -opc); and string match -q -- \"$argv *\" (__lockstep_words)' '", "end",
            "function __lockstep_program", "    contains -- -- (commandline -opc)", "end", "complete -c lockstep -f",
        ]
        for command in commands {
            lines.append(
                "complete -c lockstep -n 'test -z (__lockstep_words)\"\"' -a \(command.name) -d \(Self.quoted(command.summary))")
        }
        for group in groups {
            for verb in group.verbs {
                lines.append(
                    "complete -c lockstep -n 'test (__lockstep_words)\"\" = \(group.name)' -a \(verb.word) -d \(Self.quoted(verb.summary))"
                )
            }
        }
        for entry in entries {
            let command = entry.command
            let condition = "complete -c lockstep -n '__lockstep_in \(command.name)'"
            if let choices = command.operands?.choices, !choices.isEmpty {
                lines.append("\(condition) -a '\(choices.joined(separator: " "))'")
            }
            for option in command.allOptions {
                lines.append("\(condition) -l \(option.name)\(Self.value(of: option)) -d \(Self.quoted(option.summary))")
            }
            lines.append("\(condition) -l help -d 'show the help page'")
            if command.program != nil {
                lines.append("complete -c lockstep -n __lockstep_program -F -a '(__fish_complete_command)'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func value(of option: Option) -> String {
        switch option.value {
        case .none: ""
        case .text, .number: " -x"
        case .path: " -r -F"
        case .providerPath: " -r -F -a '\(option.words.joined(separator: " "))'"
        case .choice(let words): " -x -a '\(words.joined(separator: " "))'"
        case .choices(_, let words):
            words.isEmpty ? " -x" : " -x -a '(__fish_complete_list , \"string split , \(words.joined(separator: ","))\")'"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
