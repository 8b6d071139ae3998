import LockstepEmulation
import LockstepSystem

/// The files that a command line names for its emulators.
///
/// All of them, except a pipe for `--seed`, are read before an emulator starts, so that an invalid file is reported early. The
/// writer of the pipe can take any time: the emulators already listen, and `/__lockstep/ready` returns 503.
struct ServedInputs: Sendable {
    /// The files of settings by provider.
    let settings: [String: SettingsFile]
    /// The file of users that `--import` names, unless Firebase's emulator reads it itself.
    let userSource: UserFilePlace?
    /// The file of users that `--export-on-exit` names, if it is in the neutral format.
    let userTarget: UserFilePlace?
    private let seed: SeedFile?
    private let seedPipe: String?

    /// Reads the files.
    ///
    /// - Throws: ``UsageError`` for a file that cannot be used, or that does not fit the providers.
    init(_ names: [String], _ invocation: Invocation) throws(UsageError) {
        settings = try Self.settings(for: names, invocation)
        userSource = try UserFilePlace("import", of: names, invocation)
        userTarget = try UserFilePlace("export-on-exit", of: names, invocation)
        try userTarget?.check()
        let path = invocation["seed"]
        if path != nil, names.contains("firebase") || userSource != nil, invocation.has("import") {
            throw UsageError("--seed and --import cannot be used together. Remove one of them.")
        }
        if let path, !InputFile.isPipe(path) {
            seed = try SeedFile(path)
            seedPipe = nil
        } else {
            seed = nil
            seedPipe = path
        }
    }

    /// Returns the file of `--seed`, read now if it is a pipe.
    ///
    /// - Parameter signals: The signals that end the wait for a pipe.
    /// - Throws: ``UsageError`` for a file that is not a seed; ``InterruptedStart``.
    func seed(unless signals: AsyncStream<Signal>) async throws -> SeedFile? {
        guard let seedPipe else { return seed }
        return try await Self.seed(in: seedPipe, unless: signals)
    }

    /// A separate function: otherwise, the types of its streams cost each start a part of a millisecond.
    private static func seed(in seedPipe: String, unless signals: AsyncStream<Signal>) async throws -> SeedFile {
        let (outcomes, continuation) = AsyncStream.makeStream(of: Result<SeedFile, any Error>.self)
        // After a signal the thread still waits for the pipe, until the process ends.
        try BlockingThread.start { continuation.yield(Result { try SeedFile(seedPipe) }) }
        let interruption = Task {
            for await signal in signals { continuation.yield(.failure(InterruptedStart(signal: signal))) }
        }
        defer { interruption.cancel() }
        for await outcome in outcomes { return try outcome.get() }
        throw CancellationError()
    }

    /// Rejects a database of users that no provider can use.
    private static func checkDatabase(for names: [String], _ invocation: Invocation) throws(UsageError) {
        for option in ["database", "create-schema"] where invocation.has(option) {
            guard names.contains("gotrue") else {
                throw UsageError("--\(option) needs the gotrue provider. Add it, or remove --\(option).")
            }
        }
        if invocation.has("create-schema"), !invocation.has("database") {
            throw UsageError("--create-schema needs --database. Add it, or remove --create-schema.")
        }
        if invocation.has("database"), invocation["data"] != nil {
            throw UsageError("--database and \(invocation.place("data")) cannot be used together. Remove one of them.")
        }
    }

    /// The files of settings by provider, after checking that the command line fits the providers.
    ///
    /// A team's settings for other providers are ignored.
    static func settings(
        for names: [String], _ invocation: Invocation
    ) throws(UsageError) -> [String: SettingsFile] {
        for option in ["mode", "import", "export-on-exit"] where invocation.origin(option) == .commandLine {
            if option != "mode", try UserFilePlace(option, of: names, invocation) != nil { continue }
            guard names.contains("firebase") else {
                throw UsageError("--\(option) needs the firebase provider. Add it, or remove --\(option).")
            }
        }
        try checkDatabase(for: names, invocation)
        if names.count > 1, !invocation.pathsForAny("env").isEmpty {
            let place = invocation.place("env")
            throw UsageError(
                "\(place) accepts only one provider, because each provider has its own settings. Choose one, or use \(place) gotrue=FILE."
            )
        }
        let strangers =
            invocation.origin("env") != .commandLine ? [] : invocation.providersWithPath("env").filter { !names.contains($0) }
        if let stranger = strangers.first {
            throw UsageError(
                "\(invocation.place("env")) names a file for \(stranger), but \(stranger) is not among the chosen providers.")
        }
        var files: [String: SettingsFile] = [:]
        for name in names {
            if let path = invocation.path("env", for: name) { files[name] = try SettingsFile(path) }
        }
        return files
    }
}

/// A start that a signal has ended.
struct InterruptedStart: Error {
    let signal: Signal
}
