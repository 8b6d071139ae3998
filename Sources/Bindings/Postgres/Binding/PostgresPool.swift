package import LockstepPrimitives
internal import Synchronization

/// A limited number of connections that many tasks share.
///
/// If all connections are in use, the tasks wait in the order of their calls.
package final class PostgresPool: Sendable {
    private struct Waiter {
        let ticket: Int
        let wake: CheckedContinuation<PostgresSession?, Never>
    }

    private struct State {
        /// The free sessions.
        ///
        /// The session that was used last is used next, so that idle connections of the other sessions can expire.
        var idle: [PostgresSession] = []
        var made = 0
        var waiting: [Waiter] = []
        var nextTicket = 0
        var abandoned: Set<Int> = []
    }

    private let address: PostgresAddress
    private let capacity: Int
    private let clock: any DeviceClock
    private let executor: @Sendable () throws -> any SerialExecutor
    private let state = Mutex(State())

    /// Creates a pool.
    ///
    /// The pool opens connections when they are needed.
    ///
    /// - Parameters:
    ///   - address: The servers and the credentials.
    ///   - capacity: The maximum number of connections, at least one.
    ///   - clock: The clock that measures time limits.
    ///   - executor: A closure that creates a thread for one connection. The connection's calls block the thread. On one
    ///     event loop for all connections, name look-ups and `PQcancel` would block the calls of the others.
    package init(
        _ address: PostgresAddress, capacity: Int, clock: any DeviceClock,
        executor: @escaping @Sendable () throws -> any SerialExecutor
    ) {
        self.address = address
        self.capacity = max(1, capacity)
        self.clock = clock
        self.executor = executor
    }

    /// Runs a closure with a connection, on the thread of that connection.
    ///
    /// See ``PostgresSession/run(within:on:_:)``.
    ///
    /// - Parameters:
    ///   - limit: The time limit.
    /// - Throws: The error that `body` throws; ``PostgresError`` with `exhausted` if no connection became free before the time
    ///   limit.
    package func run<Value: Sendable>(
        within limit: Duration, _ body: @Sendable (PostgresConnection) throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let began = clock.uptime
        let session = try await take(within: limit)
        defer { give(back: session) }
        return try await session.run(within: limit - (clock.uptime - began), body)
    }

    /// Removes a session from the pool, if one is free now.
    ///
    /// Return the session to the pool when you no longer need it.
    ///
    /// - Returns: The session; `nil` if none is free.
    /// - Throws: ``PostgresError``.
    package func takeNow() throws(PostgresError) -> PostgresSession? {
        let (found, makes) = state.withLock { state -> (PostgresSession?, Bool) in
            if let session = state.idle.popLast() { return (session, false) }
            guard state.made < capacity else { return (nil, false) }
            state.made += 1
            return (nil, true)
        }
        return makes ? try make() : found
    }

    /// Waits for a free session, and removes it from the pool.
    ///
    /// Return the session to the pool when you no longer need it.
    ///
    /// - Parameter limit: The longest time to wait.
    /// - Throws: ``PostgresError`` with `exhausted` if no session became free in this time; with `cancelled` if the task was
    ///   cancelled.
    package func take(within limit: Duration) async throws(PostgresError) -> PostgresSession {
        let (found, makes, ticket) = state.withLock { state -> (PostgresSession?, Bool, Int) in
            state.nextTicket += 1
            if let session = state.idle.popLast() { return (session, false, state.nextTicket) }
            guard state.made < capacity else { return (nil, false, state.nextTicket) }
            state.made += 1
            return (nil, true, state.nextTicket)
        }
        if let found { return found }
        if makes { return try make() }
        let given = await withTaskGroup(of: Void.self, returning: PostgresSession?.self) { group in
            group.addTask {
                try? await self.clock.sleep(for: limit)
                self.giveUp(ticket)
            }
            let given = await self.wait(ticket)
            group.cancelAll()
            await group.waitForAll()
            return given
        }
        _ = state.withLock { $0.abandoned.remove(ticket) }
        if let given { return given }
        if Task.isCancelled { throw PostgresError(.cancelled, "The call was cancelled while it waited for a connection.") }
        let (seconds, rest) = limit.components
        throw PostgresError(
            .exhausted, "All \(capacity) connections were in use for \(rest > 0 ? seconds + 1 : seconds) seconds.")
    }

    /// Returns a session to the pool, for the next task that waits.
    package func give(back session: PostgresSession) {
        let next: Waiter? = state.withLock { state in
            if state.waiting.isEmpty {
                state.idle.append(session)
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.wake.resume(returning: session)
    }

    /// Closes the connections that are not in use.
    package func close() async {
        let sessions = state.withLock { state in
            defer { state.idle = [] }
            state.made -= state.idle.count
            return state.idle
        }
        for session in sessions { await session.close() }
    }

    private func make() throws(PostgresError) -> PostgresSession {
        do {
            return try PostgresSession(address, clock: clock, executor: try executor())
        } catch {
            state.withLock { $0.made -= 1 }
            throw error as? PostgresError
                ?? PostgresError(.disconnected, "No thread could be started for a connection: \(error).")
        }
    }

    private func wait(_ ticket: Int) async -> PostgresSession? {
        await withCheckedContinuation { wake in
            let verdict: PostgresSession?? = state.withLock { state in
                if state.abandoned.remove(ticket) != nil { return .some(nil) }
                if let session = state.idle.popLast() { return .some(session) }
                state.waiting.append(Waiter(ticket: ticket, wake: wake))
                return nil
            }
            if let verdict { wake.resume(returning: verdict) }
        }
    }

    private func giveUp(_ ticket: Int) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                state.abandoned.insert(ticket)
                return nil
            }
            return state.waiting.remove(at: index)
        }
        waiter?.wake.resume(returning: nil)
    }
}
