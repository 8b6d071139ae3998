extension Command {
    /// The command `lockstep completion`.
    static let completion = Command(
        name: "completion",
        summary: "print a completion script for a shell",
        about: """
            Prints a script that completes commands, options and their values in a shell. It uses the same declarations as the \
            help pages.
            """,
        operands: Operands(
            placeholder: "SHELL", summary: CompletionSource.shells.listedAsChoice, choices: CompletionSource.shells),
        options: [],
        examples: [
            Example(
                line: "source <(lockstep completion bash)",
                meaning: "add this line to ~/.bashrc, or for zsh to ~/.zshrc, after compinit"),
            Example(
                line: "lockstep completion fish > ~/.config/fish/completions/lockstep.fish",
                meaning: "fish loads the script from there"),
        ]
    ) { invocation, terminal in
        guard let shell = invocation.operands.first, invocation.operands.count == 1 else {
            throw UsageError("\"lockstep completion\" needs one shell: \(CompletionSource.shells.listedAsChoice).")
        }
        try terminal.print(CompletionSource(commands: LockstepCommand.commands).script(for: shell))
        return .success
    }
}
