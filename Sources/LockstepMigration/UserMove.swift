internal import Lockstep
@_exported public import LockstepDirectory
@_exported public import LockstepPasswords
@_exported public import LockstepPrimitives

/// A run that moves users from one backend to another according to a plan.
///
/// Its steps are ``plan(progress:)``, ``apply(isPartial:progress:)``, ``verify(signingInThrough:progress:)`` and
/// ``undo(isDry:progress:)``. If a step is interrupted, call it again to continue. The type does not depend on a
/// particular backend. ``MoveSource`` and ``MoveTarget`` contain the differences between backends.
public struct UserMove: Sendable {
    /// The backend from which users move.
    public let source: MoveSource
    /// The backend to which users move.
    public let target: MoveTarget
    /// The operator's choices for users who cannot be moved unchanged.
    public let choices: MoveChoices
    /// Called before the run waits for ten seconds or more because a backend asks for it.
    public var tellsWait: @Sendable (Duration) -> Void = { _ in }
    let key: RunKey
    let journal: any MoveJournal
    let clock: any DeviceClock
    let randomness: any Randomness
    let mapping: Mapping
    /// The maximum number of users in one batch, which is one transaction of the journal.
    let batchSize: Int
    /// The maximum number of users that an apply creates in one batch, if the target creates them in about a second.
    let largestBatch: Int
    /// The number of users that are read at a time.
    let pageSize = 500

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - source: The backend from which users move.
    ///   - target: The backend to which users move.
    ///   - choices: The operator's choices for users who cannot be moved unchanged.
    ///   - key: The key for the digests of the run.
    ///   - journal: The journal of the run.
    ///   - clock: The clock for the time that the run waits before a retry.
    ///   - randomness: The source of randomness for the waiting times.
    ///   - batchSize: The maximum number of users in one batch. Default: the target's batch size.
    public init(
        from source: MoveSource, to target: MoveTarget, _ choices: MoveChoices, key: RunKey, journal: any MoveJournal,
        clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness(), batchSize: Int? = nil
    ) {
        self.source = source
        self.target = target
        self.choices = choices
        self.key = key
        self.journal = journal
        self.clock = clock
        self.randomness = randomness
        self.batchSize = max(batchSize ?? target.batchSize, 1)
        largestBatch = batchSize.map { max($0, 1) } ?? max(target.batchSize, pageSize)
        mapping = Mapping(from: source, to: target, choices)
    }

    static let cancelled = MigrationError(.cancelled, "The run was cancelled between two batches. Continue it later.")

    /// Returns the complete plan of the run.
    ///
    /// - Returns: The plan in numbers.
    /// - Throws: `notPlanned`, `anotherEnd`.
    public func plannedSummary() async throws(MigrationError) -> PlanSummary {
        guard let head = try await journal.head() else {
            throw MigrationError(.notPlanned, "The run has no plan. Create one with lockstep migrate plan.")
        }
        for (bound, named, side) in [(head.source, source.mark, "source"), (head.target, target.mark, "target")]
        where bound.exact != named.exact {
            throw MigrationError(
                .anotherEnd,
                "The run belongs to the \(side) \"\(bound)\", but \"\(named)\" was given. Use the source and target of the run, or plan again."
            )
        }
        guard head.access == target.access else {
            throw MigrationError(
                .anotherAccess,
                head.access == .database
                    ? "The run was planned with the target's database, but only its API was given. Add the database again, or plan again."
                    : "The run was planned without the target's database, but a database was given. Remove it, or plan again with it."
            )
        }
        guard let summary = head.plan.flatMap(PlanSummary.init(journal:)) else {
            throw MigrationError(.notPlanned, "The plan of the run was interrupted. Create a new one with lockstep migrate plan.")
        }
        guard summary.isConsistent else {
            throw MigrationError(.journal, "The plan in the journal of the run is damaged: its sums differ. Plan again.")
        }
        return summary
    }

    /// Throws an error if a plan rejects users, unless the run may leave them behind.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - isPartial: Whether the run may leave behind the users that the plan rejects.
    /// - Throws: `refusals`.
    public func checkRefusals(of plan: PlanSummary, isPartial: Bool) throws(MigrationError) {
        guard !isPartial, plan.refusedCount > 0 else { return }
        throw MigrationError(
            .refusals,
            "The plan rejects \(plan.refusedCount) users. Correct them and plan again, or leave them out with --partial.")
    }

    /// Returns the digest of the record that a user should have on the target.
    func digest(of user: NewDirectoryUser) -> [UInt8] { key.digest(of: UserRecord(user, at: target)) }

    /// Returns whether a user of the target has the record of a digest.
    ///
    /// If the source has no time of the account, the target sets its own, which is not a difference.
    func has(_ user: DirectoryUser, _ digest: [UInt8]) -> Bool {
        let record = UserRecord(user, at: target)
        return key.digest(of: record) == digest || key.digest(of: record.with("created", nil)) == digest
    }

    /// Returns users of the target.
    ///
    /// - Parameter requests: The users: by their ids, or by external ids if the target has not told the ids yet.
    /// - Returns: The users by their requests, without users who are not on the target.
    /// - Throws: `MigrationError`.
    func targetUsers(_ requests: [RequestedUser]) async throws(MigrationError) -> [RequestedUser.Key: DirectoryUser] {
        guard !requests.isEmpty else { return [:] }
        let users = try await asking("users of the target cannot be read") { () throws(AuthError) in
            try await target.directory.users(requests)
        }
        return Dictionary(
            zip(requests, users).compactMap { request, user in user.map { (request.key, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the user with an id on the target; `nil` if the user does not exist.
    func targetUser(_ id: String) async throws(MigrationError) -> DirectoryUser? {
        try await targetUsers([.id(id)])[RequestedUser.id(id).key]
    }

    /// Returns the way to find a new user on the target: by the id, or by the external id if the target makes the id.
    func request(for user: NewDirectoryUser) -> RequestedUser {
        user.id.map { .id($0) } ?? .externalID(user.externalID ?? "")
    }

    /// Returns an id that the target has made, for the journal; `nil` if the journal knows the ids before.
    func made(_ id: String) -> String? { target.ids == .assigned ? id : nil }

    /// Returns the way to find a user of the journal on the target.
    func request(for row: JournalUser) -> RequestedUser { row.targetID.map { .id($0) } ?? .externalID(row.sourceID) }

    /// Sends a read-only request to a backend; repeats it after a temporary failure.
    func asking<Value>(_ occasion: String, _ body: () async throws(AuthError) -> Value) async throws(MigrationError) -> Value {
        var patience = Patience(self)
        while true {
            do throws(AuthError) {
                return try await body()
            } catch {
                try await patience.wait(after: error, occasion)
            }
        }
    }
}
