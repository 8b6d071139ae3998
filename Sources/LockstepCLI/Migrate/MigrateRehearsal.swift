import LockstepCurl
import LockstepEmulation
import LockstepGoTrueEmulatorDatabase
import LockstepHTTP
import LockstepMigration
import LockstepPasswords
import LockstepPrimitives
import LockstepSystem

/// A move of the real source's users into an emulator of the target, which removes all of them at the end.
struct MigrateRehearsal: Sendable {
    static let verb = "rehearse"
    /// The name of the database's connection string beside the emulator's own variables.
    static let rows = "rows"

    private let file: MoveFile
    private let invocation: Invocation
    private let terminal: Terminal
    private let transport = ReadOnlyTransport(CurlTransport())
    private let serves: Bool

    /// Creates a rehearsal of the move that a file describes.
    ///
    /// - Throws: ``UsageError`` for options that do not fit together.
    init(_ file: MoveFile, _ invocation: Invocation, _ terminal: Terminal) throws(UsageError) {
        (self.file, self.invocation, self.terminal) = (file, invocation, terminal)
        serves = invocation.has("serve")
        for option in ["port", "ready-file"] where invocation[option] != nil && !serves {
            throw UsageError("--\(option) needs --serve. Add it, or remove --\(option).")
        }
    }

    /// The folder of the runs of rehearsals that remove them; another one holds those that are kept.
    private var runs: String {
        MoveFile.folder(of: file.path) + (invocation.has("keep") ? "/kept-rehearsals" : "/migration-rehearsals")
    }

    /// Runs the rehearsal, and removes what it has copied.
    func run() async throws -> ExitStatus {
        Self.removeLeftovers(beside: file)
        let readyFile = try invocation["ready-file"].map { path throws(UsageError) in try ReadyFile(path) }
        let real = try await MoveEnds(file, transport: transport)
        guard try await isAllowed(real) else { return .usage }
        let rows = try await startRows()
        let emulator = try start(real.provider, try await real.target.settings.demands(), rows)
        defer { emulator.stop() }
        var variables = emulator.ready.variables
        variables[Self.rows] = rows.map { .string($0.address) }
        let side = real.provider.rehearsal.side(emulator.base, variables)
        let ends = try await MoveEnds(
            rehearsing: real, on: .init(end: side, name: "to", file: file, transport: CurlTransport()))
        var source = ends.source
        if let size = invocation.number("sample") { source.directory = SampledDirectory(source.directory, size: size) }
        let folder = try RunFolder.make(in: runs, clock: SystemClock(), randomness: SystemRandomness())
        defer { end(folder) }
        let session = MoveSession(file, ends, from: source, folder, nil, invocation, terminal)
        try session.showHeader()
        return try await session.working(Self.verb) { move in
            let status = try await self.move(move, session)
            if serves { try await serve(emulator, readyFile) }
            return status
        }
    }

    /// Asks before real people's users are copied.
    private func isAllowed(_ real: MoveEnds) async throws -> Bool {
        let all = try await real.source.directory.count()
        let count = min(invocation.number("sample") ?? all, all)
        let what =
            "copy \(PlanSummary.grouped(count)) users of \(real.sourcePlace), with the hashes of their passwords, to this machine"
        if invocation.has("yes") {
            terminal.tell("lockstep: rehearse will \(what), until it ends")
            return true
        }
        let isJSON = invocation["format"] == "json"
        if !isJSON, try await terminal.isConfirmed("\(what), until the rehearsal ends?") { return true }
        let sentence = "would \(what). Nothing was copied. To continue, add --yes."
        try terminal.print(isJSON ? invocation.failure(sentence) ?? "" : sentence)
        return false
    }

    /// Starts a database for the target's rows, if the move writes rows.
    private func startRows() async throws -> DemoRows? {
        guard file.to.secrets["database"] != nil else { return nil }
        let rows = try await DemoRows.start()
        if rows == nil {
            terminal.tell(
                "lockstep: PostgreSQL is not installed here, so the rehearsal uses the target's API instead of \"to.database\": times, "
                    + "identities and second factors do not come over. Install the package postgresql to rehearse them.")
        }
        return rows
    }

    /// Starts an emulator that no other program or machine can read.
    private func start(
        _ provider: MoveProvider, _ demands: DirectoryDemands, _ rows: DemoRows?
    ) throws -> any RunningEmulator {
        var options = EmulatorOptions()
        options.isClosed = true
        options.isReadyAtStart = false
        if serves {
            options.port = try PortChoice(
                first: invocation.number("port"), place: invocation.place("port"), defaults: PortChoice.fixed
            ).port(of: provider.name, among: [provider.name])
        }
        let lines = provider.rehearsal.settings(demands).compactMap { name, value in value.map { "\(name)=\($0)\n" } }
        do {
            return try Providers.start(
                provider.name, options, settings: SettingsFile(name: "the settings of the target", text: lines.joined()),
                mode: "strict", hashing: .least,
                rows: try rows.map { try GoTrueRows(Secret($0.address), createsSchema: true) }
            ) { _ in }
        } catch let error as PortInUse {
            throw UsageError("port \(error.port) is in use. Stop the program that uses it (lockstep status), or use --port N.")
        }
    }

    /// Plans, applies and verifies, and shows what it finds.
    private func move(_ move: UserMove, _ session: MoveSession) async throws -> ExitStatus {
        func show(_ text: String) throws { if !session.isJSON { try session.showPlain(text) } }
        let plan = try await move.plan(progress: session.progress { "\($0) users read" })
        try show("\n" + plan.text + session.folder.lossesLine)
        try await session.folder.writeDuplicates()
        let applied = try await move.apply(
            isPartial: true,
            progress: session.progress { (progress: ApplyProgress, elapsed) in
                progress.text(of: plan.created, after: elapsed)
            })
        try await session.folder.writeMap()
        try await session.folder.writeFailures()
        try show("\n" + applied.text)
        let verified = try await move.verify(
            signingInThrough: session.ends.adapter, progress: session.progress { "\($0) users read" })
        let names = try await UserNames(verified.differing.map(\.sourceID) + verified.missing, session, invocation)
        let requests = transport.requests
        try show(
            "\n" + verified.text(names)
                + "\nrequests to the real source and the real target: \(requests.count), and all of them were reads\n")
        if session.isJSON {
            try session.show(
                "", Self.verb,
                [
                    "plan": .object(plan.json), "apply": .object(applied.json), "verify": .object(verified.json(names)),
                    "requests": .int(Int64(requests.count)),
                ])
        }
        if applied.failures > 0 { return .failure }
        return verified.isSuccess ? .success : .differences
    }

    /// Keeps the emulator running until a signal, or until `lockstep stop`.
    private func serve(_ emulator: any RunningEmulator, _ readyFile: ReadyFile?) async throws {
        let lines = ReadyLines([emulator.ready.stamped(dashboard: nil).json])
        let entry = try? RuntimeFolder.add(lines.text, .serve)
        defer { entry?.remove() }
        emulator.panel.markReady()
        let (end, asked) = AsyncStream.makeStream(of: Void.self)
        emulator.panel.onStop { asked.yield() }
        let ready = try readyFile?.write(lines)
        defer { ready?.remove() }
        try terminal.print(terminal.isTerminal ? ReadyBlock(lines: lines, paint: terminal.paint).text : lines.text)
        for await _ in end { break }
    }

    /// Removes the run, or says what is kept.
    private func end(_ folder: RunFolder) {
        defer { if !invocation.has("keep") { Self.removeLeftovers(beside: file) } }
        guard invocation.has("keep") else { return folder.close() }
        let lines = transport.requests.map { JSON.object($0).text() + "\n" }.joined()
        try? AtomicFile.replace("\(folder.path)/requests.jsonl", with: Array(lines.utf8))
        folder.close()
        let names = (try? RunFolder.contents(of: folder.id, in: runs)) ?? []
        terminal.tell(
            "lockstep: kept in \(folder.path): \(names.joined(separator: ", ")). Remove the folder when you no longer need it.")
    }

    /// Removes the runs of rehearsals that have ended, also of those that were killed.
    private static func removeLeftovers(beside file: MoveFile) {
        let runs = MoveFile.folder(of: file.path) + "/migration-rehearsals"
        for run in RunFolder.list(in: runs) {
            // Another process can be rehearsing.
            try? RunFolder.purge(run, in: runs)
        }
        try? Folder.remove(runs)
    }
}
