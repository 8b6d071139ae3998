internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// The results of a run so far.
public struct ApplyReport: Sendable, Hashable {
    /// The number of users in each state.
    public var states: [UserState: Int]
    /// The number of users of the source that the plan does not contain.
    public var unplanned: Int

    /// The number of users that the target has rejected.
    ///
    /// Users that the plan rejects are not included.
    public var failures: Int
}

extension UserMove {
    /// Creates the users of the plan.
    ///
    /// If an earlier call was killed, this call continues its work.
    ///
    /// Before a request is sent, it is recorded in the journal on the disk. After a kill, the outcome of some requests is
    /// unknown. The run first looks up the users of these requests by their ids on the target. So no user is created twice. While
    /// the target answers a batch, the next users are read and mapped.
    ///
    /// - Parameters:
    ///   - isPartial: Whether to continue if the plan rejects users. The run does not create these users.
    ///   - ids: The ids of the only users to create, from ``retry(_:)``; `nil` for all planned users.
    ///   - progress: A closure that is called after each batch.
    /// - Returns: The results of the run so far.
    /// - Throws: `refusals`, `notPlanned`, `anotherEnd`, `anotherAccess`, `stopped`, `cancelled`, `journal`.
    public func apply(
        isPartial: Bool, only ids: [String]? = nil, progress: @escaping @Sendable (ApplyProgress) -> Void = { _ in }
    ) async throws(MigrationError) -> ApplyReport {
        let plan = try await plannedSummary()
        try checkRefusals(of: plan, isPartial: isPartial || ids != nil)
        try await resolveIntents()
        let only = ids.map { Set($0.map(\.exact)) }
        let reader = SourceReader(self, try await targetDemands(), only: only)
        var writer = BatchWriter(self, progress)
        var unplanned = 0
        do throws(MigrationError) {
            try await write(reader, &writer, &unplanned)
        } catch {
            await writer.leave()
            await reader.discard()
            throw error
        }
        try await reader.finish()
        if only == nil { try await noteGone() }
        let states = try await journal.counts()
        // Users whom the plan refuses may have been created with `only`.
        var failures = max((states[.refused] ?? 0) - plan.refusedCount, 0)
        if let ids { failures = try await self.failures(among: ids) }
        return ApplyReport(states: states, unplanned: unplanned, failures: failures)
    }

    /// Returns how many of these users are still not on the target.
    private func failures(among ids: [String]) async throws(MigrationError) -> Int {
        var (count, rest) = (0, ids[...])
        while !rest.isEmpty {
            let part = Array(rest.prefix(pageSize))
            rest = rest.dropFirst(part.count)
            count += try await journal.users(sourceIDs: part).count { Self.failed.union([.planned]).contains($0.state) }
        }
        return count
    }

    /// Writes all pages of a reader.
    private func write(
        _ reader: SourceReader, _ writer: inout BatchWriter, _ unplanned: inout Int
    ) async throws(MigrationError) {
        var page = try await reader.page().get()
        while let current = page {
            async let next = reader.page()
            unplanned += current.unplanned
            let start = clock.uptime
            try await writer.add(current)
            let written = clock.uptime
            page = try await next.get()
            writer.note(writing: written - start, reading: clock.uptime - written)
        }
        try await writer.finish()
    }

    /// Finds the outcome for each user for whom a request may have been sent.
    ///
    /// - Parameter removesHalves: Whether to delete users of whom the target has only a part; otherwise, they stay as they are.
    /// - Returns: The number of these users.
    /// - Throws: `stopped`, `cancelled`, `journal`.
    @discardableResult
    func resolveIntents(removesHalves: Bool = true) async throws(MigrationError) -> Int {
        var (last, halves) = (0, 0)
        while true {
            let users = try await journal.users(in: [.intended], after: last, limit: batchSize)
            guard let end = users.last?.number else { return halves }
            guard !Task.isCancelled else { throw Self.cancelled }
            let found = try await lookUp(
                users.map { OpenUser(number: $0.number, request: request(for: $0), digest: $0.digest, stages: $0.stages) })
            var settled = found.settled
            halves += found.halves.count
            if removesHalves {
                for settlement in try await remove(found.halves) { settled[settlement.number] = settlement }
            }
            let open = removesHalves ? [] : Set(found.halves.map(\.number))
            try await journal.settle(
                users.filter { !open.contains($0.number) }.map { settled[$0.number] ?? Settlement($0.number, .planned) })
            last = end
        }
    }

    /// Returns the outcomes for users, looked up on the target.
    ///
    /// A user with the right id and other values is never taken for one that the run has created. Halves of users are deleted.
    ///
    /// - Returns: The settlements by number, without users who are not on the target.
    /// - Throws: `MigrationError`.
    func resolutions(of users: [OpenUser]) async throws(MigrationError) -> [Int: Settlement] {
        var found = try await lookUp(users)
        for settlement in try await remove(found.halves) { found.settled[settlement.number] = settlement }
        return found.settled
    }

    private func lookUp(
        _ users: [OpenUser]
    ) async throws(MigrationError) -> (settled: [Int: Settlement], halves: [(number: Int, id: String)]) {
        let found = try await targetUsers(users.map(\.request))
        var settled: [Int: Settlement] = [:]
        var halves: [(number: Int, id: String)] = []
        for user in users {
            guard let there = found[user.request.key] else { continue }
            if isHalf(there, of: user) {
                halves.append((user.number, there.id))
            } else {
                let state: UserState = has(there, user.digest) ? .complete : .differs
                settled[user.number] = Settlement(user.number, state, targetID: made(there.id))
            }
        }
        return (settled, halves)
    }

    /// Records that users whom the source no longer returned were deleted after the plan.
    private func noteGone() async throws(MigrationError) {
        while true {
            let users = try await journal.users(in: [.planned], after: 0, limit: pageSize)
            guard !users.isEmpty else { return }
            try await journal.settle(users.map { Settlement($0.number, .gone, "source") })
        }
    }
}
