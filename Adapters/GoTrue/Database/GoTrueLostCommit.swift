public import Lockstep
internal import LockstepPostgres
internal import LockstepWire

/// A transaction whose commit has no answer: what it was to write may be there, or not.
///
/// It is `AuthError.underlying` of such a call, and of ``DirectoryOutcome/unknown(_:)`` in a batch. ``GoTrueDatabase/end(of:)`` finds
/// out which it is, also in a later run, which keeps the number.
///
/// ```swift
/// for outcome in await rows.create(users) {
///     guard case .unknown(let error) = outcome, let commit = error.underlying as? GoTrueLostCommit else { continue }
///     print(try await rows.end(of: commit))
/// }
/// ```
public struct GoTrueLostCommit: Error, Hashable, Codable {
    /// What has become of the transaction.
    public enum End: String, Sendable, Hashable {
        /// All of it is done.
        case committed
        /// Nothing of it is done, and nothing will be.
        case rolledBack
        /// It is still under way, such as one that waits for a standby: ask again.
        case underWay
    }

    /// The number that its server has given it.
    public let transaction: UInt64

    /// A transaction by its number.
    public init(transaction: UInt64) { self.transaction = transaction }
}

extension GoTrueLostCommit: EffectFailure {
    var mayHaveTakenEffect: Bool { true }
}

extension GoTrueDatabase {
    /// Asks what has become of a transaction whose commit had no answer.
    ///
    /// Only the server that had the transaction knows: one that was promoted in its place gives out numbers of its own, so read the users
    /// there instead. The number is remembered for about a billion transactions at most.
    /// (https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT)
    ///
    /// - Throws: `invalidInput` where this server has no transaction of the number, or has forgotten it.
    public func end(of commit: GoTrueLostCommit) async throws(AuthError) -> GoTrueLostCommit.End {
        let number = String(commit.transaction)
        let status: String
        do throws(AuthError) {
            status = try await call { connection throws(PostgresError) in
                try connection.run("SELECT coalesce(pg_xact_status(\(number)::text::xid8), '')").rows[0][0]
            }
        } catch {
            // A number that the server has not come to yet.
            guard error.provider?.code == "22023" else { throw error }
            status = ""
        }
        switch status {
        case "committed": return .committed
        case "aborted": return .rolledBack
        case "in progress": return .underWay
        default:
            throw AuthError(.invalidInput, "This server does not know the transaction, or not any more: read the users instead.")
        }
    }

    /// Does everything in `body` or nothing.
    ///
    /// - Parameter prepare: What takes its time before the transaction begins, such as hashing; it may block the thread.
    /// - Throws: with a ``GoTrueLostCommit`` underneath where the answer to the commit was lost; nothing is done with any other error.
    func write<Input, Value: Sendable>(
        limit: Duration? = nil, _ prepare: @Sendable () throws(PostgresError) -> Input,
        _ body: @Sendable (Input, PostgresConnection) throws(PostgresError) -> Value
    ) async throws(AuthError) -> Value {
        // A lost commit is a value here: it ends no call that could be repeated.
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

    /// Does what a transaction is to do, and leaves it open.
    private static func begun<Input, Value>(
        _ input: Input, _ connection: PostgresConnection,
        _ body: @Sendable (Input, PostgresConnection) throws(PostgresError) -> Value
    ) throws(PostgresError) -> (Value, GoTrueLostCommit) {
        do throws(PostgresError) {
            try connection.run("BEGIN")
            let number: String = try connection.run("\(Self.settings), pg_current_xact_id()::text").rows[0][2]
            guard let transaction = UInt64(number) else {
                throw PostgresError(.mismatch, "A transaction has another number than PostgreSQL gives.")
            }
            return (try body(input, connection), GoTrueLostCommit(transaction: transaction))
        } catch {
            _ = try? connection.run("ROLLBACK")
            throw error
        }
    }
}

/// A commit without an answer, and what came in its place.
private struct LostAnswer: Error {
    let commit: GoTrueLostCommit
    let error: PostgresError
}

extension AuthError {
    fileprivate init(_ lost: LostAnswer) {
        self.init(lost.error)
        message = "The answer to the commit was lost: ask GoTrueDatabase.end(of:) what has become of it. \(message)"
        (retry, underlying) = (.never, lost.commit)
    }
}

extension PostgresError {
    /// Whether a commit that ends like this may have been done.
    ///
    /// A server or a pooler that ends the connection says so instead of answering (classes 08 and 57P), which is no word about the commit.
    fileprivate var leavesCommitOpen: Bool {
        switch kind {
        case .disconnected, .timedOut, .cancelled: true
        case .refused:
            ["08", "57P", "40003"].contains { state?.rawValue.hasPrefix($0) == true }
        case .invalidAddress, .exhausted, .mismatch: false
        }
    }
}
