/// The source of the scripts for all shells: the declared commands with their words.
struct CompletionSource: Sendable {
    /// A command that runs something.
    struct Entry: Sendable {
        let command: Command
        /// The words of its name, including its group.
        var words: [String] { command.name.split(separator: " ").map(String.init) }
    }

    /// The commands after `lockstep`, including groups.
    let commands: [Command]

    /// The commands without groups, but with the verbs of groups.
    var entries: [Entry] { commands.flatMap { $0.verbs.isEmpty ? [$0] : $0.verbs }.map { Entry(command: $0) } }

    /// The groups.
    var groups: [Command] { commands.filter { !$0.verbs.isEmpty } }

    /// The shells with a script.
    static let shells = ["bash", "zsh", "fish"]

    /// Returns the script for a shell.
    func script(for shell: String) -> String {
        switch shell {
        case "zsh": zsh
        case "fish": fish
        default: bash
        }
    }
}

extension Command {
    /// The last word of the name, after the group.
    var word: String { name.split(separator: " ").last.map(String.init) ?? name }
}

extension Option {
    /// The words that can follow.
    var words: [String] {
        switch value {
        case .choice(let words), .choices(_, let words): words
        case .providerPath(_, let providers): providers.map { $0 + "=" }
        case .none, .text, .path, .number: []
        }
    }

    /// Whether a file or folder can follow.
    var completesPaths: Bool {
        switch value {
        case .path, .providerPath: true
        default: false
        }
    }

    /// Whether several of the words can follow, separated by commas.
    var isList: Bool { if case .choices = value { true } else { false } }

    /// Whether the option has no value.
    var isBare: Bool { if case .none = value { true } else { false } }
}
