import LockstepComparison
import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep config`.
    static let config = Command(
        name: "config",
        summary: "show the settings of serve and exec, and the origin of each value",
        about: """
            Shows the values that lockstep serve and lockstep exec use in this folder. An option overrides a variable. A \
            variable overrides lockstep.json. lockstep reads the nearest lockstep.json, in this folder or above it. For example, \
            the variable LOCKSTEP_READY_FILE sets --ready-file, and so does the member readyFile in lockstep.json.
            """,
        operands: Operands(placeholder: "COMMAND", summary: "serve or exec (default: both)", choices: ["serve", "exec"]),
        options: [
            Option("all", .none, "also show the settings that have their default values"), .format, .configuration,
            Option("print-schema", .none, "print the JSON Schema of lockstep.json, and exit"),
        ],
        examples: [
            Example(line: "lockstep config", meaning: "the settings that differ from their defaults in this folder"),
            Example(line: "lockstep config serve --all", meaning: "every setting of serve"),
            Example(line: "LOCKSTEP_PORT=0 lockstep config serve", meaning: "the settings of serve if the variable is set"),
            Example(line: "lockstep config --print-schema > lockstep.schema.json", meaning: "for an editor"),
        ]
    ) { invocation, terminal in
        if invocation.has("print-schema") {
            try terminal.print(ConfigurationSchema.document.text(.indented))
            return .success
        }
        let file = try ConfigurationFile.current(for: invocation)
        let commands = configured.filter { invocation.operands.isEmpty || invocation.operands.contains($0.name) }
        var shown: [(command: Command, rows: [SettingRow])] = []
        for command in commands { shown.append((command, try rows(of: command, file))) }
        guard invocation["format"] == "json" else {
            let blocks = shown.map { command, rows in
                let changed = invocation.has("all") ? rows : rows.filter { $0.origin != nil }
                let title = terminal.paint.bold("lockstep \(command.name)")
                return changed.isEmpty ? "\(title)\n  all defaults; --all shows them" : changed.text(titled: title)
            }
            let source =
                file.map { "Settings from \($0.path.visible)" }
                ?? "There is no lockstep.json in this folder or above it. Run lockstep init to create the file."
            try terminal.print(([source] + blocks).joined(separator: "\n\n"))
            return .success
        }
        let document: JSON = [
            "version": .int(Comparison.formatVersion), "file": file.map { .string($0.path) } ?? .null,
            "commands": .object(JSONObject(shown.map { ($0.command.name, .array($0.rows.map(\.json))) })),
        ]
        try terminal.print(document.text(.indented))
        return .success
    }

    private static func rows(of command: Command, _ file: ConfigurationFile?) throws(UsageError) -> [SettingRow] {
        let invocation = try Invocation(command, []).completed(from: file)
        return command.settings.map { setting in
            SettingRow(
                setting: setting, values: invocation.list(setting.option.name), origin: invocation.origin(setting.option.name))
        }
    }
}

/// A setting with its value and origin.
private struct SettingRow {
    let setting: Setting
    let values: [String]
    /// The origin; `nil` for the default.
    let origin: Invocation.Origin?

    var json: JSON {
        let source: JSON =
            switch origin {
            case nil: "default"
            case .commandLine: "option"
            case .variable(let name): .string(name)
            case .member(let member, _): .string("\(Command.configurationName): \(member)")
            }
        return [
            "name": .string(setting.member), "option": .string("--\(setting.option.name)"), "variable": .string(setting.variable),
            "value": value, "default": setting.option.standard.map { .string($0) } ?? .null, "from": source,
        ]
    }

    /// The value in the form of lockstep.json; `null` for the default.
    private var value: JSON {
        guard origin != nil else { return .null }
        return switch setting.option.value {
        case .none: .bool(!values.isEmpty)
        case .number: values.last.flatMap { Int64($0) }.map { .int($0) } ?? .null
        case .choices, .providerPath: .array(values.map { .string($0) })
        case .text, .path, .choice: values.last.map { .string($0) } ?? .null
        }
    }

    /// The name, the value and the origin as text.
    var columns: [String] {
        let text =
            switch setting.option.value {
            case .none where origin == nil: "off"
            case _ where origin == nil: setting.option.standard ?? "none"
            case .none: values.isEmpty ? "off" : "on"
            default: values.joined(separator: ", ")
            }
        let source =
            switch origin {
            case nil: "default"
            case .commandLine: "option"
            case .variable(let name): name
            case .member(let member, _): "lockstep.json" + (member == setting.member ? "" : ", \(member)")
            }
        return [setting.member, text.visible, source]
    }
}

extension [SettingRow] {
    /// Returns a table, in which the origin of a long value is on the next line.
    fileprivate func text(titled title: String) -> String {
        let (name, value) = (16, 38)
        let lines = map { row in
            let columns = row.columns
            let head = "  " + columns[0].padded(name) + columns[1]
            let isLong = columns[1].count >= value
            return isLong
                ? head + "\n" + String(repeating: " ", count: 2 + name + value) + columns[2]
                : "  " + columns[0].padded(name) + columns[1].padded(value) + columns[2]
        }
        return ([title] + lines).joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(1, width - count)) }
}

extension Option {
    /// The format of a command's output.
    static let format = Option(
        "format", .choice(["text", "json"]), "\"text\" for people, \"json\" for scripts", standard: "text", in: .output)
}
