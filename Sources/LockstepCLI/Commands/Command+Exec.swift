import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep exec`.
    static let exec = Command(
        name: "exec",
        summary: "run a command with fresh emulators",
        about: """
            Starts the named emulators, or all three, on free ports. Sets the environment variables that the vendors' SDKs \
            read, and runs the command. Stops the emulators when the command exits. LOCKSTEP_READY is the path of a file with \
            the ready lines. All other variables stay as they are, also the keys of a provider that is not named. The command \
            can use the terminal, and receives signals such as Ctrl-C. The exit status is the command's status. If a signal \
            ended the command, the status is 128 plus the signal's number.
            """,
        operands: .providers,
        options: Option.serving(ports: "free ports") + [
            Option("dashboard", .none, "also start a dashboard, and print a link to it on stderr"), .dashboardPort("a free port"),
            FailureRecord.option,
        ],
        examples: [
            Example(line: "lockstep exec -- npm test", meaning: "a project's tests with the three emulators"),
            Example(line: "lockstep exec gotrue --env auth.env -- pytest -q", meaning: "Supabase (GoTrue) with settings"),
            Example(line: "lockstep exec --seed seed.json -- npm test", meaning: "with users"),
            Example(line: "lockstep exec --dashboard -- npm test", meaning: "with a dashboard"),
            Example(line: "lockstep exec -- sh", meaning: "a shell in which all variables are set"),
            Example(
                line: "lockstep exec --on-failure ./failure -- npm test", meaning: "keep a record if the command fails, for CI"),
        ],
        program: "COMMAND [ARG…]",
        readsConfiguration: true,
        endsBySignal: true
    ) { invocation, terminal in
        guard let name = invocation.program.first else {
            throw UsageError("\"lockstep exec\" needs a command. Put it after --, as in: lockstep exec -- npm test")
        }
        let names = Providers.named(invocation.operands)
        let record = try FailureRecord(invocation)
        let inputs = try ServedInputs(names, invocation)
        // Files that this process was started with are the command's, too: make's job server has some.
        let inherited = OpenFiles.numbers
        let watch = try SignalWatch([.interrupt, .terminate, .hangUp, .quit, .user1, .user2])
        defer { watch.stop() }
        let served: ServedEmulators
        do {
            served = try await ServedEmulators.start(
                names, .exec, inputs, defaults: [:], unless: watch.signals, invocation, terminal)
        } catch let error as InterruptedStart {
            return ExitStatus(rawValue: error.signal.exitStatus)
        }
        defer { served.stop() }
        guard let file = served.file?.path else {
            throw UsageError("The ready lines cannot be written. Set XDG_RUNTIME_DIR to a folder that you own.")
        }
        if let link = served.lines.documents.first?["dashboard"]?.string { terminal.tell("Dashboard: \(link)") }
        let variables = served.lines.environment + [(name: "LOCKSTEP_READY", value: file)]
        let program = Program(name, Array(invocation.program.dropFirst()), variables: variables, removing: file)
        OpenFiles.closeInPrograms(except: inherited)
        let forwarding = Task {
            // What is typed at the terminal reaches the program automatically. If it arrived twice, many tools would stop without
            // cleaning up.
            for await delivery in watch.deliveries where !delivery.isFromTerminal { program.send(delivery.signal) }
        }
        defer { forwarding.cancel() }
        let status: Int32
        do {
            status = try await BlockingThread.run { try program.run() }
        } catch let error as SystemError {
            terminal.tell("lockstep: cannot run \"\(name)\": \(error.reason). Check its name and PATH.")
            return error.code == SystemError.noSuchFile ? .programNotFound : .programNotRunnable
        }
        if status != 0 { await record?.write(served, program: name, status: status, terminal) }
        try served.save(terminal)
        return ExitStatus(rawValue: status)
    }
}
