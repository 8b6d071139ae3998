internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// What a verification has found.
public struct VerifyReport: Sendable, Hashable {
    /// A user who is not as the run wrote it.
    public struct Difference: Sendable, Hashable {
        /// The id at the source.
        public let sourceID: String
        /// The id at the target.
        public let targetID: String
        /// The names of the values that differ; empty if the source has the user no more.
        public let fields: [String]
    }

    /// How many users are as the run wrote them.
    public var verified = 0
    /// Users who are not, the first thousand.
    public var differing: [Difference] = []
    /// How many users are not as the run wrote them.
    public var differingCount = 0
    /// The ids of users who are missing at the target, the first thousand.
    public var missing: [String] = []
    /// How many users are missing at the target.
    public var missingCount = 0
    /// How many users of the plan are not made yet.
    public var open = 0
    /// How many users the target has that the run did not make.
    public var others = 0

    /// The largest number of users that a report names.
    static let named = 1000

    /// Whether the target is as the run wrote it.
    public var isSuccess: Bool { differingCount == 0 && missingCount == 0 && open == 0 }
}

extension UserMove {
    /// Reads the target once, and compares each user whom the run has made with what it wrote.
    ///
    /// The hash of a password is not read back where the target gives out none.
    ///
    /// - Parameter progress: Is called with the number of users read.
    /// - Returns: What was found.
    /// - Throws: `notPlanned`, `anotherEnd`, `stopped`, `cancelled`, `journal`.
    public func verify(progress: @Sendable (Int) -> Void = { _ in }) async throws(MigrationError) -> VerifyReport {
        _ = try await plannedSummary()
        try await resolveIntents()
        try await journal.beginVerification()
        var report = VerifyReport()
        var page: [DirectoryUser] = []
        var count = 0
        var users = target.directory.all(pageSize: pageSize).makeAsyncIterator()
        while true {
            let user = try await next(&users, "the users of the target cannot be read")
            if let user { page.append(user) }
            if page.count >= pageSize || user == nil {
                guard !Task.isCancelled else { throw Self.cancelled }
                try await compare(page, &report)
                count += page.count
                progress(count)
                page = []
            }
            if user == nil { break }
        }
        try await lookForUnseen(&report)
        let states = try await journal.counts()
        report.open = (states[.planned] ?? 0) + (states[.intended] ?? 0)
        return report
    }

    private func compare(_ users: [DirectoryUser], _ report: inout VerifyReport) async throws(MigrationError) {
        let known = Dictionary(
            try await journal.users(targetIDs: users.map(\.id)).map { ($0.targetID, $0) }, uniquingKeysWith: { first, _ in first }
        )
        var settled: [Settlement] = []
        for user in users {
            guard let row = known[user.id], row.state.isMade || [.adopted, .differs].contains(row.state) else {
                report.others += 1
                continue
            }
            settled.append(try await settlement(of: row, as: user, &report))
        }
        if !settled.isEmpty { try await journal.settle(settled) }
    }

    private func settlement(
        of row: JournalUser, as user: DirectoryUser, _ report: inout VerifyReport
    ) async throws(MigrationError) -> Settlement {
        let found = UserRecord(user, at: target)
        if key.digest(of: found) == row.digest {
            report.verified += 1
            return Settlement(row.number, row.state == .adopted ? .adopted : .verified)
        }
        report.differingCount += 1
        if report.differing.count < VerifyReport.named {
            let fields = try await differences(of: row, from: found)
            report.differing.append(.init(sourceID: row.sourceID, targetID: row.targetID, fields: fields))
        }
        return Settlement(row.number, .differs)
    }

    /// Reads a user at the source, and returns the names of the values that differ at the target.
    private func differences(of row: JournalUser, from found: UserRecord) async throws(MigrationError) -> [String] {
        let user = try await asking("a user of the source cannot be read") { () throws(AuthError) -> DirectoryUser? in
            do throws(AuthError) {
                return try await source.directory.user(id: row.sourceID)
            } catch {
                guard error.code == .userNotFound else { throw error }
                return nil
            }
        }
        return user.map { found.differences(from: UserRecord(mapping.map($0).new, at: target)) } ?? []
    }

    /// Asks for each user who was made and stands on no page: a list may shift while it is read.
    private func lookForUnseen(_ report: inout VerifyReport) async throws(MigrationError) {
        var last = 0
        while true {
            let rows = try await journal.unseen(after: last, limit: batchSize)
            guard let end = rows.last?.number else { return }
            var settled: [Settlement] = []
            for row in rows {
                guard !Task.isCancelled else { throw Self.cancelled }
                if let user = try await targetUser(row.targetID) {
                    settled.append(try await settlement(of: row, as: user, &report))
                    continue
                }
                report.missingCount += 1
                if report.missing.count < VerifyReport.named { report.missing.append(row.targetID) }
                settled.append(Settlement(row.number, .gone, "target"))
            }
            try await journal.settle(settled)
            last = end
        }
    }
}
