package import LockstepPrimitives

/// A connection that has its own thread.
///
/// The session connects when it is first used, and again if the connection was lost. The session runs one call at a time;
/// ``PostgresPool`` ensures this.
package actor PostgresSession {
    /// The thread that runs all code of this actor.
    ///
    /// The actor may block it.
    private let executor: any SerialExecutor
    private let address: PostgresAddress
    private let clock: any DeviceClock
    private nonisolated let interrupt: PostgresInterrupt
    private var connection: PostgresConnection?

    /// The executor of this session's thread.
    ///
    /// The property is safe, because the actor keeps a reference to its executor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Creates a session.
    ///
    /// The session connects when it is first used.
    ///
    /// - Parameters:
    ///   - address: The servers and the credentials.
    ///   - clock: The clock that measures time limits.
    ///   - executor: A thread for this session alone. The session's calls block the thread.
    /// - Throws: ``PostgresError``.
    package init(_ address: PostgresAddress, clock: any DeviceClock, executor: any SerialExecutor) throws(PostgresError) {
        self.address = address
        self.clock = clock
        self.executor = executor
        interrupt = try PostgresInterrupt()
    }

    /// The connection that a call uses, and whether a transaction stays open afterwards.
    package enum Footing: Sendable {
        /// The existing connection, or a new one if the old one was lost.
        ///
        /// After the call, no transaction is open.
        case any
        /// The same connection as for ``any``, but a transaction may stay open for the next call.
        case opening
        /// The connection of the last call, which must still be open.
        ///
        /// Its transaction continues, and stays open for the next call.
        case continuing
        /// The connection of the last call, which must still be open.
        ///
        /// Its transaction continues, and ends with this call.
        case same
    }

    /// Runs a closure with the connection, on the thread of this session.
    ///
    /// - Parameters:
    ///   - limit: The time limit for the connection attempt and all statements of the closure together.
    ///   - footing: The connection that the call uses.
    /// - Throws: The error that `body` throws; ``PostgresError`` with `disconnected` if no server can be reached.
    package nonisolated func run<Value: Sendable>(
        within limit: Duration, on footing: Footing = .any,
        _ body: @Sendable (PostgresConnection) throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let call = interrupt.begin()
        let outcome: Result<Value, PostgresError> = await withTaskCancellationHandler {
            do throws(PostgresError) {
                return .success(try await perform(PostgresLimit(limit, on: clock), footing, body))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            // An earlier cancellation must not prevent the end of a transaction, and one user of a shared transaction must not
            // end it.
            if footing != .same, footing != .continuing { interrupt.fire(call) }
        }
        return try outcome.get()
    }

    /// Closes the connection, which releases its locks.
    package func close() { connection = nil }

    private func perform<Value: Sendable>(
        _ limit: PostgresLimit, _ footing: Footing, _ body: @Sendable (PostgresConnection) throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
        let connection = try connection(limit, footing)
        var keeps = false
        defer { if !(connection.isUsable || keeps) { self.connection = nil } }
        let value = try body(connection)
        keeps = footing == .opening || footing == .continuing
        return value
    }

    private func connection(_ limit: PostgresLimit, _ footing: Footing) throws(PostgresError) -> PostgresConnection {
        if let connection, connection.renew(limit) { return connection }
        connection = nil
        guard footing != .same, footing != .continuing else {
            throw PostgresError(.disconnected, "The connection was lost with its transaction.")
        }
        let new = try PostgresConnection(address, interrupt, limit, clock)
        connection = new
        return new
    }
}
