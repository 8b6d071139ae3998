internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// Creates users in batches.
///
/// Each batch is one transaction of the journal before its requests, and one after them. While the target answers a batch, the outcome of
/// the one before and the intent of the next are written, so that the target does not wait for the disk.
struct BatchWriter: Sendable {
    private let move: UserMove
    private let progress: @Sendable (ApplyProgress) -> Void
    private var patience: Patience
    private var size: BatchSize
    private var waiting: [MovingUser] = []
    /// The next batch: its intent is in the journal, and no request was sent.
    private var intended: [MovingUser] = []
    /// The last batch: the target has answered, and the journal does not know it.
    private var answered: [Answer] = []
    private var state = ApplyProgress(done: 0)
    private var streak = RefusalStreak()

    private typealias Answer = (user: MovingUser, outcome: DirectoryOutcome)

    /// The maximum number of attempts to create a user.
    private static let attempts = 3

    init(_ move: UserMove, _ progress: @escaping @Sendable (ApplyProgress) -> Void) {
        self.move = move
        self.progress = progress
        patience = Patience(move)
        size = BatchSize(upTo: move.largestBatch)
    }

    /// Creates the users of a page, except for a rest that is smaller than a batch.
    mutating func add(_ page: SourcePage) async throws(MigrationError) {
        if !page.aside.isEmpty { try await move.journal.settle(page.aside) }
        waiting += page.users
        while waiting.count >= size.value { try await makeBatch() }
    }

    /// Records how long writing a page took, and how long the writer then waited for the next page.
    mutating func note(writing: Duration, reading: Duration) { state.limit = reading > writing ? .source : .target }

    /// Creates the remaining users.
    mutating func finish() async throws(MigrationError) {
        while !(waiting.isEmpty && intended.isEmpty && answered.isEmpty) { try await makeBatch(isLast: true) }
    }

    /// Records what is known when a run ends early: a user whose outcome is not known stays in the journal as intended.
    mutating func leave() async {
        var created: [Settlement] = []
        var unsent = intended
        for (user, outcome) in answered {
            switch outcome {
            case .done(let id): created.append(Settlement(user.number, .complete, targetID: move.made(id)))
            case .notSent: unsent.append(user)
            case .refused, .unknown: break
            }
        }
        try? await note(created)
        try? await move.journal.settle(unsent.map { Settlement($0.number, .planned) })
    }

    private mutating func makeBatch(isLast: Bool = false) async throws(MigrationError) {
        if intended.isEmpty { try await intend(isLast) }
        let batch = intended
        intended = []
        async let sending = move.send(batch)
        do throws(MigrationError) {
            let former = answered
            answered = []
            try await settle(former)
            try await intend(isLast)
        } catch {
            let outcomes = await sending.outcomes
            answered += zip(batch, outcomes).map { ($0, $1) }
            throw error
        }
        let sent = await sending
        if !batch.isEmpty { size.adapt(to: sent.duration) }
        answered = zip(batch, sent.outcomes).map { ($0, $1) }
    }

    /// Writes the intent of the next batch; of a smaller one only at the end.
    private mutating func intend(_ isLast: Bool) async throws(MigrationError) {
        guard !waiting.isEmpty, isLast || waiting.count >= size.value else { return }
        guard !Task.isCancelled else { throw UserMove.cancelled }
        let users = Array(waiting.prefix(size.value))
        try await move.journal.intend(users.map(\.intent))
        waiting.removeFirst(users.count)
        intended = users
    }

    /// Records the outcome of a batch: first the users that the target has confirmed, then the users that are looked up.
    private mutating func settle(_ batch: [Answer]) async throws(MigrationError) {
        guard !batch.isEmpty else { return }
        var open: [Answer] = []
        var settled: [Settlement] = []
        var failure: AuthError?
        for (user, outcome) in batch {
            switch outcome {
            case .done(let id): settled.append(Settlement(user.number, .complete, targetID: move.made(id)))
            case .refused: open.append((user, outcome))
            case .unknown(let error):
                open.append((user, outcome))
                failure = failure ?? error
            case .notSent(let error):
                waiting.append(user)
                failure = failure ?? error
            }
        }
        try await note(settled)
        if let failure {
            size.halve()
            state.limit = .pause
            progress(state)
            try await patience.wait(after: failure, "the target did not create users")
        }
        let found = try await move.resolutions(of: open.map { $0.user.open(in: move) })
        settled = []
        for (user, outcome) in batch {
            if case .done = outcome { streak.end() }
            if case .notSent = outcome { continue }
            if let settlement = found[user.number] {
                settled.append(settlement)
            } else if let error = outcome.error, let settlement = try await verdict(on: user, outcome, error, settled) {
                settled.append(settlement)
            }
        }
        try await note(settled)
    }

    /// Returns what happens to a user who is not on the target: `nil` to send the user again, or a rejection.
    ///
    /// - Throws: `stopped` if the target rejects many users in a row for the same reason. These users stay planned.
    private mutating func verdict(
        on user: MovingUser, _ outcome: DirectoryOutcome, _ error: AuthError, _ settled: [Settlement]
    ) async throws(MigrationError) -> Settlement? {
        if case .unknown = outcome, error.mayPass, user.attempts + 1 < Self.attempts {
            var user = user
            user.attempts += 1
            waiting.append(user)
            return nil
        }
        streak.add(user.number, error)
        guard streak.isAtLimit else {
            let reason: String =
                if case .unknown = outcome {
                    UserReason.serverError.rawValue
                } else if error.isOfDatabase {
                    UserReason.databaseError.rawValue
                } else {
                    error.code.rawValue
                }
            return Settlement(user.number, .refused, reason)
        }
        let users = streak.users
        try await note(settled.filter { !users.contains($0.number) })
        try await move.journal.settle(users.map { Settlement($0, .planned) })
        throw MigrationError(
            .stopped,
            "the target rejected \(users.count) users in a row for the same reason: \(error.message) (\(error.code)). Check what "
                + "runs on the target when a user is created, such as triggers, then continue the run. It tries these users again."
        )
    }

    private mutating func note(_ settled: [Settlement]) async throws(MigrationError) {
        guard !settled.isEmpty else { return }
        try await move.journal.settle(settled)
        if settled.contains(where: { $0.state == .complete }) { patience.renew() }
        state.done += settled.count
        progress(state)
    }
}

extension MovingUser {
    fileprivate func open(in move: UserMove) -> OpenUser {
        OpenUser(number: number, request: move.request(for: new), digest: digest, stages: stages)
    }
}

extension UserMove {
    fileprivate func send(_ batch: [MovingUser]) async -> (outcomes: [DirectoryOutcome], duration: Duration) {
        guard !batch.isEmpty else { return ([], .zero) }
        let start = clock.uptime
        let outcomes = await target.directory.create(batch.map(\.new))
        return (outcomes, clock.uptime - start)
    }
}
