import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueEmulator
import LockstepPasswords
import LockstepSystem

extension Command {
    /// The command `lockstep serve`.
    static let serve = Command(
        name: "serve",
        summary: "start emulators and keep them running",
        about: """
            Starts the emulators that are named, all three where none is, and prints one line of JSON for each when it is ready: its address,
            its inbox, the control routes with their token, and the keys that clients need. The vendors' own SDKs work against them. Ends
            with Ctrl-C. Listens on this machine only unless --host says otherwise, and answers to this machine's names only unless
            --allow-host lists others.
            """,
        operands: Operands(
            placeholder: "PROVIDER…", summary: Providers.names.joined(separator: ", ") + " (or supabase, which is gotrue)",
            choices: Providers.names),
        options: [
            Option("port", .number("N", 0...65_535), "the port of the first one, the next ones follow; free ports by default"),
            Option("env", .path("FILE"), "settings, by the server's own names (one provider only)"),
            Option("print-env", .none, "gotrue: print such a file with every setting, its default and a line about it, and end"),
            Option("data", .path("DIR"), "keep state in this folder, for this user only; in memory by default"),
            Option(
                "mode", .choice(["emulator", "strict"]),
                "firebase: as Firebase's own emulator (default), or by production's rules"),
            Option(
                "import", .path("PATH"),
                "firebase: users from a folder of firebase emulators:export, or a JSON file of firebase auth:export"),
            Option(
                "export-on-exit", .path("PATH"), "firebase: write the users there at the end, to a folder, or to a file NAME.json"
            ),
            Option(
                "hashing", .choice(["least", "real"]),
                "what a password's hash costs: the least that the algorithm takes (default), or as in production"),
            Option("host", .text("ADDRESS"), "another address than 127.0.0.1: lets other machines in"),
            Option(
                "allow-host", .choices("NAME,…", []),
                "answer to these names, too, such as auth.example.test; others get 421"),
        ],
        examples: [
            Example(line: "lockstep serve", meaning: "the three emulators on free ports"),
            Example(line: "lockstep serve gotrue --print-env > auth.env", meaning: "a file of settings to begin with"),
            Example(line: "lockstep serve gotrue --port 9999 --env auth.env", meaning: "GoTrue with the settings of a real one"),
            Example(
                line: "lockstep serve firebase --mode strict --data ./state", meaning: "production's rules, kept over a restart"),
            Example(
                line: "lockstep serve firebase --import ./seed --export-on-exit ./seed",
                meaning: "with the users of Firebase's own emulator"),
        ],
        endsBySignal: true, runsUntilSignal: true
    ) { invocation, terminal in
        let names = invocation.operands.isEmpty ? Providers.names : Providers.names.filter(invocation.operands.contains)
        if invocation.has("print-env") {
            guard names == ["gotrue"] else { throw UsageError("--print-env is for gotrue: name it, and no other provider.") }
            try terminal.print(GoTrueSettings.sampleEnvironment)
            return .success
        }
        let settings = try invocation["env"].map { path in
            guard names.count == 1 else {
                throw UsageError("--env goes with one provider: each has settings of its own. Name one.")
            }
            return try SettingsFile(path)
        }
        guard invocation["mode"] == nil || names.contains("firebase") else {
            throw UsageError("--mode is for firebase, which is not among the providers named.")
        }
        for option in ["import", "export-on-exit"] where invocation.has(option) && !names.contains("firebase") {
            throw UsageError("--\(option) is for firebase, which is not among the providers named.")
        }
        var options = EmulatorOptions()
        options.allowedHosts = try invocation.list("allow-host").map(hostName)
        if let host = invocation["host"] {
            options.host = host
            if !host.hasPrefix("127.") {
                terminal.tell(
                    "lockstep: warning: --host \(host) lets other machines in: they can read mails and codes and use every account."
                )
            }
        }
        if let folder = invocation["data"] {
            do {
                try Folder.make(folder)
            } catch {
                throw UsageError("the folder of --data cannot be used: \(error). Name one that this process may write to.")
            }
            options.storage = .folder(folder)
        }
        let watch = try SignalWatch()
        defer { watch.stop() }
        var running: [any RunningEmulator] = []
        defer { for emulator in running { emulator.stop() } }
        for (index, name) in names.enumerated() {
            var own = options
            if let port = invocation.number("port"), port > 0 {
                guard let number = UInt16(exactly: port + index) else {
                    throw UsageError("--port leaves no room for \(names.count) emulators.")
                }
                own.port = number
            }
            running.append(
                try start(
                    name, own, settings, mode: invocation["mode"], hashing: invocation["hashing"].flatMap(PasswordCost.init),
                    terminal))
        }
        let firebase = running.lazy.compactMap { $0 as? EmulatorServer<FirebaseEmulator> }.first?.emulator
        var export = invocation["export-on-exit"].map(FirebaseExport.init)
        if let firebase { export = try await users(of: firebase, invocation, export, terminal) }
        for emulator in running { try terminal.print(emulator.ready.text) }
        for await _ in watch.signals { break }
        if let export, let firebase {
            try export.save(firebase.admin) { terminal.tell("firebase: \($0)") }
        }
        return .success
    }

    /// Imports what `--import` names, after a look at where `--export-on-exit` will write.
    ///
    /// - Returns: Where to write at the end: not over users of whom the import has left some out.
    private static func users(
        of firebase: FirebaseEmulator, _ invocation: Invocation, _ export: FirebaseExport?, _ terminal: Terminal
    ) async throws -> FirebaseExport? {
        let hasKey = firebase.settings.hashing.signerKey != nil
        try export?.checkPlace(keepsKey: hasKey || invocation.has("data"))
        guard let source = invocation["import"].map(FirebaseExport.init) else { return export }
        guard let export, try source.isReplaced(by: export) else {
            _ = try await source.load(into: firebase.admin, hasKey: hasKey) { terminal.tell("firebase: \($0)") }
            return export
        }
        if try source.isFirstRun(exportingTo: export) {
            terminal.tell("firebase: there is no \(source.path) yet: the project starts without users.")
            return export
        }
        let alternative = export.alternative
        guard try !Folder.isThere(alternative.path) else {
            throw UsageError(
                "\(alternative.path) has the users of an earlier run, and \(source.path) is as it was before: import the newer ones, or "
                    + "remove them.")
        }
        let usersLeftOut = try await source.load(into: firebase.admin, hasKey: hasKey) { terminal.tell("firebase: \($0)") }
        guard usersLeftOut > 0 else { return export }
        terminal.tell(
            "firebase: \(export.path) stays as it is, for the users left out: the export goes to \(alternative.path).")
        return alternative
    }

    /// A name as it stands in `Host`, without a port.
    private static func hostName(_ text: String) throws(UsageError) -> String {
        let isName =
            text.utf8.allSatisfy { unit in
                switch unit {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
                // An IPv6 address, with or without its brackets.
                case 0x3a, 0x5b, 0x5d: text.utf8.count { $0 == 0x3a } > 1
                default: false
                }
            }
        guard isName else {
            throw UsageError(
                "invalid value \"\(text)\" for --allow-host: expected a name without scheme, port and wildcard, such as auth.example.test."
            )
        }
        return text
    }

    private static func start(
        _ name: String, _ options: EmulatorOptions, _ settings: SettingsFile?, mode: String?, hashing: PasswordCost?,
        _ terminal: Terminal
    ) throws -> any RunningEmulator {
        do {
            return try Providers.start(name, options, settings: settings, mode: mode, hashing: hashing) {
                terminal.tell("\(name): \($0)")
            }
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError("\(name) cannot be started: \(error)")
        }
    }
}
