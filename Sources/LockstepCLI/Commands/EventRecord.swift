import Lockstep
import LockstepContracts
import LockstepSystem
import Synchronization

/// The record of the clients' events in a run, with one line of JSON per event, for `--events`.
final class EventRecord: Sendable {
    static let option = Option(
        "events", .path("FILE"), "also write the client events to this file, each as one line of JSON; \"-\" writes to stderr")

    /// The path for the lines at the end; `nil` for stderr.
    private let path: String?
    private let lines = Mutex<[UInt8]>([])
    private let terminal: Terminal

    /// Creates the record, if it is requested.
    ///
    /// - Throws: If the file cannot be written.
    init?(_ invocation: Invocation, _ terminal: Terminal) throws {
        guard let place = invocation["events"] else { return nil }
        path = place == "-" ? nil : place
        self.terminal = terminal
        // Replacing a device or a pipe by a file would take it from its other users, and a link from its creator.
        if let path, let status = try FileStatus(of: path), status.kind != .plainFile {
            throw UsageError(
                "invalid value \"\(path)\" for --events: the path is a folder, a link, a pipe or a device. Choose a new file, or \"-\" for stderr."
            )
        }
        try write(to: path)
    }

    /// Returns the harnesses with clients that send their events to this record.
    func told(by harnesses: [any Harness]) -> [any Harness] {
        let sink = AuthEventSink.jsonLines { [self] line in
            if path == nil { terminal.writeToErrors(line) } else { lines.withLock { $0 += line.utf8 } }
        }
        return harnesses.map { $0.telling(sink) }
    }

    /// Writes the file, or to stderr if that fails, so that neither the events nor the following report are lost.
    func save() {
        do {
            try write(to: path)
        } catch {
            terminal.tell(
                "lockstep: cannot write the events to \"\(path ?? "-")\": \(error). The events are printed here instead.")
            terminal.writeToErrors(String(decoding: lines.withLock { $0 }, as: UTF8.self))
        }
    }

    private func write(to path: String?) throws {
        if let path { try AtomicFile.replace(path, with: lines.withLock { $0 }, mode: 0o644) }
    }
}
