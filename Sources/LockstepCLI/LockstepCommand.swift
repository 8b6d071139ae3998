import LockstepSystem

/// The command `lockstep`.
@main
struct LockstepCommand {
    /// All commands, in the order of the help page.
    static let commands: [Command] = [.compare, .contracts, .serve, .exec, .status, .wait, .tryModels, .version]

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
        let help = HelpPage(columns: StandardStream.output.columns)
        guard let first = words.first else {
            try terminal.print(help.overview(commands))
            return .usage
        }
        let rest = Array(words.dropFirst())
        if ["--help", "-h", "help"].contains(first) {
            guard rest.count <= 1 else { throw UsageError("lockstep help accepts one command.") }
            try terminal.print(try rest.first.map { help.page(of: try find($0)) } ?? help.overview(commands))
            return .success
        }
        let command = try ["--version", "-v"].contains(first) ? .version : find(first)
        // What stands behind -- is for another program.
        if rest.prefix(while: { $0 != "--" }).contains(where: { ["--help", "-h"].contains($0) }) {
            try terminal.print(help.page(of: command))
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

    private static func find(_ name: String) throws(UsageError) -> Command {
        guard let command = commands.first(where: { $0.name == name }) else {
            throw UsageError(
                "there is no command \"\(name)\"." + commands.map(\.name).suggestion(for: name) + " See lockstep help.")
        }
        return command
    }
}
