import LockstepPrimitives
import LockstepRecordings
import LockstepSystem

/// The command behind `make recordings`.
///
/// Status: 0 if everything matches the recordings, 1 for a difference, 2 for an invalid command line.
struct RecordingsCommand {
    static func run(_ words: [String]) async {
        CurrentProcess.ignoreBrokenPipes()
        let status: Int32
        do {
            guard let options = try CommandOptions(words) else {
                say(CommandOptions.help)
                return
            }
            status = try await run(options) ? 0 : 1
        } catch {
            try? StandardStream.error.write("lockstep-lab recordings: \(error)\n")
            status = 2
        }
        CurrentProcess.exit(status)
    }

    private static func run(_ options: CommandOptions) async throws -> Bool {
        let server = try options.server.map(place)
        let runner = try RecordingRunner(server: server, settings: options.settings)
        let side = try server.flatMap { try sideServers(of: $0, options, runner) }
        defer { side?.stop() }
        var report = RecordingReport()
        var recordings: [Recording] = []
        for path in try Recording.files(in: options.recordings) {
            do throws(RecordingError) {
                let recording = try Recording(file: path)
                if options.takes(recording) { recordings.append(recording) }
            } catch {
                say(report.add(error))
            }
        }
        guard !recordings.isEmpty || !report.isFine else {
            throw CommandError("no recording is of that provider, variant, area and name.")
        }
        if server != nil, Set(recordings.map { "\($0.provider) \($0.variant)" }).count > 1, recordings[0].provider == "gotrue" {
            throw CommandError(
                "a server has one configuration: say which recordings belong to it, with --provider and --variant.")
        }
        // One after the other if they share a server.
        let width = server == nil ? options.width : 1
        await withTaskGroup(of: (Recording, Outcome).self) { group in
            var waiting = recordings[...]
            for recording in waiting.prefix(width) { group.addTask { (recording, await runner.run(recording)) } }
            waiting = waiting.dropFirst(width)
            for await (recording, outcome) in group {
                if let text = report.add(recording, outcome) { say(text) }
                if let next = waiting.popFirst() { group.addTask { (next, await runner.run(next)) } }
            }
        }
        say(report.table)
        return report.isFine
    }

    /// An address, or a file with the ready line of a server.
    private static func place(_ text: String) throws -> TestedServer {
        if text.hasPrefix("http://") || text.hasPrefix("https://") { return TestedServer(base: text) }
        guard let bytes = try AtomicFile.read(text) else {
            throw CommandError("there is no file \(text); --server takes one, or an address.")
        }
        // A whole document, or a log that begins with one.
        let line = bytes.split(separator: UInt8(ascii: "\n")).first ?? []
        guard let document = (try? JSON.parse(bytes)) ?? (try? JSON.parse(Array(line))) else {
            throw CommandError("\(text) does not begin with a line of JSON, as a server prints when it is ready.")
        }
        return try TestedServer(document, from: text)
    }

    /// The issuer in the server's settings, if it is on this machine.
    private static func sideServers(of server: TestedServer, _ options: CommandOptions, _ runner: RecordingRunner) throws
        -> SideServers?
    {
        guard let issuer = server.bases["issuer"] ?? server.variables["issuer"]?.string,
            issuer.hasPrefix("http://127.0.0.1:"), let port = UInt16(issuer.dropFirst(17).prefix { $0.isNumber })
        else { return nil }
        do {
            return try runner.startSideServers(issuerPort: port, hookPort: UInt16(options.hookPort))
        } catch {
            throw CommandError(
                "the issuer of port \(port) and the receiver of port \(options.hookPort) cannot be started, which this command is itself: \(error)"
            )
        }
    }

    private static func say(_ text: String) { try? StandardStream.output.write(text + "\n") }
}
