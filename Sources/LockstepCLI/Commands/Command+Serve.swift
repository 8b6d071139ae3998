import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep serve`.
    static let serve = Command(
        name: "serve",
        summary: "start emulators and keep them running",
        about: """
            Starts the named emulators, or all three, and keeps them running until Ctrl-C. A terminal shows addresses, keys, \
            the inbox and the variables for the vendors' SDKs. Elsewhere, and with --format json, one line of JSON for each emulator \
            has the same, when all are ready. The emulators listen on this machine only, unless --host says otherwise. They accept \
            only this machine's host names, unless --allow-host lists others.
            """,
        operands: .providers,
        options: Option.serving(
            ports: Providers.names.compactMap { name in PortChoice.fixed[name].map { "\(name) \($0)" } }.joined(separator: ", "))
            + [
                Option(
                    "format", .choice(["text", "json"]), "form of the ready lines", standard: "text at a terminal, else json"),
                Option(
                    "ready-file", .path("FILE"),
                    "write the ready lines to a file when all are ready; the server removes it at its end"),
                Option("check-seed", .path("FILE"), "only check a seed for the providers, and end", isSetting: false),
                Option(
                    "print-env", .none, "gotrue: print a file for --env with every setting and its default, and end",
                    isSetting: false),
            ],
        examples: [
            Example(line: "lockstep serve", meaning: "the three emulators on their usual ports"),
            Example(line: "lockstep serve --port 0 --format json", meaning: "on free ports, for a program"),
            Example(line: "lockstep serve gotrue --print-env > auth.env", meaning: "a file of settings to begin with"),
            Example(
                line: "lockstep serve gotrue --port 9999 --env auth.env",
                meaning: "Supabase (GoTrue) with the settings of a real server"),
            Example(line: "lockstep serve --seed seed.json", meaning: "with the same users at each start"),
            Example(
                line: "lockstep serve firebase --mode strict --data ./state", meaning: "production's rules, kept over a restart"),
            Example(
                line: "lockstep serve firebase --import ./seed --export-on-exit ./seed",
                meaning: "with the users of Firebase's own emulator"),
        ],
        readsConfiguration: true, endsBySignal: true, runsUntilSignal: true
    ) { invocation, terminal in
        let names = Providers.named(invocation.operands)
        if invocation.has("print-env") {
            guard names == ["gotrue"] else {
                throw UsageError("--print-env needs the provider gotrue, and no other. Write lockstep serve gotrue --print-env.")
            }
            try terminal.print(try Providers.goTrueEnvironment)
            return .success
        }
        if let path = invocation["check-seed"] {
            let checked = try await ServedEmulators.check(path, names, invocation, terminal)
            for (provider, count) in checked {
                try terminal.print("\(path) is a seed for \(provider): \(count) \(count == 1 ? "user" : "users")")
            }
            return .success
        }
        let readyFile = try invocation["ready-file"].map { path throws(UsageError) in try ReadyFile(path) }
        let watch = try SignalWatch()
        defer { watch.stop() }
        let served = try await ServedEmulators.start(names, .serve, defaults: PortChoice.fixed, invocation, terminal)
        defer { served.stop() }
        try readyFile?.write(served.lines)
        defer { readyFile?.remove(served.lines) }
        let isText = invocation["format"].map { $0 == "text" } ?? terminal.isTerminal
        try terminal.print(isText ? ReadyBlock(lines: served.lines, paint: terminal.paint).text : served.lines.text)
        for await _ in watch.signals { break }
        try served.save(terminal)
        return .success
    }
}
