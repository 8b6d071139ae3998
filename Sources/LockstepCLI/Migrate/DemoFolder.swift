import LockstepEmulation
import LockstepMigration
import LockstepPrimitives
import LockstepSystem

/// The folder of a rehearsal with move.json, its secrets and the runs; it runs the command as a separate process.
struct DemoFolder: Sendable {
    /// The result of a command.
    struct Run: Sendable {
        let status: Int32
        let text: String
        let errors: String

        /// The output, for a failed check.
        var complaint: String { "status \(status). \(errors)" }
    }

    private let path: String
    /// The path of this program, even after its file was replaced.
    private let program: String

    init(_ servers: DemoServers) throws {
        path = try Folder.makeTemporary(prefix: "lockstep-demo")
        program = (try? Folder.isThere("/proc/self/exe")) == true ? "/proc/self/exe" : CommandLine.arguments[0]
        let (source, target) = (servers.source.side(), servers.target.side())
        for (name, secret) in source.files + target.files + [("probe", OddUser.password)] {
            try AtomicFile.replace("\(path)/\(name)", with: Array(secret.reveal().utf8))
        }
        var file: JSONObject = ["from": .object(source.members), "to": .object(target.members), "anonymousUsers": "skip"]
        if servers.source.showsHashes {
            file["probe"] = ["email": .string(DemoServers.plainEmail(0)), "password": ["file": "probe"]]
        }
        try AtomicFile.replace("\(path)/move.json", with: JSON.object(file).bytes(.indented))
    }

    /// Writes the exported files of the source.
    func write(_ files: [(String, [UInt8])]) throws {
        for (name, bytes) in files { try AtomicFile.replace("\(path)/\(name)", with: bytes) }
    }

    /// Removes it with all runs.
    func remove() {
        for run in RunFolder.list(in: "\(path)/migration-runs") { try? Folder.remove("\(path)/migration-runs/\(run)") }
        try? Folder.remove("\(path)/migration-runs")
        try? Folder.remove(path)
    }

    private func arguments(_ verb: String, _ options: [String]) -> [String] {
        ["migrate", verb, "--move", "\(path)/move.json"] + options
    }

    /// Runs `lockstep migrate VERB`, and waits for its end.
    func lockstep(_ verb: String, _ options: String...) async throws -> Run {
        let outcome = try await ChildProcess.run(program, arguments(verb, options), within: .seconds(120))
        return Run(
            status: outcome.status, text: outcome.text,
            errors: String(decoding: outcome.errors, as: UTF8.self).visible)
    }

    /// Runs `lockstep migrate VERB`, and reads its document.
    func document(_ verb: String, _ options: String...) async throws -> JSON {
        let outcome = try await ChildProcess.run(program, arguments(verb, options + ["--format", "json"]), within: .seconds(120))
        return try JSON.parse(outcome.output)
    }

    /// Starts `lockstep migrate VERB`.
    func start(_ verb: String, _ options: String...) throws -> ChildProcess {
        try ChildProcess(program, arguments(verb, options))
    }

    /// Waits until a fault holds requests, and no further one has arrived for a second.
    ///
    /// A process that is killed then has no request on the way, which the next run could overtake.
    ///
    /// - Returns: Whether it holds one, within half a minute.
    func waits(for fault: Fault, _ clock: some DeviceClock) async -> Bool {
        var (held, quiet) = (0, 0)
        for _ in 0..<3000 where quiet < 100 {
            try? await clock.sleep(for: .milliseconds(10))
            quiet = fault.strikes > 0 && fault.strikes == held ? quiet + 1 : 0
            held = fault.strikes
        }
        return held > 0
    }

    /// Whether no file of the runs contains any of these texts.
    func isFree(of texts: [String]) throws -> Bool {
        let runs = "\(path)/migration-runs"
        for run in RunFolder.list(in: runs) {
            for name in try Folder.names("\(runs)/\(run)") {
                guard let bytes = try AtomicFile.read("\(runs)/\(run)/\(name)", limit: 1 << 30) else { continue }
                for text in texts where bytes.firstRange(of: Array(text.utf8)) != nil { return false }
            }
        }
        return true
    }
}
