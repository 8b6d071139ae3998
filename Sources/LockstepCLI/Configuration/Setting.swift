/// A team's setting: an option or the operands of a command that reads lockstep.json.
///
/// There is no separate list of settings: each declared option is a setting.
struct Setting: Sendable {
    /// The declaration as an option, also for operands.
    let option: Option

    /// The name of the member in lockstep.json: `readyFile` for `--ready-file`.
    var member: String {
        let words = option.name.split(separator: "-").map(String.init)
        return (words.first ?? "") + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The environment variable: `LOCKSTEP_READY_FILE` for `--ready-file`.
    var variable: String { "LOCKSTEP_" + option.name.uppercased().replacing("-", with: "_") }
}

extension Command {
    /// The name of the file with a team's settings.
    static let configurationName = "lockstep.json"

    /// The settings of the command, with the providers first.
    var settings: [Setting] {
        guard readsConfiguration else { return [] }
        let named = operands.flatMap { operands in
            operands.option.map { Option($0, .choices("NAME,…", operands.choices), "which providers", standard: "all") }
        }
        let options = options.filter(\.isSetting)
        return ((named.map { [$0] } ?? []) + options).map { Setting(option: $0) }
    }

    /// The commands that read lockstep.json.
    static var configured: [Command] { LockstepCommand.commands.filter(\.readsConfiguration) }

    /// The settings that all these commands share, at the top level of lockstep.json.
    static var sharedSettings: [Setting] {
        let others = configured.dropFirst()
        return (configured.first?.settings ?? []).filter { setting in
            others.allSatisfy { $0.settings.contains { $0.option.name == setting.option.name } }
        }
    }
}
