internal import CLockstepPostgres
package import LockstepPrimitives

/// A connection to a server.
///
/// The closure of ``PostgresSession/run(within:on:_:)`` receives it.
///
/// A call **blocks its thread** until it has a result, until its time limit passes, or until the task is cancelled.
package final class PostgresConnection {
    private let handle: PostgresHandle
    private let interrupt: PostgresInterrupt
    private let clock: any DeviceClock
    private var limit: PostgresLimit
    /// The number of statements that this connection has sent.
    package private(set) var roundTrips = 0
    /// The channels that the connection has subscribed to.
    private var channels: Set<String> = []

    /// Connects to the first host that responds and is suitable.
    ///
    /// Each host gets an equal part of the remaining time.
    init(
        _ address: PostgresAddress, _ interrupt: PostgresInterrupt, _ limit: PostgresLimit, _ clock: any DeviceClock
    ) throws(PostgresError) {
        self.interrupt = interrupt
        self.limit = limit
        self.clock = clock
        var failures: [String] = []
        var refusals: [PostgresError.State] = []
        for (index, target) in address.targets.enumerated() {
            let part = PostgresLimit(limit.rest / (address.targets.count - index), on: clock)
            let handle = PostgresHandle(target, interrupt: interrupt)
            switch Self.connect(handle, part) {
            case .ready:
                handle.becomeNonBlocking()
                self.handle = handle
                return
            case .interrupted: throw PostgresError(.cancelled, "The call was cancelled while it connected.")
            case .timedOut: failures.append("no response in time" + Self.advice(target))
            case nil:
                failures.append(handle.message + Self.advice(target))
                if let refusal = handle.refusal { refusals.append(refusal) }
            }
        }
        // If a host was not reached, the next attempt may reach it.
        if !refusals.isEmpty, refusals.count == address.targets.count {
            let state = refusals.first(where: \.isPassing) ?? refusals[0]
            throw PostgresError(.refused, failures.joined(separator: "; "), state: state)
        }
        throw PostgresError(.disconnected, failures.joined(separator: "; "))
    }

    /// Connects to a server, and blocks the thread until it is connected.
    ///
    /// Use this method in code that has its own thread.
    ///
    /// - Parameters:
    ///   - address: The servers and the credentials.
    ///   - limit: The time limit for this call and all later calls together, until the next call of ``renew(within:)``.
    ///   - clock: The clock that measures the time limit.
    /// - Throws: ``PostgresError`` if no server can be reached.
    package convenience init(
        _ address: PostgresAddress, within limit: Duration, clock: any DeviceClock
    ) throws(PostgresError) {
        try self.init(address, try PostgresInterrupt(), PostgresLimit(limit, on: clock), clock)
    }

    /// Sets a new time limit for the next calls.
    ///
    /// - Returns: Whether the connection can still be used. If not, create another connection.
    package func renew(within limit: Duration) -> Bool { isUsable && renew(PostgresLimit(limit, on: clock)) }

    /// Whether the connection can be used for another call.
    var isUsable: Bool { handle.isOpen && handle.isIdle }

    /// Begins another call.
    ///
    /// It returns `false` if the server has gone since the last call.
    func renew(_ limit: PostgresLimit) -> Bool {
        self.limit = limit
        guard handle.wait(reads: true, writes: false, PostgresLimit(.zero, on: clock)) == .ready else { return handle.isOpen }
        // Data on a connection without channels is the server's last message before it closes.
        return !channels.isEmpty && handle.receive() && handle.isOpen
    }

    /// Runs a statement that does not commit.
    ///
    /// Such a statement only reads, or it belongs to a ``transaction(_:)``.
    ///
    /// If the time limit passes or the task is cancelled, the call asks the server to stop the statement, and closes the
    /// connection.
    ///
    /// - Returns: The rows and their number.
    /// - Throws: ``PostgresError``.
    @discardableResult
    package func run(_ statement: PostgresStatement) throws(PostgresError) -> PostgresOutcome {
        try run(statement, stops: true)
    }

    /// Runs a statement that commits, either a single statement or the end of a transaction.
    ///
    /// If the time limit passes or the task is cancelled, the connection is closed, and it is unknown whether the statement was
    /// committed.
    ///
    /// The call does **not** ask the server to stop the statement. After such a request, a commit that waits for a standby
    /// server would become visible, although the standby server may not have the commit
    /// (https://www.postgresql.org/docs/15/warm-standby.html#SYNCHRONOUS-REPLICATION).
    ///
    /// - Returns: The rows and their number.
    /// - Throws: ``PostgresError``.
    @discardableResult
    package func commit(_ statement: PostgresStatement) throws(PostgresError) -> PostgresOutcome {
        try run(statement, stops: false)
    }

    /// Runs a closure in a transaction.
    ///
    /// If the closure returns, the transaction is committed. If the closure throws an error, the transaction is rolled back.
    ///
    /// - Throws: The error that `body` throws; ``PostgresError``.
    @discardableResult
    package func transaction<Value>(_ body: (PostgresConnection) throws(PostgresError) -> Value) throws(PostgresError) -> Value {
        try run("BEGIN")
        let value: Value
        do throws(PostgresError) {
            value = try body(self)
        } catch {
            if handle.isOpen { _ = try? run("ROLLBACK") }
            throw error
        }
        try commit("COMMIT")
        return value
    }

    /// Subscribes to the notifications of a channel, until the connection is closed.
    ///
    /// - Parameter channel: The name of the channel: an identifier in lower case that needs no quotes.
    /// - Returns: Whether this call has started the subscription. If so, earlier notifications were missed.
    /// - Throws: ``PostgresError`` with `mismatch` if the name is invalid.
    package func listen(to channel: String) throws(PostgresError) -> Bool {
        guard !channels.contains(channel) else { return false }
        // LISTEN accepts no parameters, so the name goes into the text, and must not contain any other SQL.
        guard channel.utf8.allSatisfy({ 0x61...0x7a ~= $0 || $0 == 0x5f }), !channel.isEmpty else {
            throw PostgresError(.mismatch, "A channel name must contain only a to z and _.")
        }
        try commit(PostgresStatement(stringLiteral: "LISTEN \(channel)"))
        channels.insert(channel)
        return true
    }

    /// Waits for notifications on the channels that this connection has subscribed to.
    ///
    /// - Parameter duration: The longest time to wait.
    /// - Returns: The notifications that arrived in this time; empty if no notification arrived.
    /// - Throws: ``PostgresError``.
    package func notifications(within duration: Duration) throws(PostgresError) -> [PostgresNotification] {
        let wait = PostgresLimit(min(duration, limit.rest), on: clock)
        while true {
            var heard: [PostgresNotification] = []
            while let notification = handle.nextNotification() { heard.append(notification) }
            if !heard.isEmpty { return heard }
            switch handle.wait(reads: true, writes: false, wait) {
            case .timedOut: return []
            case .interrupted: throw PostgresError(.cancelled, "The call was cancelled.")
            case .ready: guard handle.receive(), handle.isOpen else { throw lost() }
            }
        }
    }
}

extension PostgresConnection {
    /// Returns which setting decides whether a server is accepted.
    private static func advice(_ target: [PostgresAddress.Parameter]) -> String {
        guard target.contains(where: { $0.keyword == "sslmode" && $0.value.reveal() == PostgresHost.verifying }) else {
            return ""
        }
        return
            " (sslmode=verify-full: sslrootcert must contain the certificate's issuer, and the certificate must contain the host name)"
    }

    private static func connect(_ handle: PostgresHandle, _ limit: PostgresLimit) -> PostgresHandle.Wake? {
        guard handle.hasBegun else { return nil }
        var (reads, writes) = (false, true)
        while true {
            let wake = handle.wait(reads: reads, writes: writes, limit)
            guard wake == .ready else { return wake }
            switch handle.connectStep() {
            case PGRES_POLLING_OK: return .ready
            case PGRES_POLLING_READING: (reads, writes) = (true, false)
            case PGRES_POLLING_WRITING: (reads, writes) = (false, true)
            default: return nil
            }
        }
    }

    private func run(_ statement: PostgresStatement, stops: Bool) throws(PostgresError) -> PostgresOutcome {
        roundTrips += 1
        guard handle.isOpen, handle.send(statement) else { throw lost() }
        var outcome: Result<PostgresOutcome, PostgresError>?
        while true {
            guard let isSent = handle.flush() else { throw lost() }
            if isSent, !handle.isBusy {
                guard let result = handle.nextResult() else { break }
                if case .failure = outcome { continue }
                outcome = Result { () throws(PostgresError) in try result.outcome() }
                continue
            }
            switch handle.wait(reads: true, writes: !isSent, limit) {
            case .ready: guard handle.receive() else { throw lost() }
            case .timedOut: throw givenUp(.timedOut, "The server did not respond within the limit of the call.", stops)
            case .interrupted: throw givenUp(.cancelled, "The call was cancelled.", stops)
            }
        }
        guard handle.isOpen else {
            if case .failure(let error) = outcome { throw error }
            throw lost()
        }
        guard let outcome else { throw lost() }
        return try outcome.get()
    }

    private func lost() -> PostgresError {
        let error = PostgresError(.disconnected, handle.message)
        handle.close()
        return error
    }

    /// Returns the error after the connection was given up.
    ///
    /// It is never used again, because a request to cancel may reach the server after the statement has ended.
    private func givenUp(_ kind: PostgresError.Kind, _ message: String, _ stops: Bool) -> PostgresError {
        if stops { handle.cancel() }
        handle.close()
        return PostgresError(kind, message)
    }
}
