internal import Lockstep
internal import LockstepPostgres
internal import LockstepPrimitives
internal import Synchronization

extension PostgresSessionDatabase {
    /// Runs a closure in a transaction that holds the lock of a row's id.
    ///
    /// The lock belongs to the transaction and not to the session. So it also works with a pooler that assigns a connection to
    /// each transaction, and it cannot be forgotten on a connection.
    func exclusively<Result: Sendable>(
        _ id: [UInt8], lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        let began = clock.uptime
        let inProcess = StoreKey(provider: "", backend: Hex.encode(id), slot: .session)
        try await locks.enter(inProcess, lockTimeout: lockTimeout)
        defer { locks.leave(inProcess) }
        let kind = try await lockKind()
        if kind == .row {
            try await call(.unwritable) { connection, _ throws(PostgresError) in try LockStatements.makeRow(id, on: connection) }
        }
        let holder = try await hold(id, kind, began: began, lockTimeout: lockTimeout)
        let result = await body()
        await lockHolders.leave(holder)
        return result
    }

    /// Tries to take the lock again and again, at growing intervals.
    ///
    /// So no connection is blocked by waiting.
    private func hold(
        _ id: [UInt8], _ kind: PostgresSessionSettings.LockKind, began: Duration, lockTimeout: Duration
    ) async throws(StoreError) -> LockHolder {
        var pause = Duration.milliseconds(5)
        while true {
            let busy: StoreError
            do throws(PostgresError) {
                if let holder = try await lockHolders.enter(id, kind, limit: settings.limit, stays: settings.lockLimit) {
                    return holder
                }
                busy = StoreError(
                    .busy, "Another call has used the stored session for longer than \(lockTimeout.inWholeSeconds). Try again.")
            } catch {
                guard error.isPassing, clock.uptime - began + pause < max(lockTimeout, settings.limit) else {
                    throw StoreError(.unwritable, error)
                }
                busy = StoreError(.unwritable, error)
            }
            let rest = lockTimeout - (clock.uptime - began)
            if busy.code == .busy, rest <= .zero { throw busy }
            let wait = busy.code == .busy ? min(pause, rest) : pause
            guard (try? await clock.sleep(for: wait)) != nil else { throw busy }
            pause = min(pause * 2, .milliseconds(busy.code == .busy ? 80 : 250))
        }
    }

    /// Returns the kind of lock that this server supports.
    private func lockKind() async throws(StoreError) -> PostgresSessionSettings.LockKind {
        guard settings.lockKind == .automatic else { return settings.lockKind }
        if let found = foundLock.withLock({ $0 }) { return found }
        let found: PostgresSessionSettings.LockKind = try await excludesByAdvisoryLocks() ? .advisory : .row
        foundLock.withLock { $0 = found }
        return found
    }

    /// Returns whether two transactions really exclude each other.
    ///
    /// Some clusters have the functions, but no locks behind them.
    private func excludesByAdvisoryLocks() async throws(StoreError) -> Bool {
        let id = randomness.bytes(32)
        let holder: PostgresSession
        do throws(PostgresError) { holder = try await lockPool.take(within: settings.limit) } catch {
            throw StoreError(.busy, "\(error) Try again.")
        }
        defer { lockPool.give(back: holder) }
        do throws(PostgresError) {
            let limit = settings.limit
            let isHeld = try await holder.run(within: limit, on: .opening) { connection throws(PostgresError) in
                let locking = LockStatements(connection: connection, kind: .advisory)
                try locking.begin(stays: limit)
                return try locking.lock(id)
            }
            let isOpen = try await calls.run(within: limit) { connection throws(PostgresError) in
                try connection.run("BEGIN")
                let isHeld = try LockStatements(connection: connection, kind: .advisory).lock(id)
                try connection.run("ROLLBACK")
                return isHeld
            }
            try await holder.run(within: limit, on: .same) { connection throws(PostgresError) in
                _ = try connection.run("ROLLBACK")
            }
            return isHeld && !isOpen
        } catch {
            await holder.close()
            switch error.state {
            case .undefinedFunction?, .unsupported?, .insufficientPrivilege?: return false
            default: throw StoreError(.unwritable, error)
            }
        }
    }
}
