internal import Lockstep
public import LockstepDirectory
internal import LockstepPrimitives

/// The result of an undo; in a dry run, the expected result.
public struct UndoReport: Sendable, Hashable {
    /// A user that an undo keeps on the target.
    public struct Kept: Sendable, Hashable {
        /// The id of the user on the source.
        public let sourceID: String
        /// The id of the user on the target.
        public let targetID: String?
        /// The reason why the user is kept.
        public let reason: Removal
    }

    /// The number of deleted users; in a dry run, the number of users to delete.
    public var deleted = 0
    /// The number of users that no longer existed on the target before the undo.
    public var gone = 0
    /// The users that are kept, at most a thousand.
    public var kept: [Kept] = []
    /// The number of users that are kept.
    public var keptCount = 0
    /// The number of users that the target refused to delete.
    public var refused = 0
    /// The target's tables with rows that refer to the users to delete.
    ///
    /// Only a dry run counts these rows.
    public var references: [DirectoryReference] = []
}

extension [DirectoryReference] {
    /// Adds the rows of some users.
    mutating func add(_ tables: [DirectoryReference]) {
        for table in tables {
            guard let place = firstIndex(where: { $0.table == table.table && $0.columns == table.columns }) else {
                append(table)
                continue
            }
            if let sum = self[place].rows, let more = table.rows { self[place].rows = sum + more }
        }
    }
}

extension UserMove {
    /// Deletes the users that this run has created, unless they were changed or have signed in since then.
    ///
    /// A user who was on the target before the run is never deleted.
    ///
    /// - Parameters:
    ///   - isDry: Whether this is a dry run, which changes nothing.
    ///   - progress: Called with the number of users that were checked.
    /// - Returns: The result; in a dry run, the expected result.
    /// - Throws: `notPlanned`, `anotherEnd`, `stopped`, `cancelled`, `journal`.
    public func undo(isDry: Bool, progress: @Sendable (Int) -> Void = { _ in }) async throws(MigrationError) -> UndoReport {
        _ = try await plannedSummary()
        let halves = try await resolveIntents(removesHalves: !isDry)
        if !isDry { try await removeCanaries() }
        var report = UndoReport(deleted: halves)
        var last = 0
        var count = 0
        while true {
            let rows = try await journal.users(in: [.complete, .verified, .differs], after: last, limit: batchSize)
            guard let end = rows.last?.number else { return report }
            guard !Task.isCancelled else { throw Self.cancelled }
            try await undo(rows, isDry: isDry, &report)
            last = end
            count += rows.count
            progress(count)
        }
    }

    private func undo(_ rows: [JournalUser], isDry: Bool, _ report: inout UndoReport) async throws(MigrationError) {
        var settled: [(number: Int, removal: Removal?)] = []
        var deletable: [JournalUser] = []
        let users = try await targetUsers(rows.map(request))
        for row in rows {
            switch verdict(on: row, users[request(for: row).key]) {
            case .undone:
                // A deletion whose response was lost is done by this run.
                if row.removal == .intended { report.deleted += 1 } else { report.gone += 1 }
                settled.append((row.number, .undone))
            case .intended: deletable.append(row)
            case let reason:
                report.keptCount += 1
                if report.kept.count < VerifyReport.named {
                    report.kept.append(.init(sourceID: row.sourceID, targetID: row.targetID, reason: reason))
                }
                settled.append((row.number, reason))
            }
        }
        if isDry, !deletable.isEmpty {
            let ids = deletable.compactMap(\.targetID)
            report.references.add(
                try await asking("the tables that refer to users cannot be read") { () throws(AuthError) in
                    try await target.references(ids)
                })
        }
        guard !isDry else {
            report.deleted += deletable.count
            return
        }
        if !settled.isEmpty { try await journal.settleRemoval(settled) }
        try await delete(deletable, &report)
    }

    /// `intended` for a user who may be deleted; `undone` for a user who no longer exists.
    func verdict(on row: JournalUser, _ user: DirectoryUser?) -> Removal {
        guard let user else { return .undone }
        if user.lastSignInAt?.milliseconds != row.signedIn { return .signedIn }
        // Without an id in the journal, the run has not seen this user yet.
        let isSame = row.targetID != nil && row.state.isMade && has(user, row.digest)
        return isSame ? .intended : .changed
    }

    private func delete(_ rows: [JournalUser], _ report: inout UndoReport) async throws(MigrationError) {
        var open = rows
        var patience = Patience(self)
        while !open.isEmpty {
            guard !Task.isCancelled else { throw Self.cancelled }
            try await journal.intendRemoval(open.map(\.number))
            let outcomes = await target.directory.delete(open.compactMap(\.targetID))
            var settled: [(number: Int, removal: Removal?)] = []
            var rest: [JournalUser] = []
            var failure: AuthError?
            for (row, outcome) in zip(open, outcomes) {
                switch outcome {
                case .done: settled.append((row.number, .undone))
                case .refused(let error) where error.code == .userNotFound: settled.append((row.number, .undone))
                case .refused:
                    report.refused += 1
                    settled.append((row.number, nil))
                case .unknown(let error), .notSent(let error):
                    rest.append(row)
                    failure = failure ?? error
                }
            }
            report.deleted += settled.count { $0.removal == .undone }
            if !settled.isEmpty { try await journal.settleRemoval(settled) }
            if let failure { try await patience.wait(after: failure, "the target did not delete users") }
            open = []
            settled = []
            let users = try await targetUsers(rest.map(request))
            for row in rest {
                // The request may have arrived, and a user who is still there may have signed in meanwhile.
                switch verdict(on: row, users[request(for: row).key]) {
                case .undone:
                    report.deleted += 1
                    settled.append((row.number, .undone))
                case .intended: open.append(row)
                case let reason:
                    report.keptCount += 1
                    report.kept.append(.init(sourceID: row.sourceID, targetID: row.targetID, reason: reason))
                    settled.append((row.number, reason))
                }
            }
            if !settled.isEmpty { try await journal.settleRemoval(settled) }
        }
    }
}
