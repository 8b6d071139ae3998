public import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension UserMove {
    /// Reads all users of the target, and compares the users of this run with the values that the run has written.
    ///
    /// If the target supports snapshots, all users are read from one snapshot. If the target returns hashes, they are
    /// compared. After a sign-in on the target, a user's hash may differ, because the server may have hashed the
    /// password again.
    ///
    /// - Parameters:
    ///   - adapter: The adapter that signs in temporary users with the target's API for apps; `nil` to skip this test.
    ///   - progress: Called with the number of users that were read.
    /// - Returns: The results.
    /// - Throws: `notPlanned`, `anotherEnd`, `stopped`, `cancelled`, `journal`.
    public func verify(
        signingInThrough adapter: (any AuthAdapter)? = nil, progress: @Sendable (Int) -> Void = { _ in }
    ) async throws(MigrationError) -> VerifyReport {
        let plan = try await plannedSummary()
        try await removeCanaries()
        try await resolveIntents(removesHalves: false)
        try await resolveChanges()
        var (report, read) = try await inSnapshot(of: target.directory, "the users of the target cannot be read") {
            directory throws(MigrationError) in
            try await compare(directory, progress)
        }
        try await settle(read, &report)
        let states = try await journal.counts()
        report.open = (states[.planned] ?? 0) + (states[.intended] ?? 0)
        report.notCompared = UserRecord.names(at: target).others
        if let adapter { report.canaries = try await proveSignIns(through: adapter) }
        for (kind, users) in plan.hashes.sorted(by: { $0.key < $1.key }) {
            report.hashes.append(
                .init(kind: kind, users: users, isReadBack: target.returnsHashes, isProven: report.canaries?.proves(kind)))
        }
        return report
    }

    /// Users of the journal who are on the target, by number.
    ///
    /// The target lists them in its own order. Afterwards, the journal is written in the order of its numbers. In any other
    /// order, a large journal would write a page for each user.
    private struct ReadUsers: Sendable {
        var verified = NumberSet()
        var differing = NumberSet()
    }

    private func compare(
        _ directory: any UserDirectory, _ progress: @Sendable (Int) -> Void
    ) async throws(MigrationError) -> (VerifyReport, ReadUsers) {
        var report = VerifyReport()
        var read = ReadUsers()
        var count = 0
        try await forEachPage(of: directory, "the users of the target cannot be read") { users throws(MigrationError) in
            try await compare(users, &report, &read)
            count += users.count
            progress(count)
        }
        return (report, read)
    }

    private func compare(
        _ users: [DirectoryUser], _ report: inout VerifyReport, _ read: inout ReadUsers
    ) async throws(MigrationError) {
        let known = Dictionary(
            try await journal.users(targetIDs: users.map(\.id)).compactMap { row in row.targetID.map { ($0.exact, row) } },
            uniquingKeysWith: { first, _ in first }
        )
        for user in users {
            guard let row = known[user.id.exact], row.state.isMade || [.adopted, .differs].contains(row.state) else {
                report.others += 1
                continue
            }
            if try await isVerified(row, as: user, &report) {
                read.verified.insert(row.number)
            } else {
                read.differing.insert(row.number)
            }
        }
    }

    /// Compares a user of the target with the values that the run wrote.
    private func isVerified(
        _ row: JournalUser, as user: DirectoryUser, _ report: inout VerifyReport
    ) async throws(MigrationError) -> Bool {
        var difference: VerifyReport.Difference?
        if !has(user, row.digest) {
            difference = try await self.difference(of: row, from: user)
        }
        guard let difference else {
            report.verified += 1
            return true
        }
        report.differingCount += 1
        if report.differing.count < VerifyReport.named { report.differing.append(difference) }
        return false
    }

    /// Reads a user on the source, and returns the values that differ on the target.
    ///
    /// - Returns: `nil` if the target matches the source, or if only the user's own sign-ins have changed the user.
    private func difference(
        of row: JournalUser, from user: DirectoryUser
    ) async throws(MigrationError) -> VerifyReport.Difference? {
        let asked = try await asking("a user of the source cannot be read") { () throws(AuthError) -> DirectoryUser? in
            try await source.directory.users(ids: [row.sourceID]).first ?? nil
        }
        let carried = try await journal.followed(sourceIDs: [row.sourceID]).first?.carried
        guard let asked else {
            return .init(sourceID: row.sourceID, targetID: user.id, values: [], isSourceChanged: true)
        }
        // A look-up of one user may lack the hash, so the hash is compared with the one that was written.
        let isPasswordWritten = !target.returnsHashes || carried?.password == passwordDigest(user.passwordHash)
        let hasSignedIn = user.lastSignInAt?.milliseconds != row.signedIn
        // A list may not show what a sign-in has left.
        let isShown = !hasSignedIn || !user.notShown.contains(.identities)
        let user = try await isShown ? user : targetUser(user.id) ?? user
        var new = mapping.map(asked).new
        if let carried {
            new.password = carried.password == passwordDigest(nil) ? nil : new.password ?? .hash(user.passwordHash ?? "unknown")
        }
        var wanted = UserRecord(new, at: target)
        let found = record(of: user, since: row, wanted: wanted)
        if target.returnsHashes { wanted = wanted.with("password", found.members["password"]) }
        var names = found.differences(from: wanted)
        if !isPasswordWritten, !hasSignedIn { names.append("password") }
        if names.isEmpty { return nil }
        let isSourceChanged = isPasswordWritten && carried.map { $0.record != CarriedUser.part(key.digest(of: wanted)) } ?? false
        return .init(
            sourceID: row.sourceID, targetID: user.id,
            values: names.map { value($0, wanted, found) }, isSourceChanged: isSourceChanged)
    }

    private func value(_ name: String, _ wanted: UserRecord, _ found: UserRecord) -> VerifyReport.Value {
        guard !VerifyReport.Value.secrets.contains(name) else { return .init(name: name, source: nil, target: nil) }
        func text(_ record: UserRecord) -> String? { record.members[name].map { $0.string ?? $0.canonical.text() } }
        return .init(name: name, source: text(wanted), target: text(found))
    }

    /// Records the outcome for each user, and requests users who are missing from all pages.
    ///
    /// A list can shift while it is read.
    private func settle(_ read: ReadUsers, _ report: inout VerifyReport) async throws(MigrationError) {
        var last = 0
        while true {
            let there: Set<UserState> = [.complete, .verified, .adopted, .differs]
            let rows = try await journal.users(in: there, after: last, limit: pageSize)
            guard let end = rows.last?.number else { return }
            guard !Task.isCancelled else { throw Self.cancelled }
            // A user who differed and is on no page stays one who differs.
            let unread = rows.filter {
                !read.verified.contains($0.number) && !read.differing.contains($0.number) && $0.state != .differs
            }
            let users = try await targetUsers(unread.map(request))
            var found = read
            var settled: [Settlement] = []
            for row in unread {
                guard let user = users[request(for: row).key] else {
                    report.missingCount += 1
                    if report.missing.count < VerifyReport.named { report.missing.append(row.sourceID) }
                    settled.append(Settlement(row.number, .gone, "target"))
                    continue
                }
                if try await isVerified(row, as: user, &report) {
                    found.verified.insert(row.number)
                } else {
                    found.differing.insert(row.number)
                }
            }
            for row in rows {
                if found.differing.contains(row.number) {
                    if row.state != .differs { settled.append(Settlement(row.number, .differs)) }
                } else if found.verified.contains(row.number), row.state != .adopted, row.state != .verified {
                    settled.append(Settlement(row.number, .verified))
                }
            }
            if !settled.isEmpty { try await journal.settle(settled) }
            last = end
        }
    }
}

/// A set of user numbers, with one bit for each: 125 kB for a million users.
///
/// The target lists its users by id, but the journal by number. The set lets a run write the journal from start to end, not
/// one random page of its file for each user.
struct NumberSet: Sendable, Hashable {
    private var words: [UInt64] = []

    /// Adds a number, which is not negative.
    mutating func insert(_ number: Int) {
        let word = number >> 6
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: max(word + 1 - words.count, words.count))) }
        words[word] |= 1 << UInt64(number & 63)
    }

    /// Returns whether the set has a number.
    func contains(_ number: Int) -> Bool {
        let word = number >> 6
        return word < words.count && words[word] & 1 << UInt64(number & 63) != 0
    }
}
