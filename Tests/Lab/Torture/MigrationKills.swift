import LockstepEmulation
import LockstepMigration
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepSystem

/// Kills processes that move users, and checks how the next process continues.
struct MigrationKills: Sendable {
    /// From where users move, and to where.
    struct Road: Sendable, Hashable, CustomStringConvertible {
        let from: MovePlaces.Kind
        let to: MovePlaces.Kind

        /// All six directions, and both ways to write GoTrue's users.
        static let all = [
            Road(from: .firebase, to: .gotrue), Road(from: .firebase, to: .rows), Road(from: .rows, to: .firebase),
            Road(from: .firebase, to: .clerk), Road(from: .rows, to: .clerk), Road(from: .clerk, to: .gotrue),
            Road(from: .clerk, to: .firebase),
        ]

        var description: String { "\(from)-\(to)" }
    }

    /// The work of the killed process.
    enum Verb: String, CaseIterable, Sendable { case apply, follow, undo }
    /// The moment of the kill.
    enum Moments: Sendable {
        /// At any time.
        case any
        /// Immediately before and after each write of the journal, one after another.
        case writes
    }

    let road: Road
    let moments: Moments
    private static let users = 30

    func run(_ kills: Int) async throws -> Tally {
        let world = try await MigrationWorld(road, users: Self.users)
        var tally = Tally()
        do {
            var done = 0
            var number = 0
            while done < kills, tally.faults.isEmpty {
                let verb = Verb.allCases[number % Verb.allCases.count]
                let folder = try await world.plan()
                if verb != .apply { try await world.finish(.apply, folder) }
                if verb == .follow { try await world.changeSource() }
                switch moments {
                case .any: done += try await killAnywhere(verb, folder, world, min(kills - done, max(kills / 6, 1)), &tally)
                case .writes: done += try await killAtWrite(number / Verb.allCases.count, verb, folder, world, &tally)
                }
                try await world.check(verb, folder, "kill \(done) of \(verb)", &tally)
                number += 1
            }
        } catch {
            tally.fault("after \(tally.counts.map { "\($0.number) \($0.what)" }.joined(separator: ", ")): \(error)")
        }
        await world.stop()
        return tally
    }

    /// Kills one process after the other until one completes.
    private func killAnywhere(
        _ verb: Verb, _ folder: String, _ world: MigrationWorld, _ most: Int, _ tally: inout Tally
    ) async throws -> Int {
        var kills = 0
        while kills < most {
            if Chance.below(3) == 0 { try world.loseAnAnswer(verb) }
            let worker = try world.worker(verb, folder)
            var last: String?
            for _ in 0..<Chance.below(8) {
                last = try await worker.line()
                if last != "write" { break }
            }
            if last != "done" {
                for _ in 0..<Chance.below(1000) { await Task.yield() }
            }
            await worker.kill()
            while let line = try await worker.line() { last = line }
            if let last, last.hasPrefix("failed") {
                tally.fault("\(verb) \(last)")
                return kills
            }
            if last == "done" { return kills }
            kills += 1
            tally.count("kills of \(verb)")
        }
        world.answerAll()
        try await world.finish(verb, folder)
        return kills
    }

    /// Ends a process at one write of its journal.
    ///
    /// In every second round a response is lost, too.
    private func killAtWrite(
        _ number: Int, _ verb: Verb, _ folder: String, _ world: MigrationWorld, _ tally: inout Tally
    ) async throws -> Int {
        // A run with this many users writes about this often. A follow writes for its passes, its changes and each kind of
        // change.
        let writes = Self.users / MoveWorker.batchSize * 2 + (verb == .follow ? 6 : 0)
        let moment = SQLiteJournal.WriteMoment.allCases[number % 2]
        let isLossy = number / 2 % 2 == 1
        let write = number / 4 % writes + 1
        if isLossy { try world.loseAnAnswer(verb) }
        let worker = try world.worker(verb, folder, ["--end", "\(write)", moment.rawValue])
        var last: String?
        while let line = try await worker.line() { last = line }
        world.answerAll()
        if let last, last.hasPrefix("failed") { tally.fault("\(verb), \(moment) write \(write): \(last)") }
        tally.count("kills \(moment) a write of \(verb)\(isLossy && road.to != .rows ? ", with a lost answer" : "")")
        try await world.finish(verb, folder)
        return 1
    }
}

/// The two ends of the move during which processes are killed.
private struct MigrationWorld: Sendable {
    private let source: MoveBackend
    private let target: MoveBackend
    private let runs: String
    private let users: Int

    private var places: MovePlaces { MovePlaces(from: source.end, to: target.end) }

    init(_ road: MigrationKills.Road, users: Int) async throws {
        self.users = users
        source = try await MoveBackend.start(road.from)
        target = try await MoveBackend.start(road.to)
        runs = try Folder.makeTemporary(prefix: "lockstep-kills")
    }

    func stop() async {
        source.stop()
        target.stop()
        for run in RunFolder.list(in: runs) { try? Folder.remove("\(runs)/\(run)") }
        try? Folder.remove(runs)
    }

    /// Plans a run for an empty target.
    ///
    /// - Returns: The run's name.
    func plan() async throws -> String {
        for run in RunFolder.list(in: runs) { try Folder.remove("\(runs)/\(run)") }
        try await source.empty()
        try await source.fill(0..<users)
        try await target.empty()
        let folder = try RunFolder.make(in: runs, clock: SystemClock(), randomness: SystemRandomness())
        defer { folder.close() }
        _ = try await places.move(folder).plan()
        return folder.id
    }

    /// Renames every fifth user, deletes every fifth, and adds the same number.
    func changeSource() async throws {
        try await source.rename(renamed, to: Self.newName)
        try await source.fill(users..<users + deleted.count)
        try await source.delete(deleted)
    }

    func worker(_ verb: MigrationKills.Verb, _ run: String, _ more: [String] = []) throws -> WorkerProcess {
        try WorkerProcess.laboratory(["move", verb.rawValue, runs, run] + more + places.words)
    }

    /// Continues a run to its end in a process that is not killed.
    func finish(_ verb: MigrationKills.Verb, _ run: String) async throws {
        let worker = try worker(verb, run)
        var last: String?
        while let line = try await worker.line() { last = line }
        guard last == "done" else { throw Unfinished(last: last ?? "nothing") }
    }

    /// Loses the response to one of the next requests, if requests use HTTP.
    func loseAnAnswer(_ verb: MigrationKills.Verb) throws {
        guard let panel = target.server?.panel else { return }
        let requests =
            switch target.end.kind {
            case .firebase: ["batchCreate", "update", "batchDelete"].map { RequestMatch("POST", "*/accounts:\($0)") }
            case .clerk: [RequestMatch("POST", "/v1/users"), RequestMatch("PATCH", "/v1/users/*"), RequestMatch("DELETE", "*")]
            case .gotrue, .rows: [RequestMatch("POST", "*/admin/users"), RequestMatch("PUT", "*"), RequestMatch("DELETE", "*")]
            }
        let request =
            switch verb {
            case .apply: requests[0]
            case .follow: requests[Chance.below(3)]
            case .undo: requests[2]
            }
        try panel.fail(next: 1 + Chance.below(6), request, with: .delay(.zero))
        try panel.fail(next: 1, request, with: .loseResponse)
    }

    func answerAll() { target.server?.panel.clearFaults() }

    /// Compares both sides and the journal: nobody lost, nobody duplicated.
    func check(_ verb: MigrationKills.Verb, _ run: String, _ occasion: String, _ tally: inout Tally) async throws {
        answerAll()
        let folder = try RunFolder.open(run, in: runs)
        defer { folder.close() }
        let states = try await folder.journal.counts()
        let there = try await target.end.directory().count()
        let expected: (users: Int, states: [UserState: Int]) =
            switch verb {
            case .apply: (users, [.complete: users])
            case .follow: (users, [.complete: users, .gone: deleted.count])
            case .undo: (0, [.undone: users])
            }
        guard there == expected.users, states == expected.states else {
            return tally.fault("\(occasion): the target has \(there) users of \(users), the journal has \(states)")
        }
        guard verb != .undo else { return tally.count("runs") }
        let numbers = verb == .apply ? Array(0..<users) : (0..<users + deleted.count).filter { !deleted.contains($0) }
        let found = try await target.end.directory().users(emails: numbers.map { MoveBackend.email($0) })
        for (number, user) in zip(numbers, found) {
            guard let user else {
                tally.fault("\(occasion): \(MoveBackend.email(number)) is lost")
                continue
            }
            if verb == .follow, renamed.contains(number), user.displayName != Self.newName {
                tally.fault("\(occasion): \(MoveBackend.email(number)) has an old name")
            }
        }
        tally.count("runs")
    }

    private var renamed: [Int] { Array(stride(from: 0, to: users, by: 5)) }
    private var deleted: [Int] { Array(stride(from: 1, to: users, by: 5)) }
    private static let newName = "Renamed"

    private struct Unfinished: Error, CustomStringConvertible {
        let last: String
        var description: String { "a process that nobody killed ended after: \(last)" }
    }
}
