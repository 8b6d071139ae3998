internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension UserMove {
    /// Plans the run.
    ///
    /// The planner reads the source and the target, and writes to neither.
    ///
    /// First the planner checks the known account, because a plan with wrong hash parameters would be useless. Then it reads the settings
    /// of both backends, the users of the target, and the users of the source. If the source supports it, all its users are read
    /// as of one point in time.
    ///
    /// - Parameter progress: A closure that is called with the number of users read so far.
    /// - Returns: The plan in numbers.
    /// - Throws: `probe`, `tenants`, `count`, `collision`, `stopped`, `cancelled`, `journal`.
    @discardableResult
    public func plan(progress: @Sendable (Int) -> Void = { _ in }) async throws(MigrationError) -> PlanSummary {
        try await journal.begin(RunHead(source: source.mark, target: target.mark, access: target.access))
        let probe = try await ProbeCheck(self)
        let own = try await demands(of: source.settings, "the settings of the source cannot be read")
        let tenants = try await tenants()
        let lists = try await readLists()
        let demands = try await targetDemands()
        let before = try await count(source.directory)
        let present = try await TargetUsers(self, source: before)
        let start = clock.uptime
        let read = try await inSnapshot(of: source.directory, "the users of the source cannot be read") {
            directory throws(MigrationError) in
            try await readUsers(of: directory, demands, probe, present, progress)
        }
        let reading = clock.uptime - start
        try await checkExternalIDs(read.externalIDs)
        guard (min(before, read.counted)...max(before, read.counted)).contains(read.users) else {
            let counted = before == read.counted ? "\(before)" : "\(before), and later \(read.counted),"
            throw MigrationError(
                .count,
                "The source reports \(counted) users, but returned \(read.users). Plan again. If they still differ, look for a missing page."
            )
        }
        var summary = PlanSummary()
        (summary.counted, summary.countedBefore, summary.probe) = (read.counted, before, read.probe)
        (summary.tenants, summary.lists) = (tenants, lists)
        summary.unlisted = try await unlisted()
        summary.form = source.form()
        for count in try await journal.settlePlan() { summary.add(read.shapes.all[count.shape], count) }
        summary.sortFields()
        summary.note(demands, of: target, source: own, present: present.count)
        try await noteRoad(&summary, reading: reading)
        guard summary.isConsistent else {
            throw MigrationError(
                .count, "The plan's sums do not match the \(summary.read) users that were read. Report this bug, and plan again.")
        }
        try await journal.finishPlan(JSON.object(summary.json).text())
        return summary
    }

    /// Returns the tenants of the source with users; `nil` if the source does not show its tenants.
    private func tenants() async throws(MigrationError) -> [MoveTenant]? {
        let tenants = try await asking("the tenants of the source cannot be read") { () throws(AuthError) -> [MoveTenant]? in
            do throws(AuthError) {
                return try await source.tenants().filter { $0.users > 0 }
            } catch {
                guard !error.mayPass, error.code != .cancelled else { throw error }
                return nil
            }
        }
        guard choices.tenants == .refuse, let tenants, !tenants.isEmpty else { return tenants }
        throw MigrationError(
            .tenants,
            "The source has \(PlanSummary.text(of: tenants)), and they are not among the users of the project. Choose "
                + "\"tenants\": \"skip\" to leave them behind, and move each tenant on its own with \"from.tenant\".")
    }

    /// Returns the users whom only a file of the source names, after all users were read.
    private func unlisted() async throws(MigrationError) -> PlanSummary.Unlisted {
        let ids = try await asking("the file of the source cannot be read") { () throws(AuthError) in
            try await source.unlisted()
        }
        return .init(count: ids.count, ids: Array(ids.prefix(PlanSummary.Unlisted.most)))
    }

    /// Stops the plan if the run needs the field for external ids, and the app uses it.
    private func checkExternalIDs(_ ofSource: Int) async throws(MigrationError) {
        guard target.ids == .assigned, choices.externalIDs == .stop else { return }
        let ofTarget = try await journal.foreignExternalIDs()
        guard ofSource + ofTarget > 0 else { return }
        throw MigrationError(
            .externalIDs,
            "The run writes the ids of the source as external ids, but the app uses this field: \(ofSource) users of the source have "
                + "one, and \(ofTarget) users of the target have one that is no id of the source. Choose \"externalID\": \"overwrite\" "
                + "to write it for new users all the same.")
    }

    private struct SourceRead: Sendable {
        var users = 0
        var counted = 0
        var shapes = PlanShapes()
        /// The number of users with an external id.
        var externalIDs = 0
        var probe: String?
    }

    private func readUsers(
        of directory: any UserDirectory, _ demands: DirectoryDemands, _ probe: ProbeCheck?, _ present: TargetUsers,
        _ progress: @Sendable (Int) -> Void
    ) async throws(MigrationError) -> SourceRead {
        var (probe, present) = (probe, present)
        var read = SourceRead()
        var (largeData, newPasswords) = (PassFile.largeData(self), PassFile.newPasswords(self))
        var isComplete = false
        defer {
            if !isComplete {
                largeData?.discard()
                newPasswords?.discard()
            }
        }
        try await forEachPage(of: directory, "the users of the source cannot be read") { users throws(MigrationError) in
            try await probe?.look(at: users)
            let page = users.map { (user: $0, mapped: mapping.map($0, demands: demands)) }
            try await present.note(like: page.map(\.mapped))
            try await largeData?.append(page)
            try await newPasswords?.append(page)
            try await journal.plan(page.map { planned($0.user, $0.mapped, &read.shapes) })
            read.users += users.count
            read.externalIDs += users.count { $0.externalID != nil }
            progress(read.users)
        }
        try await largeData?.finish()
        try await newPasswords?.finish()
        isComplete = true
        read.probe = try probe?.result()
        read.counted = try await count(directory)
        return read
    }

    private func planned(_ user: DirectoryUser, _ mapped: MappedUser, _ shapes: inout PlanShapes) -> PlannedUser {
        let (state, reason): (UserState, UserReason?) =
            switch mapped.outcome {
            case .create: (.planned, nil)
            case .skip(let reason): (.skipped, reason)
            case .refuse(let reason): (.refused, reason)
            }
        return PlannedUser(
            sourceID: user.id, targetID: mapped.new.id, state: state, reason: reason, digest: digest(of: mapped.new),
            carried: carried(mapped.new), claims: claims(of: mapped.new), shape: shapes.number(of: mapped.shape))
    }

    private func count(_ directory: any UserDirectory) async throws(MigrationError) -> Int {
        try await asking("the users of the source cannot be counted") { () throws(AuthError) in try await directory.count() }
    }

    /// Returns the settings of the target that decide about rejections.
    ///
    /// Settings that its key may not read are unknown.
    func targetDemands() async throws(MigrationError) -> DirectoryDemands {
        try await demands(of: target.settings, "the settings of the target cannot be read")
    }

    /// Returns the settings of a project.
    ///
    /// Settings that its key may not read are unknown.
    func demands(
        of directory: any UserDirectory, _ occasion: String
    ) async throws(MigrationError) -> DirectoryDemands {
        try await asking(occasion) { () throws(AuthError) in
            do throws(AuthError) {
                return try await directory.demands()
            } catch {
                guard !error.mayPass, error.code != .cancelled else { throw error }
                return DirectoryDemands()
            }
        }
    }

    /// Records the minimum time of the writing, and what else the writing causes.
    ///
    /// - Parameters:
    ///   - summary: The plan.
    ///   - reading: The time that it took to read the users of the source.
    /// - Throws: `stopped` if the target does not report it.
    private func noteRoad(_ summary: inout PlanSummary, reading: Duration) async throws(MigrationError) {
        let effects = try await asking("the target does not report what runs when users are written") {
            () throws(AuthError) -> [MoveEffect]? in
            do throws(AuthError) {
                return try await target.road.effects()
            } catch {
                guard !error.mayPass, error.code != .cancelled else { throw error }
                return nil
            }
        }
        summary.writing = .init(
            road: target.road.name, seconds: Int(reading.milliseconds / 1000), effects: effects, otherWay: target.otherWay,
            firstSignIns: target.firstSignIns)
    }
}
