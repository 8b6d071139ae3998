extension CompletionSource {
    /// A script for zsh: a file `_lockstep` of a folder of `fpath`, or loaded after compinit.
    var zsh: String {
        var lines = [
            "#compdef lockstep", "# Completion of lockstep for zsh. Load it: source <(lockstep completion zsh)", "_lockstep() {",
            "    local context state line curcontext=\"$curcontext\"", "    typeset -A opt_args",
            // Behind -- another program has its own words.
            "    integer program=${words[(I)--]}", "    if ((program > 0 && CURRENT > program)); then",
            "        shift $program words; ((CURRENT -= program)); _normal; return", "    fi",
            "    if ((CURRENT == 2)); then",
            "        local -a commands=(\(commands.map { Self.item($0.name, $0.summary) }.joined(separator: " ")))",
            "        _describe command commands; return", "    fi", "    local command=$words[2]; shift words; ((CURRENT--))",
        ]
        if !groups.isEmpty {
            lines.append("    case $command in")
            for group in groups {
                let verbs = group.verbs.map { Self.item($0.word, $0.summary) }.joined(separator: " ")
                lines += [
                    "    \(group.name))", "        if ((CURRENT == 2)); then", "            local -a verbs=(\(verbs))",
                    "            _describe verb verbs; return", "        fi",
                    "        command=\"$command $words[2]\"; shift words; ((CURRENT--));;",
                ]
            }
            lines.append("    esac")
        }
        lines.append("    case $command in")
        for entry in entries {
            let command = entry.command
            var specs = command.allOptions.map(Self.spec) + ["'--help[show the help page]'"]
            if let operands = command.operands {
                let action = operands.choices.isEmpty ? "" : "(\(operands.choices.joined(separator: " ")))"
                specs.append(Self.quoted("*:\(Self.escaped(operands.placeholder)):\(action)"))
            }
            lines.append("    \(Self.quoted(command.name)) ) _arguments -s \(specs.joined(separator: " \\\n            "));;")
        }
        lines += [
            "    esac", "}",
            "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _lockstep \"$@\"; else compdef _lockstep lockstep; fi",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the specification of an option for `_arguments`.
    private static func spec(_ option: Option) -> String {
        let head = "--\(option.name)\(option.isBare ? "" : "=")[\(escaped(option.summary))]"
        let action =
            switch option.value {
            case .none: ""
            case .text, .number: ":\(option.name):"
            case .path: ":\(option.name):_files"
            case .providerPath: ":\(option.name):_files"
            case .choice(let words): ":\(option.name):(\(words.joined(separator: " ")))"
            case .choices(_, let words): ":\(option.name):_values -s , \(option.name) \(words.joined(separator: " "))"
            }
        // An option with values can be repeated.
        return quoted((option.isList || option.completesPaths ? "*" : "") + head + action)
    }

    private static func item(_ word: String, _ summary: String) -> String { quoted("\(word):\(escaped(summary))") }

    /// Returns the text escaped for zsh's specifications.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { text, character in
            if ":[]\\".contains(character) { text += "\\" }
            text.append(character)
        }
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
