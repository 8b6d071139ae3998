import LockstepSystem

/// The command `lockstep`.
@main
struct LockstepCommand {
    /// All commands, in the order of the help page.
    static let commands: [Command] = [.compare, .contracts, .serve, .tryModels]

    static func main() async {
        CurrentProcess.ignoreBrokenPipes()
        CurrentProcess.forbidCoreDumps()
        CurrentProcess.holdStandardStreams()
        OpenFiles.raiseLimit()
        let terminal = Terminal()
        let status: ExitStatus
        do {
            status = try await run(Array(CommandLine.arguments.dropFirst()), terminal)
        } catch let error as UsageError {
            terminal.endProgress()
            terminal.tell("lockstep: \(error)")
            status = .usage
        } catch {
            terminal.endProgress()
            terminal.tell("lockstep: \(error)")
            status = .failure
        }
        CurrentProcess.exit(status.rawValue)
    }

    private static func run(_ words: [String], _ terminal: Terminal) async throws -> ExitStatus {
        guard let first = words.first, first != "--help", first != "-h", first != "help" else {
            try terminal.print(HelpPage.overview(commands))
            return words.isEmpty ? .usage : .success
        }
        if first == "--version" {
            try terminal.print(Release.line)
            return .success
        }
        guard let command = commands.first(where: { $0.name == first }) else {
            throw UsageError(
                "there is no command \(first)." + commands.map(\.name).suggestion(for: first) + " See lockstep --help.")
        }
        let rest = Array(words.dropFirst())
        if rest.contains("--help") || rest.contains("-h") {
            try terminal.print(HelpPage.page(of: command))
            return .success
        }
        let invocation = try Invocation(command, rest)
        guard !command.endsBySignal else { return try await command.run(invocation, terminal) }
        let interruption = try Interruption(invocation, terminal)
        defer { interruption.stop() }
        do {
            return try await command.run(invocation, terminal)
        } catch {
            // A program that reads JSON always gets some; the sentence for a person follows.
            _ = terminal.end(with: invocation.failure("\(error)"), waiting: false)
            throw error
        }
    }
}
