internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension UserMove {
    /// Copies the changes that were made on the source after the run was applied.
    ///
    /// The run works in passes, until a pass finds nothing to do.
    ///
    /// - A new user is planned and created according to the rules of the plan.
    /// - A changed user is updated, if the user on the target has not changed since the run wrote the user.
    /// - A user who was deleted on the source is also deleted on the target. But the run must have created this user, and the
    ///   user must not have changed or signed in since.
    ///
    /// Any other user is reported and left unchanged. A user who was deleted on either side is never created again.
    ///
    /// - Parameters:
    ///   - isDry: Whether this is a dry run, which makes one pass and changes nothing.
    ///   - progress: A closure that is called with the number of users that the pass has read.
    /// - Returns: The changes; in a dry run, the expected changes.
    /// - Throws: `notPlanned`, `notApplied`, `anotherEnd`, `stopped`, `cancelled`, `count`, `journal`.
    public func follow(
        isDry: Bool, progress: @Sendable (Int) -> Void = { _ in }
    ) async throws(MigrationError) -> FollowReport {
        let plan = try await plannedSummary()
        try await checkApplied(plan)
        if !isDry {
            try await removeCanaries()
            try await resolveIntents()
            try await resolveChanges()
        }
        let demands = try await targetDemands()
        var report = FollowReport()
        while true {
            let before = report.total
            report.forgetFindings()
            try await pass(demands, isDry: isDry, &report, progress)
            report.passes += 1
            report.isSettled = report.total == before
            if isDry || report.isSettled || report.passes >= Self.mostPasses { return report }
        }
    }

    /// The largest number of passes: a source that changes all the time has no last one.
    private static let mostPasses = 20

    /// Checks that there is something to follow.
    private func checkApplied(_ plan: PlanSummary) async throws(MigrationError) {
        let states = try await journal.counts()
        guard states[.undone] ?? 0 == 0 else {
            throw MigrationError(.notApplied, "The run was undone. Create a new plan with lockstep migrate plan.")
        }
        let isUntouched = [.planned, .skipped, .refused].reduce(0) { $0 + (states[$1] ?? 0) } == states.values.reduce(0, +)
        guard !isUntouched || plan.created == 0 else {
            throw MigrationError(.notApplied, "The run has created no users yet. Create them first with lockstep migrate apply.")
        }
    }

    private func pass(
        _ demands: DirectoryDemands, isDry: Bool, _ report: inout FollowReport, _ progress: @Sendable (Int) -> Void
    ) async throws(MigrationError) {
        try await journal.beginPass()
        report.read = 0
        var largeData = isDry ? nil : PassFile.largeData(self)
        var isComplete = false
        defer { if !isComplete { largeData?.discard() } }
        try await forEachPage(of: source.directory, "the users of the source cannot be read") { users throws(MigrationError) in
            try await follow(users, demands, isDry: isDry, &report, &largeData)
            report.read += users.count
            progress(report.read)
        }
        try await largeData?.finish()
        isComplete = true
        try await followDepartures(isDry: isDry, &report)
        guard isDry else { return try await createPlanned(&report) }
        // Users whom an interrupted call has planned.
        let states = try await journal.counts()
        report.created += (states[.planned] ?? 0) + (states[.intended] ?? 0)
    }

    /// Compares a page of the source with the journal.
    private func follow(
        _ users: [DirectoryUser], _ demands: DirectoryDemands, isDry: Bool, _ report: inout FollowReport,
        _ largeData: inout PassFile?
    ) async throws(MigrationError) {
        guard !users.isEmpty else { return }
        let known = Dictionary(
            try await journal.followed(sourceIDs: users.map(\.id)).map { ($0.row.sourceID.exact, $0) },
            uniquingKeysWith: { first, _ in first })
        var changed: [(FollowedUser, NewDirectoryUser)] = []
        var arrivals: [PlannedUser] = []
        let all = users.map { ($0, mapping.map($0, demands: demands)) }
        try await largeData?.append(all)
        for (user, mapped) in all {
            guard let former = known[user.id.exact] else {
                arrivals.append(planned(user.id, mapped))
                continue
            }
            switch former.row.state {
            case .complete, .verified, .adopted, .differs:
                if case .refuse(let reason) = mapped.outcome { report.name(former.row, .nowRefused, [reason.rawValue]) }
                if carried(mapped.new) != former.carried { changed.append((former, mapped.new)) }
            case .refused, .skipped:
                if mapped.outcome == .create { arrivals.append(planned(user.id, mapped)) }
            case .gone: report.name(former.row, .staysDeleted, [former.row.reason ?? ""].filter { !$0.isEmpty })
            case .planned, .intended, .unknown, .undone, .kept: break
            }
        }
        try await journal.notePresent(known.values.map(\.row.number))
        try await plan(arrivals, Set(known.keys), isDry: isDry, &report)
        try await follow(changed, isDry: isDry, &report)
    }

    private func planned(_ id: String, _ mapped: MappedUser) -> PlannedUser {
        let (state, reason): (UserState, UserReason?) =
            switch mapped.outcome {
            case .create: (.planned, nil)
            case .skip(let reason): (.skipped, reason)
            case .refuse(let reason): (.refused, reason)
            }
        return PlannedUser(
            sourceID: id, targetID: mapped.new.id, state: state, reason: reason, digest: digest(of: mapped.new),
            carried: carried(mapped.new), claims: [])
    }

    /// Plans users who are not on the target, according to the rules of the plan.
    ///
    /// - Parameters:
    ///   - users: The users.
    ///   - known: The ids of users whom the run has rejected or skipped before.
    ///   - isDry: Whether this is a dry run, which changes nothing.
    ///   - report: The report.
    /// - Throws: `MigrationError`.
    private func plan(
        _ users: [PlannedUser], _ known: Set<ExactString>, isDry: Bool, _ report: inout FollowReport
    ) async throws(MigrationError) {
        guard !users.isEmpty else { return }
        var users = users
        let open = users.indices.filter { users[$0].state == .planned }
        func request(_ user: PlannedUser) -> RequestedUser { user.targetID.map { .id($0) } ?? .externalID(user.sourceID) }
        let found = try await targetUsers(open.map { request(users[$0]) })
        for index in open {
            guard let user = found[request(users[index]).key] else { continue }
            let isEqual = has(user, users[index].digest)
            users[index] = users[index].settled(isEqual ? .adopted : .refused, isEqual ? nil : .idTaken, user.id)
        }
        for user in users {
            if user.state == .refused { report.name(user) } else { report.forgetRefusal(of: user.sourceID) }
            if isDry, user.state == .planned, !known.contains(user.sourceID.exact) { report.created += 1 }
        }
        if !isDry { try await journal.add(users) }
    }

    /// Creates the users who were planned.
    private func createPlanned(_ report: inout FollowReport) async throws(MigrationError) {
        let planned = try await journal.users(in: [.planned], after: 0, limit: FollowReport.limit)
        guard !planned.isEmpty else { return }
        let before = try await journal.counts()
        let after = try await apply(isPartial: true).states
        func count(_ states: [UserState], _ counts: [UserState: Int]) -> Int { states.reduce(0) { $0 + (counts[$1] ?? 0) } }
        report.created += max(count([.complete, .verified], after) - count([.complete, .verified], before), 0)
        guard count([.refused], after) > count([.refused], before) else { return }
        for start in stride(from: 0, to: planned.count, by: pageSize) {
            let ids = planned[start..<min(start + pageSize, planned.count)].map(\.sourceID)
            for user in try await journal.users(sourceIDs: ids) where user.state == .refused {
                report.name(user, .rejected, [user.reason].compactMap(\.self))
            }
        }
    }
}

extension FollowReport {
    /// Reports a user whom the rules reject.
    fileprivate mutating func name(_ user: PlannedUser) {
        guard !named.contains(where: { $0.finding == .refused && $0.sourceID.exact == user.sourceID.exact }) else { return }
        name(sourceID: user.sourceID, targetID: user.targetID, .refused, [user.reason?.rawValue].compactMap(\.self))
    }
}

extension PlannedUser {
    /// The user with another verdict.
    fileprivate func settled(_ state: UserState, _ reason: UserReason?, _ id: String) -> PlannedUser {
        PlannedUser(
            sourceID: sourceID, targetID: id, state: state, reason: reason, digest: digest, carried: carried, claims: [])
    }
}
