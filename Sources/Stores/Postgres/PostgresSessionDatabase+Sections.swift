internal import Lockstep
internal import LockstepPostgres
internal import LockstepPrimitives
internal import Synchronization

extension PostgresSessionDatabase {
    /// Runs `body` in a transaction that holds the lock of a row's id, on a connection of its own.
    ///
    /// A lock of a transaction, not of a session: it works behind poolers that hand out a connection for a transaction, and
    /// cannot be forgotten on one.
    func exclusively<Result: Sendable>(
        _ id: [UInt8], patience: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        let began = clock.uptime
        let inProcess = StoreKey(provider: "", backend: Hex.encode(id), slot: .session)
        try await sections.enter(inProcess, patience: patience)
        defer { sections.leave(inProcess) }
        let kind = try await sectionLock()
        let session: PostgresSession
        do throws(PostgresError) {
            session = try await sectionHolders.take(within: patience - (clock.uptime - began))
        } catch {
            throw StoreError(.busy, "\(error) Try again, or allow more sections in the settings.")
        }
        defer { sectionHolders.give(back: session) }
        try await hold(id, kind, on: session, began: began, patience: patience)
        let result = await body()
        do throws(PostgresError) {
            // There is nothing to commit; whether the answer comes or not, the lock is free when the transaction is over.
            try await session.run(within: .seconds(2), on: .same) { connection throws(PostgresError) in
                _ = try connection.run("ROLLBACK")
            }
        } catch {
            await session.close()
        }
        return result
    }

    private func hold(
        _ id: [UInt8], _ kind: PostgresSessionSettings.SectionLock, on session: PostgresSession, began: Duration,
        patience: Duration
    ) async throws(StoreError) {
        var pause = Duration.milliseconds(5)
        while true {
            let rest = max(.zero, patience - (clock.uptime - began))
            let sectionLimit = settings.sectionLimit
            do throws(PostgresError) {
                let isHeld = try await session.run(within: rest + settings.limit, on: .opening) {
                    connection throws(PostgresError) in
                    try SectionLocking(connection: connection, kind: kind).begin(id, patience: rest, limit: sectionLimit)
                }
                if isHeld { return }
                throw PostgresError(.refused, "Another machine holds it.", state: .lockNotAvailable)
            } catch {
                if error.state == .lockNotAvailable {
                    throw StoreError(.busy, "Another call holds the stored session for longer than \(patience). Try again.")
                }
                guard error.isPassing, clock.uptime - began + pause < max(patience, settings.limit),
                    (try? await clock.sleep(for: pause)) != nil
                else { throw StoreError(.unwritable, error) }
                pause = min(pause * 2, .milliseconds(250))
            }
        }
    }

    /// How sections are made on this server.
    private func sectionLock() async throws(StoreError) -> PostgresSessionSettings.SectionLock {
        guard settings.sectionLock == .automatic else { return settings.sectionLock }
        if let found = foundLock.withLock({ $0 }) { return found }
        let found: PostgresSessionSettings.SectionLock = try await excludesByAdvisoryLocks() ? .advisory : .row
        foundLock.withLock { $0 = found }
        return found
    }

    /// Whether two transactions do keep each other out: some clusters have the functions and no locks behind them.
    private func excludesByAdvisoryLocks() async throws(StoreError) -> Bool {
        let id = randomness.bytes(32)
        let second: PostgresSession
        do throws(PostgresError) { second = try await sectionHolders.take(within: settings.limit) } catch {
            throw StoreError(.busy, "\(error) Try again.")
        }
        defer { sectionHolders.give(back: second) }
        do throws(PostgresError) {
            let limit = settings.limit
            guard
                try await second.run(
                    within: settings.limit, on: .opening,
                    { connection throws(PostgresError) in
                        try SectionLocking(connection: connection, kind: .advisory).begin(id, patience: .zero, limit: limit)
                    })
            else { return false }
            let isOpen = try await calls.run(within: settings.limit) { connection throws(PostgresError) in
                let isHeld = try SectionLocking(connection: connection, kind: .advisory).begin(id, patience: .zero, limit: limit)
                if isHeld { try connection.run("ROLLBACK") }
                return isHeld
            }
            try await second.run(within: settings.limit, on: .same) { connection throws(PostgresError) in
                _ = try connection.run("ROLLBACK")
            }
            return !isOpen
        } catch {
            await second.close()
            switch error.state {
            case .undefinedFunction?, .unsupported?, .insufficientPrivilege?: return false
            default: throw StoreError(.unwritable, error)
            }
        }
    }
}
