import LockstepSystem

/// The command `lockstep`.
@main
struct LockstepCommand {
    /// All commands by task, in the order of the help page.
    static let groups: [(title: String, commands: [Command])] = [
        ("Choose a backend", [.compare, .tryModels, .doctor, .contracts]),
        ("Backends on this machine", [.serve, .exec, .status, .open, .code, .link, .logs, .wait, .stop, .token]),
        ("Move users", [.migrate]), ("Settings", [.initialize, .config]), ("More", [.help, .completion, .version]),
    ]

    static let commands = groups.flatMap(\.commands)

    /// Words of other tools, with the command that they mean here.
    private static let otherWords = [
        "start": "serve", "up": "serve", "run": "serve", "dev": "serve", "emulators": "serve", "emulators:start": "serve",
        "ui": "open", "dashboard": "open", "users": "open", "inbox": "open", "mail": "open", "login": "try", "signin": "try",
        "signup": "try", "ps": "status", "down": "stop", "kill": "stop", "otp": "code", "log": "logs", "tail": "logs",
        "diff": "compare", "move": "migrate",
    ]

    static func main() async {
        CurrentProcess.ignoreBrokenPipes()
        CurrentProcess.forbidCoreDumps()
        CurrentProcess.holdStandardStreams()
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
            try terminal.print(help.overview(groups))
            return .usage
        }
        var rest = Array(words.dropFirst())
        if ["--help", "-h", "help"].contains(first) {
            let isAboutHelp = first == "help" && !Set(rest).isDisjoint(with: ["--help", "-h"])
            return try await Command.help.run(try Invocation(.help, isAboutHelp ? ["help"] : rest), terminal)
        }
        var command = try ["--version", "-v"].contains(first) ? .version : find(first)
        if !command.verbs.isEmpty {
            guard let word = rest.first ?? command.standardVerb else {
                try terminal.print(help.page(of: command))
                return .usage
            }
            if !["--help", "-h"].contains(word) {
                let isStandard = command.standardVerb != nil && (rest.isEmpty || !command.isVerb(word))
                command = try command.verb(isStandard ? command.standardVerb ?? word : word)
                if !isStandard { rest.removeFirst() }
            }
        }
        // What follows -- is for another program.
        if rest.prefix(while: { $0 != "--" }).contains(where: { ["--help", "-h"].contains($0) }) {
            try await terminal.show(help.page(of: command))
            return .success
        }
        var invocation = try Invocation(command, rest)
        if command.readsConfiguration { invocation = try invocation.completed(from: .current(for: invocation)) }
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

    /// Returns the command with this name, which may include its group.
    static func named(_ words: [String]) throws(UsageError) -> Command {
        var command = try find(words[0])
        if words.count > 1, !command.verbs.isEmpty { command = try command.verb(words[1]) }
        guard words.count == command.name.split(separator: " " as Character).count else {
            throw UsageError("\"lockstep help\" accepts only one command.")
        }
        return command
    }

    private static func find(_ name: String) throws(UsageError) -> Command {
        // These start in a few milliseconds, of which the declarations of all commands would take a part.
        switch name {
        case "serve": return .serve
        case "exec": return .exec
        case "version": return .version
        default: break
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            if let meant = otherWords[name] {
                throw UsageError("there is no command \"\(name)\". Use lockstep \(meant). See lockstep help \(meant).")
            }
            throw UsageError(
                "there is no command \"\(name)\"." + commands.map(\.name).suggestion(for: name) + " See lockstep help.")
        }
        return command
    }
}
