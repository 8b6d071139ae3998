import LockstepEmulation
import LockstepMigration
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// A process that moves users until it is done, killed, or its standard input ends.
///
/// `lockstep-lab move apply|follow|undo FOLDER RUN [--end WRITE before|after] PLACES…` continues a run, and prints `write` after each write
/// of the journal, `done` at the end, or `failed …`. Both places are a backend, its address and its key.
///
/// `lockstep-lab move serve FROM TO USERS MILLISECONDS` serves a source with this many users and an empty target, which delays each answer.
/// It prints `filled …` while it creates the users, then `ready` with both places, between tabs.
struct MoveWorker {
    /// The largest batch, so that a run can be killed at many moments.
    static let batchSize = 4

    static func run(_ words: [String]) async throws {
        try BlockingThread.start {
            while let bytes = try? StandardStream.input.read(), !bytes.isEmpty {}
            CurrentProcess.exit(0)
        }
        switch words.first {
        case "serve" where words.count == 5:
            guard let source = MovePlaces.Kind(rawValue: words[1]), let target = MovePlaces.Kind(rawValue: words[2]),
                let users = Int(words[3]), let delay = Int(words[4])
            else { try refuse() }
            try await serve((source, target), users, .milliseconds(delay))
        case "apply", "follow", "undo":
            try await move(words[0], Array(words.dropFirst()))
        default: try refuse()
        }
    }

    private static func move(_ verb: String, _ words: [String]) async throws {
        guard words.count > 2 else { try refuse() }
        var rest = Array(words.dropFirst(2))
        var end: (write: Int, moment: SQLiteJournal.WriteMoment)?
        if rest.first == "--end", rest.count > 3, let write = Int(rest[1]),
            let moment = SQLiteJournal.WriteMoment(rawValue: rest[2])
        {
            end = (write, moment)
            rest.removeFirst(3)
        }
        guard let places = MovePlaces(rest) else { try refuse() }
        do {
            let folder = try RunFolder.open(words[1], in: words[0])
            await folder.journal.observeWrites(observer(endingAt: end))
            let move = try await places.move(folder, batchSize: batchSize)
            switch verb {
            case "apply": _ = try await move.apply(isPartial: false)
            case "follow":
                let report = try await move.follow(isDry: false)
                guard report.isSuccess else { throw LeftUsers(report: report) }
            default: _ = try await move.undo(isDry: false)
            }
            try StandardStream.output.write("done\n")
        } catch {
            try StandardStream.output.write("failed \(error)\n")
        }
        CurrentProcess.exit(0)
    }

    private struct LeftUsers: Error, CustomStringConvertible {
        let report: FollowReport
        var description: String { "the follow has left users alone: \(report)" }
    }

    /// Returns a function that prints a line after each write of a journal, and ends the process at one of them.
    private static func observer(
        endingAt end: (write: Int, moment: SQLiteJournal.WriteMoment)?
    ) -> @Sendable (SQLiteJournal.WriteMoment) -> Void {
        let writes = Mutex(0)
        return { moment in
            let number = writes.withLock { number in
                if moment == .before { number += 1 }
                return number
            }
            if let end, end == (number, moment) { CurrentProcess.exit(9) }
            if moment == .after { try? StandardStream.output.write("write\n") }
        }
    }

    private static func serve(_ kinds: (MovePlaces.Kind, MovePlaces.Kind), _ users: Int, _ delay: Duration) async throws {
        let source = try await MoveBackend.start(kinds.0)
        try await source.fill(0..<users) { try StandardStream.output.write("filled \($0)\n") }
        let target = try await MoveBackend.start(kinds.1)
        try target.server?.panel.fail(next: .max, with: .delay(delay))
        let words = MovePlaces(from: source.end, to: target.end).words
        try StandardStream.output.write((["ready"] + words).joined(separator: "\t") + "\n")
        // The end of the standard input ends the process.
        while true { try await SystemClock().sleep(for: .seconds(3600)) }
    }

    private static func refuse() throws -> Never {
        try StandardStream.error.write(
            "usage: lockstep-lab move apply|follow|undo FOLDER RUN [--end WRITE before|after] PLACES… | serve FROM TO USERS MILLISECONDS\n"
        )
        CurrentProcess.exit(2)
    }
}
