import LockstepComparison
import LockstepMigration
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// The run of a command: its source and target, its folder, and the engine.
struct MoveSession: Sendable {
    let file: MoveFile
    let ends: MoveEnds
    let folder: RunFolder
    let move: UserMove
    /// The archive of a new run; `nil` for none.
    let archive: ArchiveWriter?
    private let invocation: Invocation
    private let terminal: Terminal

    /// Opens the run on the command line, or the newest run.
    ///
    /// - `invocation`: The parsed command line.
    /// - `isNew`: Whether to create a new run.
    /// - `looksOn`: Whether to open a run that another process is working on, only to read its journal.
    init(_ invocation: Invocation, _ terminal: Terminal, isNew: Bool = false, looksOn: Bool = false) async throws {
        let file = try MoveFile(try MoveFile.path(for: invocation))
        let runs = file.runs
        let (ends, folder): (MoveEnds, RunFolder)
        if isNew {
            // A run whose ends cannot be used is not begun.
            ends = try await MoveEnds(file)
            folder = try RunFolder.make(in: runs, clock: SystemClock(), randomness: SystemRandomness())
        } else {
            guard let id = invocation["run"] ?? RunFolder.list(in: runs).last else {
                throw UsageError("there is no run in \"\(runs)\". Create one with lockstep migrate plan.")
            }
            folder = try RunFolder.open(id, in: runs, looksOn: looksOn)
            do {
                ends = try await MoveEnds(file)
            } catch {
                folder.close()
                throw error
            }
        }
        var source = ends.source
        let archive: ArchiveWriter?
        do {
            archive = try isNew ? Self.archive(file, folder) : nil
            if let archive {
                source.directory = try await ArchivedDirectory(ends.source, archive)
            }
        } catch {
            folder.close()
            throw error
        }
        self.init(file, ends, from: source, folder, archive, invocation, terminal)
    }

    /// Creates the run of a folder.
    ///
    /// - Parameter source: The source, or one in front of it.
    init(
        _ file: MoveFile, _ ends: MoveEnds, from source: MoveSource, _ folder: RunFolder, _ archive: ArchiveWriter? = nil,
        _ invocation: Invocation, _ terminal: Terminal
    ) {
        (self.file, self.ends, self.folder, self.archive) = (file, ends, folder, archive)
        var choices = file.choices
        if file.hasSideFile { choices.largeData = .sideFile(folder.largeData) }
        var move = UserMove(from: source, to: ends.target, choices, key: folder.key, journal: folder.journal)
        move.tellsWait = { terminal.tell("lockstep: a backend asks to wait for \($0.components.seconds) seconds") }
        move.folder = folder.path
        self.move = move
        self.invocation = invocation
        self.terminal = terminal
    }

    private static func archive(_ file: MoveFile, _ folder: RunFolder) throws(MigrationError) -> ArchiveWriter? {
        guard let key = file.archiveKey else { return nil }
        return try ArchiveWriter(folder.archive, ArchiveKey(key.secret), randomness: SystemRandomness())
    }

    /// Returns the plan of the run.
    ///
    /// - Throws: ``UsageError`` if another process is still planning; otherwise, the errors of `UserMove.plannedSummary()`.
    func plannedSummary() async throws -> PlanSummary {
        if folder.isInUse, try await folder.journal.head()?.plan == nil {
            throw UsageError("another process is still planning the run \"\(folder.id)\". Wait until it exits.")
        }
        return try await move.plannedSummary()
    }

    /// Whether the output is for a program.
    var isJSON: Bool { invocation["format"] == "json" }

    /// Prints a part of a file.
    func showPlain(_ text: String) throws { try terminal.print(text) }

    /// Prints a sentence on stderr.
    func tell(_ sentence: String) { terminal.tell("lockstep: \(sentence)") }

    /// Prints the source, the target, and the origin of their keys.
    func showHeader() throws {
        if !isJSON { try terminal.print(ends.header.joined(separator: "\n")) }
    }

    /// Prints the result of a command, as text or as JSON.
    func show(_ text: String, _ name: String, _ document: JSONObject) throws {
        guard isJSON else { return try terminal.print(text) }
        var json: JSONObject = ["version": .int(Comparison.formatVersion), "run": .string(folder.id)]
        json[name] = .object(document)
        try terminal.print(JSON.object(json).text(.indented))
    }

    /// The command line with which a person continues.
    func command(_ verb: String, _ more: String = "") -> String {
        let move = invocation["move"].map { " --move \($0.shellWord)" } ?? ""
        // A plan always begins a new run.
        let run = verb == "plan" ? "" : " --run \(folder.id)"
        return "lockstep migrate \(verb)\(move)\(run)\(more)"
    }

    /// The command line of this command, with the options that decide what it does.
    private func repetition(of verb: String, isConsenting: Bool) -> String {
        let flags =
            ["partial", "show-addresses"].filter(invocation.has).map { " --\($0)" }.joined()
            + (invocation["only"].map { " --only \($0.shellWord)" } ?? "")
        let host = invocation["confirm"].map { " --confirm \($0.shellWord)" } ?? ""
        return command(verb, flags + host + (isConsenting ? " --yes" : ""))
    }

    /// Asks before the first write.
    ///
    /// The result is `true` if it may write. Otherwise, it has printed the intended work and the exact command.
    ///
    /// - `what`: What it would do, as in "create 95 users".
    /// - `references`: The tables whose rows it would change, too.
    func isAllowed(_ verb: String, _ what: String, _ references: [DirectoryReference] = []) async throws -> Bool {
        if !isJSON, !references.isEmpty { try terminal.print(references.lines) }
        try await ends.requireConfirmation(invocation["confirm"])
        if invocation.has("yes") { return true }
        if !isJSON, try await terminal.isConfirmed("\(what) on \(ends.targetName)?") { return true }
        let command = repetition(of: verb, isConsenting: true)
        try show(
            "would \(what) on \(ends.targetName). Nothing was written. Continue with: \(command)\n", "consent",
            ["what": .string(what), "command": .string(command), "references": references.json])
        return false
    }

    /// Runs work that Ctrl-C ends between two batches.
    func working<Value: Sendable>(
        _ verb: String, _ body: @escaping @Sendable (UserMove) async throws -> Value
    ) async throws -> Value {
        try await ends.requireOneProject()
        let watch = try SignalWatch()
        defer { watch.stop() }
        let move = move
        let work = Task { try await body(move) }
        let listener = Task { () -> Signal? in
            for await signal in watch.signals {
                work.cancel()
                return signal
            }
            return nil
        }
        defer {
            listener.cancel()
            terminal.endProgress()
        }
        do {
            return try await work.value
        } catch let error as MigrationError where error.code == .cancelled {
            terminal.endProgress()
            if verb != MigrateRehearsal.verb {
                let command = repetition(of: verb, isConsenting: invocation.has("yes"))
                terminal.tell("lockstep: interrupted. \(verb == "plan" ? "Plan again" : "Continue") with: \(command)")
            }
            let signal = await listener.value ?? Signal.interrupt
            throw Interrupted(status: ExitStatus(rawValue: signal.exitStatus))
        } catch let error as MigrationError where [.stopped, .count, .collision].contains(error.code) {
            // An error in the file is not a failure of a backend.
            if let file = ends.source.directory as? FileDirectory {
                if error.code != .stopped { try? await file.requireDistinctIDs() }
                if let problem = file.problem { throw UsageError(problem) }
            }
            if let problem = (ends.source.directory as? ExportedDirectory)?.problem { throw problem }
            if let problem = (move.source.directory as? ArchivedDirectory)?.problem { throw problem }
            throw error
        }
    }

    /// Shows the progress: in one line in a terminal, otherwise with a line every ten seconds.
    func progress(_ text: @escaping @Sendable (Int) -> String) -> @Sendable (Int) -> Void {
        progress { count, _ in text(count) }
    }

    /// Shows the progress.
    ///
    /// - Parameter text: Returns the line for the reported progress and the elapsed time.
    /// - Returns: The result.
    func progress<Report: Sendable>(_ text: @escaping @Sendable (Report, Duration) -> String) -> @Sendable (Report) -> Void {
        let clock = SystemClock()
        let start = clock.uptime
        guard !StandardStream.error.isTerminal else {
            return { [terminal] report in terminal.progress(text(report, clock.uptime - start)) }
        }
        let last = Mutex(start)
        return { [terminal] report in
            let isDue = last.withLock { last in
                guard clock.uptime - last >= .seconds(10) else { return false }
                last = clock.uptime
                return true
            }
            if isDue { terminal.tell(text(report, clock.uptime - start)) }
        }
    }
}

/// A signal has ended the command's work.
struct Interrupted: Error {
    let status: ExitStatus
}

extension MigrationError {
    /// The exit status of the command with this result.
    var status: ExitStatus {
        switch code {
        case .refusals: .differences
        case .tenants, .externalIDs, .notPlanned, .notApplied, .anotherEnd, .anotherAccess, .inUse, .newerJournal, .olderJournal,
            .journal, .archive, .rewrite:
            .usage
        case .probe, .count, .collision, .stopped, .cancelled: .failure
        }
    }
}
