public import Lockstep
internal import LockstepPostgres
internal import LockstepWire

/// A transaction whose commit received no response.
///
/// The changes of the transaction may or may not be in the database.
///
/// This error is the `underlying` error of the call's `AuthError`. In a batch, this error is the `underlying` error in
/// ``DirectoryOutcome/unknown(_:)``. ``GoTrueDatabase/end(of:)`` finds the outcome of the transaction. If you save the
/// number of the transaction, a later run can find the outcome, too.
///
/// ```swift
/// for outcome in await rows.create(users) {
///     guard case .unknown(let error) = outcome, let commit = error.underlying as? GoTrueLostCommit else { continue }
///     print(try await rows.end(of: commit))
/// }
/// ```
public struct GoTrueLostCommit: Error, Hashable, Codable {
    /// The outcome of the transaction.
    public enum End: String, Sendable, Hashable {
        /// The database has written all changes of the transaction.
        case committed
        /// The database has written none of the changes, and never will.
        case rolledBack
        /// The transaction is still running, for example because it waits for a standby server; ask again.
        case underWay
    }

    /// The number of the transaction on its server.
    public let transaction: UInt64

    /// Creates a transaction from its number.
    ///
    /// - Parameter transaction: The number of the transaction on its server.
    public init(transaction: UInt64) { self.transaction = transaction }
}

extension GoTrueLostCommit: EffectFailure {
    var mayHaveTakenEffect: Bool { true }
}

extension GoTrueDatabase {
    /// Returns the outcome of a transaction whose commit received no response.
    ///
    /// Only the server that ran the transaction knows its outcome. If another server was promoted in its place, read
    /// the users on that server instead, because it has different transaction numbers. A server remembers about the
    /// last billion transactions. (https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT)
    ///
    /// - Parameter commit: The transaction.
    /// - Returns: The outcome.
    /// - Throws: `invalidInput` if this server has no transaction with this number, or no longer remembers the
    ///   transaction.
    public func end(of commit: GoTrueLostCommit) async throws(AuthError) -> GoTrueLostCommit.End {
        let number = String(commit.transaction)
        let status: String
        do throws(AuthError) {
            status = try await call { connection throws(PostgresError) in
                try connection.run("SELECT coalesce(pg_xact_status(\(number)::text::xid8), '')").rows[0][0]
            }
        } catch {
            // The server has not reached this number yet.
            guard error.provider?.code == "22023" else { throw error }
            status = ""
        }
        switch status {
        case "committed": return .committed
        case "aborted": return .rolledBack
        case "in progress": return .underWay
        default:
            throw AuthError(
                .invalidInput, "The server has no record of this transaction. Read the users to find out whether they changed.")
        }
    }

    /// Performs all changes in `body`, or none.
    ///
    /// - `prepare`: Work that takes time before the transaction begins, such as hashing; it may block the thread.
    ///
    /// If the response to the commit was lost, the `underlying` error of the thrown error is a ``GoTrueLostCommit``.
    /// After any other error, nothing has changed.
    func write<Input, Value: Sendable>(
        limit: Duration? = nil, _ prepare: @Sendable () throws(PostgresError) -> Input,
        _ body: @Sendable (Input, PostgresConnection) throws(PostgresError) -> Value
    ) async throws(AuthError) -> Value {
        // A lost commit is a value here, so that the call is not repeated.
        let end = try await connected(limit: limit) { connection throws(PostgresError) -> Result<Value, LostAnswer> in
            let input = try prepare()
            let (value, commit) = try Self.begun(input, connection, body)
            do throws(PostgresError) {
                try connection.commit("COMMIT")
            } catch {
                guard error.leavesCommitOpen else { throw error }
                return .failure(LostAnswer(commit: commit, error: error))
            }
            return .success(value)
        }
        do throws(LostAnswer) {
            return try end.get()
        } catch {
            throw AuthError(error)
        }
    }

    /// Performs the changes of a transaction, and leaves it open.
    private static func begun<Input, Value>(
        _ input: Input, _ connection: PostgresConnection,
        _ body: @Sendable (Input, PostgresConnection) throws(PostgresError) -> Value
    ) throws(PostgresError) -> (Value, GoTrueLostCommit) {
        do throws(PostgresError) {
            try connection.run("BEGIN")
            let number: String = try connection.run("\(Self.settings), pg_current_xact_id()::text").rows[0][2]
            guard let transaction = UInt64(number) else {
                throw PostgresError(.mismatch, "PostgreSQL returned an invalid transaction number.")
            }
            return (try body(input, connection), GoTrueLostCommit(transaction: transaction))
        } catch {
            _ = try? connection.run("ROLLBACK")
            throw error
        }
    }
}

/// A commit without a response, and the error that occurred instead.
private struct LostAnswer: Error {
    let commit: GoTrueLostCommit
    let error: PostgresError
}

extension AuthError {
    fileprivate init(_ lost: LostAnswer) {
        self.init(lost.error)
        message =
            "The response to the commit was lost. Call GoTrueDatabase.end(of:) to find out whether the commit succeeded. \(message)"
        (retry, underlying) = (.never, lost.commit)
    }
}

extension PostgresError {
    /// Whether a commit that ends with this error may have succeeded.
    ///
    /// If a server or a pooler closes the connection, it reports this instead of a response (classes 08 and 57P), which
    /// says nothing about the commit.
    fileprivate var leavesCommitOpen: Bool {
        switch kind {
        case .disconnected, .timedOut, .cancelled: true
        case .refused:
            ["08", "57P", "40003"].contains { state?.rawValue.hasPrefix($0) == true }
        case .invalidAddress, .exhausted, .mismatch: false
        }
    }
}
