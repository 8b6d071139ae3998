/// What the scripts of all shells are made of: each command by its words, as it is declared.
struct CompletionSource: Sendable {
    /// A command that runs something.
    struct Entry: Sendable {
        let command: Command
        /// The words of its name: one, or those of its group and its own.
        var words: [String] { command.name.split(separator: " ").map(String.init) }
    }

    /// The commands that follow `lockstep`, groups too.
    let commands: [Command]

    /// The commands that run something, those of groups in the place of the group.
    var entries: [Entry] { commands.flatMap { $0.verbs.isEmpty ? [$0] : $0.verbs }.map { Entry(command: $0) } }

    /// The groups.
    var groups: [Command] { commands.filter { !$0.verbs.isEmpty } }

    /// The shells that a script can be made for.
    static let shells = ["bash", "zsh", "fish"]

    /// The script for a shell.
    func script(for shell: String) -> String {
        switch shell {
        case "zsh": zsh
        case "fish": fish
        default: bash
        }
    }
}

extension Command {
    /// The last word of the name: what follows a group.
    var word: String { name.split(separator: " ").last.map(String.init) ?? name }
}

extension Option {
    /// The words that may follow.
    var words: [String] {
        switch value {
        case .choice(let words), .choices(_, let words): words
        case .providerPath(_, let providers): providers.map { $0 + "=" }
        case .none, .text, .path, .number: []
        }
    }

    /// Whether a file or folder may follow.
    var completesPaths: Bool {
        switch value {
        case .path, .providerPath: true
        default: false
        }
    }

    /// Whether several of the words may follow, joined by commas.
    var isList: Bool { if case .choices = value { true } else { false } }

    /// Whether it stands alone.
    var isBare: Bool { if case .none = value { true } else { false } }
}
