import LockstepDirectory
import LockstepMigration
import LockstepPasswords
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepSystem
import Synchronization

/// `lockstep-lab bench moves [USERS] [USERS BY THE API]`: what plan, apply, verify and undo of so many users take, from Firebase's emulator in a
/// process of its own into the rows of a PostgreSQL, in users a second and in memory above the start; then an apply by the API beside a bare
/// client of the same width.
struct MoveBenchmark {
    private static let memoryMark = 64 << 20
    private static let rateMark = 5000.0
    private static let ratioMark = 0.8

    static func run(_ words: [String]) async throws {
        let users = words.first.flatMap(Int.init) ?? 10_000
        let byAPI = words.dropFirst().first.flatMap(Int.init) ?? 2000
        var missed = try await measureRows(users)
        missed += try await measureAPI(byAPI)
        guard missed.isEmpty else {
            try StandardStream.error.write(missed.map { "missed: \($0)\n" }.joined())
            CurrentProcess.exit(1)
        }
    }

    // MARK: By SQL

    private static func measureRows(_ users: Int) async throws -> [String] {
        let servers = try await Servers(users)
        let rows = try await MoveRows(try await PostgresServer.shared())
        let places = MovePlaces(source: servers.source, project: servers.project, target: .rows(Secret(rows.address)))
        try print("by SQL, \(users) users", "users/s", "MiB above start", "seconds")
        let source = try await places.sourceDirectory()
        let bare = try await measure("bare list", users) { _ in for try await _ in source.all(pageSize: 500) {} }
        let runs = try Folder.makeTemporary(prefix: "lockstep-bench")
        let folder = try RunFolder.make(in: runs, clock: SystemClock(), randomness: SystemRandomness())
        let move = try await places.move(folder)
        let plan = try await measure("plan", users) { seen in
            guard try await move.plan(progress: seen).created == users else { throw Failure(what: "not all users are planned") }
        }
        let apply = try await measure("apply", users) { seen in
            guard try await move.apply(isPartial: false, progress: { seen($0.done) }).states == [.complete: users] else {
                throw Failure(what: "not all users were made")
            }
        }
        let verify = try await measure("verify", users) { seen in
            guard try await move.verify(progress: seen).isSuccess else { throw Failure(what: "users differ") }
        }
        let undo = try await measure("undo", users) { seen in
            guard try await move.undo(isDry: false, progress: seen).deleted == users else {
                throw Failure(what: "not all users were deleted")
            }
        }
        folder.close()
        try Folder.remove(folder.path)
        try Folder.remove(runs)
        await servers.stop()
        try StandardStream.output.write("plan: \(tenths(bare.seconds / plan.seconds)) of the rate of a bare list\n")
        var missed = [("plan", plan), ("apply", apply), ("verify", verify), ("undo", undo)]
            .filter { $0.1.memory > memoryMark }.map {
                "\($0.0) has \($0.1.memory >> 20) MiB more than at its start, 64 are allowed"
            }
        if apply.rate < rateMark { missed.append("apply by SQL makes \(Int(apply.rate)) users a second, 5000 are due") }
        return missed
    }

    // MARK: By the API

    private static func measureAPI(_ users: Int) async throws -> [String] {
        let servers = try await Servers(users)
        let places = MovePlaces(
            source: servers.source, project: servers.project, target: .api(base: servers.target, key: servers.key))
        try print("by the API, \(users) users", "users/s", "MiB above start", "seconds")
        let directory = try places.targetDirectory()
        let runs = try Folder.makeTemporary(prefix: "lockstep-bench")
        let folder = try RunFolder.make(in: runs, clock: SystemClock(), randomness: SystemRandomness())
        let move = try await places.move(folder)
        _ = try await move.plan()
        let bare = try await measure("bare client", users) { _ in
            for try await page in try await places.sourceDirectory().pages(size: 500) {
                let outcomes = await directory.create(page.users.map(bareUser))
                guard outcomes.allSatisfy({ $0.error == nil }) else { throw Failure(what: "the bare client failed") }
            }
        }
        let apply = try await measure("apply", users) { seen in
            guard try await move.apply(isPartial: false, progress: { seen($0.done) }).states == [.complete: users] else {
                throw Failure(what: "not all users were made")
            }
        }
        folder.close()
        try Folder.remove(folder.path)
        try Folder.remove(runs)
        await servers.stop()
        let ratio = bare.seconds / apply.seconds
        try StandardStream.output.write("apply: \(tenths(ratio)) of the rate of a bare client\n")
        return ratio < ratioMark ? ["apply by the API has \(tenths(ratio)) of the rate of a bare client, 0.8 are due"] : []
    }

    /// The same user with another address, so that both can be there.
    private static func bareUser(_ user: DirectoryUser) -> NewDirectoryUser {
        let hash = user.passwordHash.flatMap { try? PasswordHash($0.reveal()).goTrueText }
        var new = NewDirectoryUser(email: user.email.map { "bare-" + $0 }, password: hash.map { .hash(Secret($0)) })
        new.isEmailConfirmed = user.isEmailConfirmed
        new.displayName = user.displayName
        return new
    }

    // MARK: Measuring

    private struct Figure {
        let seconds: Double
        let rate: Double
        let memory: Int
    }

    private static func measure(
        _ name: String, _ users: Int, _ body: (@escaping @Sendable (Int) -> Void) async throws -> Void
    ) async throws -> Figure {
        CurrentProcess.returnFreeMemory()
        let before = CurrentProcess.residentMemory ?? 0
        let most = Mutex(before)
        let clock = SystemClock()
        let start = clock.uptime
        try await body { _ in
            let now = CurrentProcess.residentMemory ?? 0
            most.withLock { $0 = max($0, now) }
        }
        let time = clock.uptime - start
        let last = CurrentProcess.residentMemory ?? 0
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        let figure = Figure(
            seconds: seconds, rate: Double(users) / seconds, memory: max(most.withLock(\.self), last) - before)
        try print(name, "\(Int(figure.rate))", "\(figure.memory >> 20)", tenths(seconds))
        return figure
    }

    private static func tenths(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
    }

    private static func print(_ columns: String...) throws {
        let widths = [28, 10, 18, 10]
        let line = zip(columns, widths).map { $0 + String(repeating: " ", count: max(1, $1 - $0.count)) }.joined()
        try StandardStream.output.write(line + "\n")
    }

    private struct Failure: Error, CustomStringConvertible {
        let what: String
        var description: String { what }
    }

    /// Source and target, in a process of their own.
    private struct Servers {
        let source: String
        let project: String
        let target: String
        let key: Secret
        private let process: WorkerProcess

        init(_ users: Int) async throws {
            process = try WorkerProcess.laboratory(["move", "serve", "\(users)"])
            var words: [String] = []
            while words.first != "ready" {
                guard let line = try await process.line() else { throw Failure(what: "the servers did not start") }
                words = line.split(separator: " ").map(String.init)
            }
            guard words.count == 5 else { throw Failure(what: "the servers did not start") }
            (source, project, target, key) = (words[1], words[2], words[3], Secret(words[4]))
        }

        func stop() async { await process.kill() }
    }
}
