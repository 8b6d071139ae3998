import LockstepEmulation
import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep serve`.
    static let serve = Command(
        name: "serve",
        summary: "start emulators and keep them running",
        about: """
            Starts the named emulators, or all three, and keeps them running until Ctrl-C. In a terminal, it shows the addresses, \
            the way to the variables for the vendors' SDKs, and the dashboard. Then it prints one line for each event, with the code or the link \
            of a message, or with the reason why none was sent; --quiet turns that off. Otherwise, or with --format json, it waits until \
            all emulators are ready, and prints one line of JSON for each. Without --host, the emulators listen only on this \
            machine. Without --allow-host, they accept only this machine's host names.
            """,
        operands: .providers,
        options: Option.serving(
            ports: Providers.names.compactMap { name in PortChoice.fixed[name].map { "\(name) \($0)" } }.joined(separator: ", "))
            + [
                .dashboardPort("4600, or a free port if --port is given"),
                Option("no-dashboard", .none, "start no dashboard"),
                Option("quiet", .none, "in a terminal, print no line for each event", in: .output),
                Option(
                    "format", .choice(["text", "json"]), "format of the ready lines",
                    standard: "\"text\" in a terminal, otherwise \"json\"", in: .output),
                Option(
                    "ready-file", .path("FILE"),
                    "write the ready lines to a file when all emulators are ready; the server removes the file when it exits",
                    in: .output),
                Option(
                    "check-seed", .path("FILE"), "check whether the chosen providers accept a seed, and exit", isSetting: false,
                    in: .data),
                Option(
                    "print-env", .none, "gotrue: print a file for --env with every setting and its default, and exit",
                    isSetting: false, in: .output),
            ],
        examples: [
            Example(line: "lockstep serve", meaning: "the three emulators on their usual ports"),
            Example(line: "lockstep serve --port 0 --format json", meaning: "on free ports, as JSON for scripts"),
            Example(line: "lockstep serve gotrue --print-env > auth.env", meaning: "a file of settings that you can edit"),
            Example(
                line: "lockstep serve gotrue --port 9999 --env auth.env",
                meaning: "Supabase (GoTrue) with the settings of a real server"),
            Example(
                line: "lockstep serve gotrue --database \"host=localhost dbname=rehearsal\" --create-schema",
                meaning: "with users in a PostgreSQL database, to rehearse a move"),
            Example(line: "lockstep serve --seed seed.json", meaning: "with the same users at each start"),
            Example(
                line: "lockstep serve firebase --mode strict --data ./state",
                meaning: "with the rules of production, and with data that stays after a restart"),
            Example(
                line: "lockstep serve firebase --import ./seed --export-on-exit ./seed",
                meaning: "with users exported from Firebase's own emulator"),
        ],
        readsConfiguration: true, endsBySignal: true, runsUntilSignal: true
    ) { invocation, terminal in
        let names = Providers.named(invocation.operands)
        if invocation.has("print-env") {
            guard names == ["gotrue"] else {
                throw UsageError("--print-env works only with gotrue. Run lockstep serve gotrue --print-env.")
            }
            try terminal.print(try Providers.goTrueEnvironment)
            return .success
        }
        if let path = invocation["check-seed"] {
            let checked = try await ServedEmulators.check(path, names, invocation, terminal)
            for (provider, count) in checked {
                try terminal.print("\(provider) accepts \(path): \(count) \(count == 1 ? "user" : "users")")
            }
            return .success
        }
        let readyFile = try invocation["ready-file"].map { path throws(UsageError) in try ReadyFile(path) }
        let inputs = try ServedInputs(names, invocation)
        let watch = try SignalWatch()
        defer { watch.stop() }
        let served: ServedEmulators
        do {
            served = try await ServedEmulators.start(
                names, .serve, inputs, defaults: PortChoice.fixed, unless: watch.signals, invocation, terminal)
        } catch let error as InterruptedStart {
            return ExitStatus(rawValue: error.signal.exitStatus)
        }
        defer { served.stop() }
        let ready = try readyFile?.write(served.lines)
        defer { ready?.remove() }
        let isText = invocation["format"].map { $0 == "text" } ?? terminal.isTerminal
        let prints = isText && terminal.isTerminal && !invocation.has("quiet")
        // Whoever reads the ready block may send a request at once.
        let lines = prints ? served.eventLines : nil
        try terminal.print(isText ? ReadyBlock(lines: served.lines, paint: terminal.paint).text : served.lines.text)
        let events = lines.map { lines in Task { await served.print(lines, terminal) } }
        defer { events?.cancel() }
        let (end, asked) = AsyncStream.makeStream(of: Void.self)
        for emulator in served.running { emulator.panel.onStop { asked.yield() } }
        let signals = Task { for await _ in watch.deliveries { asked.yield() } }
        defer { signals.cancel() }
        for await _ in end { break }
        try served.save(terminal)
        return .success
    }
}
