internal import Lockstep
internal import LockstepPostgres
internal import LockstepPrimitives
internal import Synchronization

/// The connections that hold the exclusive locks of this process.
///
/// Each caller gets a separate connection while one is available. If all are in use by slow requests, the next caller shares
/// the connection that was taken last. So no user waits because others are slow. A lock on a shared connection becomes free for
/// other machines when the last caller on the connection has ended. New callers join the youngest connection only, so the older
/// ones do end.
final class LockHolders: Sendable {
    private struct Member {
        let holder: LockHolder
        /// The number of callers that use the connection, including those that still try to get their lock.
        var callers = 1
        /// The ids whose locks the connection holds, including those of callers that have ended.
        var ids: Set<[UInt8]> = []
    }

    /// The connections in the order in which they were taken.
    private let members = Mutex<[Member]>([])
    private let pool: PostgresPool
    private let clock: any DeviceClock

    init(_ pool: PostgresPool, clock: any DeviceClock) {
        self.pool = pool
        self.clock = clock
    }

    /// Takes the lock of a row's id if it is free.
    ///
    /// It does not wait.
    ///
    /// ``leave(_:)`` ends the use of the result. Only one caller at a time may ask for an id. `limit` is the time limit for the
    /// server's response. `stays` says how long the server lets a transaction stay idle. The result is `nil` if another machine
    /// holds the lock, or if no connection is free.
    func enter(
        _ id: [UInt8], _ kind: PostgresSessionSettings.LockKind, limit: Duration, stays: Duration
    ) async throws(PostgresError) -> LockHolder? {
        guard let (holder, isHeld) = try choose(id) else { return nil }
        do throws(PostgresError) {
            if try await holder.lock(id, kind, isHeld: isHeld, limit: limit, stays: stays) {
                members.withLock { members in
                    if let place = members.firstIndex(where: { $0.holder === holder }) { members[place].ids.insert(id) }
                }
                return holder
            }
        } catch {
            await giveUp(holder)
            throw error
        }
        await leave(holder)
        return nil
    }

    /// Ends a caller's use of a connection.
    ///
    /// Its locks become free when the last caller has ended.
    func leave(_ holder: LockHolder) async {
        let isLast = members.withLock { members in
            guard let place = members.firstIndex(where: { $0.holder === holder }) else { return false }
            members[place].callers -= 1
            guard members[place].callers == 0 else { return false }
            members.remove(at: place)
            return true
        }
        guard isLast else { return }
        await holder.end()
        pool.give(back: holder.session)
    }

    private func choose(_ id: [UInt8]) throws(PostgresError) -> (LockHolder, isHeld: Bool)? {
        if let holder = join({ $0.firstIndex { $0.ids.contains(id) } }) { return (holder, true) }
        if let session = try pool.takeNow() {
            let holder = LockHolder(session, clock: clock)
            members.withLock { $0.append(Member(holder: holder)) }
            return (holder, false)
        }
        return join { $0.indices.last }.map { ($0, false) }
    }

    private func join(_ find: ([Member]) -> Int?) -> LockHolder? {
        members.withLock { members in
            guard let place = find(members) else { return nil }
            members[place].callers += 1
            return members[place].holder
        }
    }

    /// Closes a connection that may have lost its locks.
    ///
    /// Callers that still use it have then lost their locks, too.
    private func giveUp(_ holder: LockHolder) async {
        let isFirst = members.withLock { members in
            guard let place = members.firstIndex(where: { $0.holder === holder }) else { return false }
            members.remove(at: place)
            return true
        }
        guard isFirst else { return }
        await holder.session.close()
        pool.give(back: holder.session)
    }
}

/// A connection with an open transaction, which holds one or several locks.
final class LockHolder: Sendable {
    private struct State {
        var hasBegun = false
        /// Whether a call on the connection has failed.
        ///
        /// Then the server may have released its locks, and another caller may already use the session.
        var isLost = false
    }

    let session: PostgresSession
    /// Only one call at a time can use a session.
    private let locks: ExclusiveLocks
    private let state = Mutex(State())

    private static let turn = StoreKey(provider: "", backend: "", slot: .session)

    init(_ session: PostgresSession, clock: any DeviceClock) {
        self.session = session
        locks = ExclusiveLocks(clock: clock)
    }

    /// Takes another lock if it is free.
    ///
    /// If no transaction is open, it begins one.
    ///
    /// If `isHeld` is true, the transaction already has the lock, and only the transaction itself is checked.
    func lock(
        _ id: [UInt8], _ kind: PostgresSessionSettings.LockKind, isHeld: Bool, limit: Duration, stays: Duration
    ) async throws(PostgresError) -> Bool {
        do throws(StoreError) {
            try await locks.enter(Self.turn, lockTimeout: limit)
        } catch {
            throw PostgresError(.exhausted, "The connection for locks was in use for \(limit.inWholeSeconds).")
        }
        defer { locks.leave(Self.turn) }
        let (begins, isLost) = state.withLock { state in
            defer { state.hasBegun = true }
            return (!state.hasBegun, state.isLost)
        }
        if isLost { throw PostgresError(.disconnected, "The connection was lost with its transaction.") }
        do throws(PostgresError) {
            return try await session.run(within: limit, on: begins ? .opening : .continuing) { connection throws(PostgresError) in
                let locking = LockStatements(connection: connection, kind: kind)
                if begins { try locking.begin(stays: stays) }
                if isHeld {
                    try connection.run("SELECT 1")
                    return true
                }
                return try locking.lock(id)
            }
        } catch {
            state.withLock { $0.isLost = true }
            throw error
        }
    }

    /// Ends the transaction, which releases its locks.
    func end() async {
        do throws(PostgresError) {
            // There is nothing to commit. Whether the response arrives or not, the locks are free when the transaction is over.
            try await session.run(within: .seconds(2), on: .same) { connection throws(PostgresError) in
                _ = try connection.run("ROLLBACK")
            }
        } catch {
            await session.close()
        }
    }
}
