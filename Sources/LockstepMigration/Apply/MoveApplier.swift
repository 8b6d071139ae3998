internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// What a run has done so far.
public struct ApplyReport: Sendable, Hashable {
    /// How many users are in each state.
    public var states: [UserState: Int]
    /// How many users the source has that the plan does not know.
    public var unplanned: Int

    /// How many users the target refused, beside those of the plan.
    public var failures: Int
}

extension UserMove {
    /// Makes the users of the plan, and continues where a killed process stopped.
    ///
    /// No request is sent before its intent is on the disk. What was intended when the process ended is resolved by the target's own id
    /// before anything else is sent, so no user is made twice.
    ///
    /// - Parameters:
    ///   - isPartial: Whether users may be left behind because the plan refuses them.
    ///   - progress: Is called with the number of users done.
    /// - Returns: What the run has done so far.
    /// - Throws: `refusals`, `notPlanned`, `anotherEnd`, `stopped`, `cancelled`, `journal`.
    public func apply(
        isPartial: Bool, progress: @Sendable (Int) -> Void = { _ in }
    ) async throws(MigrationError) -> ApplyReport {
        let plan = try await plannedSummary()
        try checkRefusals(of: plan, isPartial: isPartial)
        try await resolveIntents()
        var work = BatchWork(self)
        var unplanned = 0
        var page: [DirectoryUser] = []
        var users = source.directory.all(pageSize: pageSize).makeAsyncIterator()
        while true {
            let user = try await next(&users, "the users of the source cannot be read")
            if let user { page.append(user) }
            if page.count >= pageSize || user == nil {
                unplanned += try await work.add(page, progress)
                page = []
            }
            if user == nil { break }
        }
        try await work.finish(progress)
        try await noteGone()
        let states = try await journal.counts()
        return ApplyReport(states: states, unplanned: unplanned, failures: (states[.refused] ?? 0) - plan.refusedCount)
    }

    /// Finds out what became of each user for whom a request may have been sent.
    func resolveIntents() async throws(MigrationError) {
        var last = 0
        while true {
            let users = try await journal.users(in: [.intended], after: last, limit: batchSize)
            guard let end = users.last?.number else { return }
            var settled: [Settlement] = []
            for user in users {
                guard !Task.isCancelled else { throw Self.cancelled }
                settled.append(
                    try await resolution(of: user.number, id: user.targetID, digest: user.digest)
                        ?? Settlement(user.number, .planned))
            }
            try await journal.settle(settled)
            last = end
        }
    }

    /// Returns what became of a user by the target's own id; `nil` if the target has no such user.
    func resolution(of number: Int, id: String, digest: [UInt8]) async throws(MigrationError) -> Settlement? {
        guard let found = try await targetUser(id) else { return nil }
        return Settlement(number, key.digest(of: UserRecord(found, at: target)) == digest ? .complete : .differs)
    }

    /// Users whom the source did not give any more have gone since the plan.
    private func noteGone() async throws(MigrationError) {
        while true {
            let users = try await journal.users(in: [.planned], after: 0, limit: pageSize)
            guard !users.isEmpty else { return }
            try await journal.settle(users.map { Settlement($0.number, .gone, "source") })
        }
    }
}

/// The users who are to be made next, in batches of which each is one transaction.
private struct BatchWork {
    private struct Job {
        let number: Int
        let new: NewDirectoryUser
        let digest: [UInt8]
        var attempts = 0

        var id: String { new.id ?? "" }
    }

    private let move: UserMove
    private var patience: Patience
    private var waiting: [Job] = []
    private var done = 0
    /// How many users in a row the target could not make for a reason of its own.
    private var failing = 0

    /// So often a user is sent whom the target fails to make.
    private static let attempts = 3
    /// After so many such users in a row the run stops.
    private static let failures = 5

    init(_ move: UserMove) {
        self.move = move
        patience = Patience(move)
    }

    /// Takes users of the source, and makes those whose turn it is.
    ///
    /// - Returns: How many of them the plan does not know.
    mutating func add(_ users: [DirectoryUser], _ progress: @Sendable (Int) -> Void) async throws(MigrationError) -> Int {
        let known = Dictionary(
            try await move.journal.users(sourceIDs: users.map(\.id)).map { ($0.sourceID, $0) },
            uniquingKeysWith: { first, _ in first })
        var aside: [Settlement] = []
        for user in users {
            guard let row = known[user.id], row.state == .planned else { continue }
            let mapped = move.mapping.map(user)
            switch mapped.outcome {
            case .create: waiting.append(Job(number: row.number, new: mapped.new, digest: move.digest(of: mapped.new)))
            // The user has changed since the plan.
            case .skip(let reason): aside.append(Settlement(row.number, .skipped, reason.rawValue))
            case .refuse(let reason): aside.append(Settlement(row.number, .refused, reason.rawValue))
            }
        }
        if !aside.isEmpty { try await move.journal.settle(aside) }
        while waiting.count >= move.batchSize { try await makeBatch(progress) }
        return users.count { known[$0.id] == nil }
    }

    mutating func finish(_ progress: @Sendable (Int) -> Void) async throws(MigrationError) {
        while !waiting.isEmpty { try await makeBatch(progress) }
    }

    private mutating func makeBatch(_ progress: @Sendable (Int) -> Void) async throws(MigrationError) {
        let jobs = Array(waiting.prefix(move.batchSize))
        waiting.removeFirst(jobs.count)
        guard !Task.isCancelled else { throw UserMove.cancelled }
        try await move.journal.intend(jobs.map { Intent(number: $0.number, digest: $0.digest) })
        let outcomes = await move.target.directory.create(jobs.map(\.new))
        var settled: [Settlement] = []
        var open: [(job: Job, error: AuthError?)] = []
        var failure: AuthError?
        for (job, outcome) in zip(jobs, outcomes) {
            switch outcome {
            case .done: settled.append(Settlement(job.number, .complete))
            case .refused(let error): open.append((job, error))
            case .unknown(let error):
                open.append((job, error))
                failure = failure ?? error
            case .notSent(let error):
                waiting.append(job)
                failure = failure ?? error
            }
        }
        if !settled.isEmpty {
            try await settle(settled, progress)
            settled = []
        }
        if let failure { try await patience.wait(after: failure, "the target did not create users") }
        for (job, error) in open {
            if let resolution = try await move.resolution(of: job.number, id: job.id, digest: job.digest) {
                settled.append(resolution)
            } else if let settlement = try retry(job, after: error) {
                settled.append(settlement)
            }
        }
        if !settled.isEmpty { try await settle(settled, progress) }
    }

    private mutating func settle(_ settled: [Settlement], _ progress: @Sendable (Int) -> Void) async throws(MigrationError) {
        try await move.journal.settle(settled)
        if settled.contains(where: { $0.state == .complete }) {
            patience.renew()
            failing = 0
        }
        done += settled.count
        progress(done)
    }

    /// Sends a user again whom the target does not have, or gives up.
    private mutating func retry(_ job: Job, after error: AuthError?) throws(MigrationError) -> Settlement? {
        guard let error else { return nil }
        guard error.mayPass else { return Settlement(job.number, .refused, error.code.rawValue) }
        var job = job
        job.attempts += 1
        guard job.attempts >= Self.attempts else {
            waiting.append(job)
            return nil
        }
        failing += 1
        guard failing < Self.failures else { throw .stopped(error, "the target failed for \(failing) users in a row") }
        return Settlement(job.number, .refused, UserReason.serverError.rawValue)
    }
}
