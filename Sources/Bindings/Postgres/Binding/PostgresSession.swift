public import LockstepPrimitives

/// A connection on a thread of its own, made when it is first needed and made anew when it was lost.
///
/// One call at a time; ``PostgresPool`` ensures that.
public actor PostgresSession {
    /// Runs everything in this actor, and may be blocked by it.
    private let executor: any SerialExecutor
    private let address: PostgresAddress
    private let clock: any DeviceClock
    private nonisolated let interrupt: PostgresInterrupt
    private var connection: PostgresConnection?

    /// The thread that this session runs on; the actor holds its executor, which is what makes it safe.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// A session that connects when it is first used.
    ///
    /// - Parameter executor: a thread that may be blocked, of this session alone.
    public init(_ address: PostgresAddress, clock: any DeviceClock, executor: any SerialExecutor) throws(PostgresError) {
        self.address = address
        self.clock = clock
        self.executor = executor
        interrupt = try PostgresInterrupt()
    }

    /// Which connection a call runs on.
    public enum Footing: Sendable {
        /// The one that is there, or a new one where it was lost; the call leaves no transaction open.
        case any
        /// As ``any``, but a transaction may stay open for the next call.
        case opening
        /// The one of the last call, whose transaction is still open and stays open for the next call.
        case continuing
        /// The one of the last call, whose transaction is still open; nothing else.
        case same
    }

    /// Runs `body` with the connection, on this session's thread.
    ///
    /// - Parameter limit: the deadline for each statement of `body`, connecting included.
    /// - Throws: what `body` throws; ``PostgresError`` with `disconnected` where no server could be reached.
    public nonisolated func run<Value: Sendable>(
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
            // The end of a transaction must not be prevented by an earlier cancellation; and a shared transaction does not end
            // with one of its users.
            if footing != .same, footing != .continuing { interrupt.fire(call) }
        }
        return try outcome.get()
    }

    /// Ends the connection, and with it the locks that it holds.
    public func close() { connection = nil }

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
