extension CompletionSource {
    /// A script for bash, which does not require the package bash-completion.
    var bash: String {
        var lines = ["# Completion of lockstep for bash. Load it: source <(lockstep completion bash)", "_lockstep() {"]
        lines += [
            "    local word option='' command='' operands='' options='' words='' kind='' start='' index",
            "    word=${COMP_WORDS[COMP_CWORD]}; COMPREPLY=()",
            "    for ((index = 1; index < COMP_CWORD; index++)); do",
            // Behind -- another program has its own words.
            "        if [[ ${COMP_WORDS[index]} == -- ]]; then",
            "            if ((COMP_CWORD == index + 1)); then COMPREPLY=($(compgen -c -- \"$word\")); return; fi",
            "            compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$word\")); return",
            "        fi", "    done",
            "    command=${COMP_WORDS[1]-}", "    if ((COMP_CWORD == 1)); then",
            "        COMPREPLY=($(compgen -W '\(commands.map(\.name).joined(separator: " "))' -- \"$word\")); return", "    fi",
        ]
        if !groups.isEmpty {
            lines.append("    case $command in")
            for group in groups {
                let verbs = group.verbs.map(\.word).joined(separator: " ")
                lines.append(
                    "    \(group.name)) if ((COMP_CWORD == 2)); then COMPREPLY=($(compgen -W '\(verbs)' -- \"$word\")); return; fi"
                )
                lines.append("        command=\"$command ${COMP_WORDS[2]}\";;")
            }
            lines.append("    esac")
        }
        // In bash, a value after = is a separate word, and so is the sign.
        lines += [
            "    option=${COMP_WORDS[COMP_CWORD-1]}", "    if [[ $word == '=' ]]; then word=''",
            "    elif [[ $option == '=' ]]; then option=${COMP_WORDS[COMP_CWORD-2]}; fi", "    case $command in",
        ]
        for entry in entries {
            let command = entry.command
            let operands = command.operands?.choices.joined(separator: " ") ?? ""
            let options = command.allOptions.map { "--" + $0.name }.joined(separator: " ")
            lines.append("    '\(command.name)') operands='\(operands)'; options='\(options) --help'")
            lines.append("        case $option in")
            for option in command.allOptions where !option.isBare {
                let kind = option.completesPaths ? "path" : option.isList ? "list" : "word"
                lines.append("        --\(option.name)) kind=\(kind); words='\(option.words.joined(separator: " "))';;")
            }
            lines.append("        esac;;")
        }
        lines += [
            "    esac", "    if [[ $kind == list && $word == *,* ]]; then start=${word%,*},; word=${word##*,}; fi",
            "    case $kind in",
            "    path) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$word\") $(compgen -W \"$words\" -- \"$word\"));;",
            "    list|word) COMPREPLY=($(compgen -P \"$start\" -W \"$words\" -- \"$word\"));;",
            "    *) if [[ $word == -* ]]; then operands=$options; fi; COMPREPLY=($(compgen -W \"$operands\" -- \"$word\"));;",
            "    esac", "}",
            "complete -F _lockstep lockstep",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
