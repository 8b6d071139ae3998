import LockstepComparison
import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep help`.
    static let help = Command(
        name: "help",
        summary: "show what a command does",
        about: "Shows all commands, or the page of one command. lockstep COMMAND --help shows the same page.",
        operands: Operands(
            placeholder: "COMMAND", summary: "a command of one or two words, such as \"serve\" or \"migrate plan\"", choices: []),
        options: [
            Option(
                "format", .choice(["text", "json", "man"]),
                "\"text\" for people, \"json\" for scripts, \"man\" for a manual page of all commands",
                standard: "text")
        ],
        examples: [
            Example(line: "lockstep help serve", meaning: "one page"),
            Example(line: "lockstep help --format json", meaning: "all commands as JSON, for scripts"),
            Example(line: "lockstep help --format man | man -l -", meaning: "the manual page"),
        ]
    ) { invocation, terminal in
        let commands = LockstepCommand.commands
        let command = try invocation.operands.isEmpty ? nil : LockstepCommand.named(invocation.operands)
        switch invocation["format"] {
        case "json":
            let shown = command.map { [$0] } ?? commands
            let document: JSON = [
                "version": .int(Comparison.formatVersion), "release": .string(Release.version),
                "commands": .array(shown.map(\.helpDocument)),
            ]
            try terminal.print(document.text(.indented))
        case "man":
            guard command == nil else {
                throw UsageError("--format man prints one page for all commands. Remove the name of the command.")
            }
            try terminal.print(ManualPage(commands: commands).text)
        default:
            let page = HelpPage(columns: StandardStream.output.columns)
            try await terminal.show(command.map(page.page) ?? page.overview(LockstepCommand.groups))
        }
        return .success
    }

    /// The usage line of the command.
    var usage: String {
        if !verbs.isEmpty { return "lockstep \(name) VERB [OPTIONS]" }
        return "lockstep \(name)" + (operands.map { " [\($0.placeholder)]" } ?? "") + " [OPTIONS]"
            + (program.map { " -- \($0)" } ?? "")
    }

    /// The declaration as JSON.
    fileprivate var helpDocument: JSON {
        let operands: JSON =
            operands.map { operands in
                [
                    "placeholder": .string(operands.placeholder), "summary": .string(operands.summary),
                    "choices": .array(operands.choices.map { .string($0) }),
                ]
            } ?? .null
        return [
            "name": .string(name), "summary": .string(summary),
            "about": .string(about.split(whereSeparator: \.isWhitespace).joined(separator: " ")),
            "usage": .string(usage), "operands": operands,
            "options": .array(
                allOptions.map {
                    $0.helpDocument(isSetting: readsConfiguration && ($0.isSetting || $0.name == self.operands?.option))
                }
            ),
            "examples": .array(examples.map { ["line": .string($0.line), "meaning": .string($0.meaning)] }),
            "exitStatus": .array(endings.map { ["status": .string($0.status), "meaning": .string($0.meaning)] }),
            "commands": .array(verbs.map(\.helpDocument)),
        ]
    }
}

extension Option {
    fileprivate func helpDocument(isSetting: Bool) -> JSON {
        let (kind, placeholder): (String, String?) =
            switch value {
            case .none: ("none", nil)
            case .text(let placeholder): ("text", placeholder)
            case .path(let placeholder): ("path", placeholder)
            case .providerPath(let placeholder, _): ("providerPath", placeholder)
            case .number(let placeholder, _): ("number", placeholder)
            case .choice: ("choice", nil)
            case .choices(let placeholder, _): ("list", placeholder)
            }
        var document: JSONObject = [
            "name": .string("--\(name)"), "form": .string(form), "value": .string(kind),
            "placeholder": placeholder.map { .string($0) } ?? .null, "choices": .array(choices.map { .string($0) }),
            "summary": .string(summary), "default": standard.map { .string($0) } ?? .null,
        ]
        if case .number(_, let range) = value {
            document["minimum"] = .int(Int64(range.lowerBound))
            document["maximum"] = .int(Int64(range.upperBound))
        }
        let setting = Setting(option: self)
        document["member"] = isSetting ? .string(setting.member) : .null
        document["variable"] = isSetting ? .string(setting.variable) : .null
        return .object(document)
    }

    private var choices: [String] {
        switch value {
        case .choice(let words), .choices(_, let words), .providerPath(_, let words): words
        default: []
        }
    }
}
