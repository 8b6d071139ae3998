import LockstepEmulation
import LockstepSystem

extension Command {
    /// The command `lockstep serve`.
    static let serve = Command(
        name: "serve",
        summary: "start emulators and keep them running",
        about: """
            Starts the emulators that are named, all three where none is, and prints one line of JSON for each when it is ready: its address,
            its inbox, the control routes with their token, and the keys that clients need. The vendors' own SDKs work against them. Ends
            with Ctrl-C. Listens on this machine only unless --host says otherwise.
            """,
        operands: Operands(placeholder: "PROVIDER…", summary: Providers.names.joined(separator: ", "), choices: Providers.names),
        options: [
            Option("port", .number("N", 0...65_535), "the port of the first one, the next ones follow; free ports by default"),
            Option("env", .text("FILE"), "settings, by the server's own names (one provider only)"),
            Option("data", .text("DIR"), "keep state in this folder; in memory by default"),
            Option(
                "mode", .choice(["emulator", "strict"]),
                "firebase: as Firebase's own emulator (default), or by production's rules"),
            Option("host", .text("ADDRESS"), "another address than 127.0.0.1: lets other machines in"),
        ],
        examples: [
            Example(line: "lockstep serve", meaning: "the three emulators on free ports"),
            Example(line: "lockstep serve gotrue --port 9999 --env auth.env", meaning: "GoTrue with the settings of a real one"),
            Example(
                line: "lockstep serve firebase --mode strict --data ./state", meaning: "production's rules, kept over a restart"),
        ]
    ) { invocation, terminal in
        let names = invocation.operands.isEmpty ? Providers.names : Providers.names.filter(invocation.operands.contains)
        let settings = try invocation["env"].map { path in
            guard names.count == 1 else {
                throw UsageError("--env goes with one provider: each has settings of its own. Name one.")
            }
            return try text(ofFile: path)
        }
        guard invocation["mode"] == nil || names.contains("firebase") else {
            throw UsageError("--mode is for firebase, which is not among the providers named.")
        }
        var options = EmulatorOptions()
        if let host = invocation["host"] { options.host = host }
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
            running.append(try start(name, own, settings, mode: invocation["mode"], terminal))
        }
        for emulator in running { try terminal.print(emulator.ready.text) }
        for await _ in watch.signals { break }
        return .success
    }

    private static func start(
        _ name: String, _ options: EmulatorOptions, _ settings: String?, mode: String?, _ terminal: Terminal
    ) throws -> any RunningEmulator {
        do {
            return try Providers.start(name, options, settings: settings, mode: mode) { terminal.tell("\(name): \($0)") }
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError("\(name) cannot be started: \(error)")
        }
    }

    private static func text(ofFile path: String) throws -> String {
        do {
            guard let bytes = try AtomicFile.read(path) else { throw UsageError("there is no file \(path).") }
            guard let text = String(validating: bytes, as: UTF8.self) else { throw UsageError("\(path) is not a text in UTF-8.") }
            return text
        } catch let error as SystemError {
            throw UsageError("\(path) cannot be read: \(error.reason).")
        }
    }
}
