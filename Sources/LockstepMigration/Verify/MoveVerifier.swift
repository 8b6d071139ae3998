public import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension UserMove {
    /// Reads the target once, and compares each user that the run has created with the written values.
    ///
    /// The target is read in one snapshot if it supports that. A hash is compared if the target returns it. A user who has signed
    /// in since may have a different hash, because a server may rehash the password at a sign-in.
    ///
    /// - Parameters:
    ///   - adapter: The adapter that signs in temporary users through the target's public API; `nil` to skip this test.
    ///   - progress: Called with the number of users read.
    /// - Returns: The results.
    /// - Throws: `notPlanned`, `anotherEnd`, `stopped`, `cancelled`, `journal`.
    public func verify(
        signingInThrough adapter: (any AuthAdapter)? = nil, progress: @Sendable (Int) -> Void = { _ in }
    ) async throws(MigrationError) -> VerifyReport {
        let plan = try await plannedSummary()
        try await removeCanaries()
        try await resolveIntents()
        try await resolveChanges()
        try await journal.beginVerification()
        var report = try await inSnapshot(of: target.directory, "the users of the target cannot be read") {
            directory throws(MigrationError) in
            try await compare(directory, progress)
        }
        try await lookForUnseen(&report)
        let states = try await journal.counts()
        report.open = (states[.planned] ?? 0) + (states[.intended] ?? 0)
        if let adapter { report.canaries = try await proveSignIns(through: adapter) }
        for (kind, users) in plan.hashes.sorted(by: { $0.key < $1.key }) {
            report.hashes.append(
                .init(kind: kind, users: users, isReadBack: target.returnsHashes, isProven: report.canaries?.proves(kind)))
        }
        return report
    }

    private func compare(
        _ directory: any UserDirectory, _ progress: @Sendable (Int) -> Void
    ) async throws(MigrationError) -> VerifyReport {
        var report = VerifyReport()
        var page: [DirectoryUser] = []
        var count = 0
        var users = directory.all(pageSize: pageSize).makeAsyncIterator()
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
            if user == nil { return report }
        }
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
        var difference: VerifyReport.Difference?
        if key.digest(of: found) != row.digest { difference = try await self.difference(of: row, from: user, found) }
        guard let difference else {
            report.verified += 1
            return Settlement(row.number, row.state == .adopted ? .adopted : .verified)
        }
        report.differingCount += 1
        if report.differing.count < VerifyReport.named { report.differing.append(difference) }
        return Settlement(row.number, .differs)
    }

    /// Reads a user at the source, and returns the values that differ at the target.
    ///
    /// - Returns: `nil` if the target is as the source asks for, or only a sign-in has changed the hash.
    private func difference(
        of row: JournalUser, from user: DirectoryUser, _ found: UserRecord
    ) async throws(MigrationError) -> VerifyReport.Difference? {
        let asked = try await asking("a user of the source cannot be read") { () throws(AuthError) -> DirectoryUser? in
            try await source.directory.users(ids: [row.sourceID]).first ?? nil
        }
        let carried = try await journal.followed(sourceIDs: [row.sourceID]).first?.carried
        guard let asked else {
            return .init(sourceID: row.sourceID, targetID: row.targetID, values: [], isSourceChanged: true)
        }
        // A look-up of one user may lack the hash, so the hash is compared with the one that was written.
        let isPasswordWritten = !target.returnsHashes || carried?.password == passwordDigest(user.passwordHash)
        var wanted = UserRecord(mapping.map(asked).new, at: target)
        if target.returnsHashes { wanted = wanted.with("password", found.members["password"]) }
        var names = found.differences(from: wanted)
        let hasSignedIn = user.lastSignInAt?.milliseconds != row.signedIn
        if !isPasswordWritten, !hasSignedIn { names.append("password") }
        if names.isEmpty { return nil }
        let isSourceChanged = isPasswordWritten && carried.map { $0.record != CarriedUser.part(key.digest(of: wanted)) } ?? false
        return .init(
            sourceID: row.sourceID, targetID: row.targetID,
            values: names.map { value($0, wanted, found) }, isSourceChanged: isSourceChanged)
    }

    private func value(_ name: String, _ wanted: UserRecord, _ found: UserRecord) -> VerifyReport.Value {
        guard !VerifyReport.Value.secrets.contains(name) else { return .init(name: name, source: nil, target: nil) }
        func text(_ record: UserRecord) -> String? { record.members[name].map { $0.string ?? $0.canonical.text() } }
        return .init(name: name, source: text(wanted), target: text(found))
    }

    /// Asks for each user who was made and stands on no page: a list may shift while it is read.
    private func lookForUnseen(_ report: inout VerifyReport) async throws(MigrationError) {
        var last = 0
        while true {
            let rows = try await journal.unseen(after: last, limit: batchSize)
            guard let end = rows.last?.number else { return }
            guard !Task.isCancelled else { throw Self.cancelled }
            let users = try await targetUsers(rows.map(\.targetID))
            var settled: [Settlement] = []
            for row in rows {
                if let user = users[row.targetID] {
                    settled.append(try await settlement(of: row, as: user, &report))
                    continue
                }
                report.missingCount += 1
                if report.missing.count < VerifyReport.named { report.missing.append(row.sourceID) }
                settled.append(Settlement(row.number, .gone, "target"))
            }
            try await journal.settle(settled)
            last = end
        }
    }
}
