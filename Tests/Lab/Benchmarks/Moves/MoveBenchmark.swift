import LockstepDirectory
import LockstepEmulation
import LockstepMigration
import LockstepPasswords
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepSystem
import Synchronization

/// `lockstep-lab bench moves [USERS[,USERS]…] [USERS BY THE API]` measures moves of users.
///
/// For each number of users it measures plan, apply, verify, follow and undo from Firebase's emulator, which is another process,
/// to the rows of a PostgreSQL, and a plan from a file. Then it measures an apply through the API and a bare client of the same
/// width, and an apply through an API that is 50 ms away.
///
/// `lockstep-lab bench moves FROM:TO [USERS[,USERS]…]` measures the steps in another direction; `rows` is GoTrue with its database.
struct MoveBenchmark {
    private static let memoryMark = 64 << 20
    private static let rateMark = 5000.0
    private static let ratioMark = 0.8
    private static let fileMark = 20_000.0
    /// The lowest acceptable ratio of the rate with the most users to that with the fewest, so that the time is linear.
    private static let linearMark = 0.85

    private typealias Road = MigrationKills.Road
    private static let toRows = Road(from: .firebase, to: .rows)

    static func run(_ words: [String]) async throws {
        let ends = (words.first ?? "").split(separator: ":").compactMap { MovePlaces.Kind(rawValue: String($0)) }
        let road = ends.count == 2 ? Road(from: ends[0], to: ends[1]) : nil
        let words = Array(words.dropFirst(road == nil ? 0 : 1))
        let sizes = (words.first ?? "10000").split(separator: ",").compactMap { Int($0) }
        let byAPI = road == nil ? words.dropFirst().first.flatMap(Int.init) ?? 2000 : 0
        var missed: [String] = []
        var first: [String: MoveFigure]?
        for users in sizes {
            let figures = try await measure(road ?? toRows, users, &missed)
            for (verb, figure) in figures.sorted(by: { $0.key < $1.key }) {
                guard let former = first?[verb], figure.rate < former.rate * linearMark else { continue }
                missed.append(
                    "\(verb): \(users) users have \(MoveFigure.hundredths(figure.rate / former.rate)) of the first rate, 0.85 are due"
                )
            }
            first = first ?? figures
            guard road == nil else { continue }
            let file = try await measureFile(users)
            if file.rate < fileMark { missed.append("a plan from a file reads \(Int(file.rate)) users a second, 20000 are due") }
        }
        if byAPI > 0 {
            missed += try await measureAPI(byAPI)
            missed += try await measureAPI(byAPI, delay: 50)
        }
        guard missed.isEmpty else {
            try StandardStream.error.write(missed.map { "missed: \($0)\n" }.joined())
            CurrentProcess.exit(1)
        }
    }

    // MARK: The steps

    private static func measure(_ road: Road, _ users: Int, _ missed: inout [String]) async throws -> [String: MoveFigure] {
        let servers = try await MoveBenchmarkServers(road, users)
        let places = servers.places
        try MoveFigure.printHead("\(road), \(users) users")
        let source = try await places.source.source().directory
        let bare = try await MoveFigure.measure("bare list", users) { _ in for try await _ in source.all(pageSize: 500) {} }
        let runs = try Folder.makeTemporary(prefix: "lockstep-bench")
        let folder = try RunFolder.make(in: runs, clock: SystemClock(), randomness: SystemRandomness())
        let move = try await places.move(folder)
        let plan = try await MoveFigure.measure("plan", users) { seen in
            guard try await move.plan(progress: seen).created == users else {
                throw MoveBenchmarkFailure(what: "not all users are planned")
            }
        }
        let apply = try await MoveFigure.measure("apply", users) { seen in
            guard try await move.apply(isPartial: false, progress: { seen($0.done) }).states == [.complete: users] else {
                throw MoveBenchmarkFailure(what: "not all users were made")
            }
        }
        let verify = try await MoveFigure.measure("verify", users) { seen in
            guard try await move.verify(progress: seen).isSuccess else { throw MoveBenchmarkFailure(what: "users differ") }
        }
        let follow = try await MoveFigure.measure("follow", users) { seen in
            guard try await move.follow(isDry: false, progress: seen).total == 0 else {
                throw MoveBenchmarkFailure(what: "users have changed")
            }
        }
        let undo = try await MoveFigure.measure("undo", users) { seen in
            guard try await move.undo(isDry: false, progress: seen).deleted == users else {
                throw MoveBenchmarkFailure(what: "not all users were deleted")
            }
        }
        folder.close()
        try Folder.remove(folder.path)
        try Folder.remove(runs)
        await servers.stop()
        let ratio = bare.seconds / plan.seconds
        try StandardStream.output.write("plan: \(MoveFigure.hundredths(ratio)) of the rate of a bare list\n")
        let figures = ["plan": plan, "apply": apply, "verify": verify, "follow": follow, "undo": undo]
        missed += figures.filter { $0.value.memory > memoryMark }.map {
            "\($0.key) has \($0.value.memory >> 20) MiB more than at its start, 64 are allowed"
        }
        guard road == toRows else { return figures }
        if ratio < ratioMark { missed.append("plan has \(MoveFigure.hundredths(ratio)) of the rate of a bare list, 0.8 are due") }
        if apply.rate < rateMark { missed.append("apply by SQL makes \(Int(apply.rate)) users a second, 5000 are due") }
        return figures
    }

    // MARK: From a file

    /// Measures a plan from a file with the command, including its start.
    private static func measureFile(_ users: Int) async throws -> MoveFigure {
        let servers = try await MoveBenchmarkServers(Road(from: .firebase, to: .gotrue), 0)
        let folder = try Folder.makeTemporary(prefix: "lockstep-bench")
        let file = try FileReplacement("\(folder)/users.jsonl")
        try file.write(UserFile.line(UserFile.Header(provider: "firebase", project: "lab", users: users)))
        let hash =
            "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=\(Base64.encode([UInt8](repeating: 7, count: 64)))$c2FsdHNhbHQ=$"
            + Base64.encode([UInt8](repeating: 9, count: 64))
        for number in 0..<users {
            let email = MoveBackend.email(number)
            let user: JSON = [
                "id": .string("user-\(number)"), "email": .string(email), "emailConfirmed": true,
                "displayName": .string("User \(number)"), "passwordHash": .string(hash), "createdAt": "2020-09-13T12:26:40Z",
                "identities": [["provider": "google", "subject": .string("g-\(number)"), "email": .string(email)]],
            ]
            try file.write(user.bytes() + [UInt8(ascii: "\n")])
        }
        try file.commit()
        let move: JSON = [
            "from": ["file": "users.jsonl"],
            "to": ["provider": "gotrue", "url": .string(servers.places.target.address), "key": ["env": "LOCKSTEP_BENCH_KEY"]],
        ]
        try AtomicFile.replace("\(folder)/move.json", with: move.bytes())
        let figure = try await MoveFigure.measure("plan from a file", users) { _ in
            let plan = try await ChildProcess.run(
                WorkerProcess.path(of: "lockstep"), ["migrate", "plan", "--move", "\(folder)/move.json"],
                environment: ["LOCKSTEP_BENCH_KEY": servers.places.target.key, "PATH": "/usr/bin:/bin"], within: .seconds(3600))
            guard plan.status == 0 else { throw MoveBenchmarkFailure(what: "the plan failed: \(plan.errors)") }
        }
        let runs = "\(folder)/migration-runs"
        for run in RunFolder.list(in: runs) { try Folder.remove("\(runs)/\(run)") }
        try Folder.remove(runs)
        try Folder.remove(folder)
        await servers.stop()
        return figure
    }

    // MARK: By the API

    /// Measures an apply through the API: beside a bare client or, with a delay in every answer, beside the width of its requests.
    private static func measureAPI(_ users: Int, delay: Int = 0) async throws -> [String] {
        let servers = try await MoveBenchmarkServers(Road(from: .firebase, to: .gotrue), users, delay: delay)
        let places = servers.places
        try MoveFigure.printHead("by the API, \(users) users, \(delay) ms")
        let runs = try Folder.makeTemporary(prefix: "lockstep-bench")
        let folder = try RunFolder.make(in: runs, clock: SystemClock(), randomness: SystemRandomness())
        let move = try await places.move(folder)
        _ = try await move.plan()
        let bare = delay == 0 ? try await measureBareClient(users, places) : nil
        let apply = try await MoveFigure.measure("apply", users) { seen in
            guard try await move.apply(isPartial: false, progress: { seen($0.done) }).states == [.complete: users] else {
                throw MoveBenchmarkFailure(what: "not all users were made")
            }
        }
        folder.close()
        try Folder.remove(folder.path)
        try Folder.remove(runs)
        await servers.stop()
        let ratio = bare.map { $0.seconds / apply.seconds } ?? apply.rate * Double(delay) / 1000 / Double(RequestLimiter().width)
        let figure = "\(MoveFigure.hundredths(ratio)) of \(bare == nil ? "its width" : "the rate of a bare client")"
        try StandardStream.output.write("apply: \(figure)\n")
        return ratio < ratioMark ? ["apply by the API with \(delay) ms has \(figure), 0.8 are due"] : []
    }

    private static func measureBareClient(_ users: Int, _ places: MovePlaces) async throws -> MoveFigure {
        let directory = try places.target.directory()
        return try await MoveFigure.measure("bare client", users) { _ in
            for try await page in try await places.source.source().directory.pages(size: 500) {
                let outcomes = await directory.create(page.users.map(bareUser))
                guard outcomes.allSatisfy({ $0.error == nil }) else { throw MoveBenchmarkFailure(what: "the bare client failed") }
            }
        }
    }

    /// The same user with another address, so that both can exist.
    private static func bareUser(_ user: DirectoryUser) -> NewDirectoryUser {
        let hash = user.passwordHash.flatMap { try? PasswordHash($0.reveal()).goTrueText }
        var new = NewDirectoryUser(email: user.email.map { "bare-" + $0 }, password: hash.map { .hash(Secret($0)) })
        new.isEmailConfirmed = user.isEmailConfirmed
        new.displayName = user.displayName
        return new
    }
}
