internal import Lockstep
public import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPostgres
internal import LockstepPrimitives
internal import LockstepWire

extension GoTrueDatabase {
    /// Deletes many users permanently, together with their sessions, identities and second factors.
    ///
    /// Each transaction deletes several users (``Settings/usersInTransaction``). If a table of the app prevents the
    /// deletion of a user, the other users are still deleted.
    ///
    /// - Parameter ids: The ids of the users.
    /// - Returns: The outcome for each user, in the order of `ids`. If a user does not exist, the outcome is a
    ///   rejection with `userNotFound`.
    public func delete(_ ids: [String]) async -> [DirectoryOutcome] {
        var outcomes: [DirectoryOutcome] = []
        var end: AuthError?
        while outcomes.count < ids.count {
            let some = ids[outcomes.count..<min(outcomes.count + max(1, settings.usersInTransaction), ids.count)]
            let results =
                if let end { some.map { _ in DirectoryOutcome.notSent(end) } } else { await deleteTogether(Array(some)) }
            end = end ?? results.first { $0.endsBatch }?.error
            outcomes += results
        }
        return outcomes
    }

    private func deleteTogether(_ ids: [String]) async -> [DirectoryOutcome] {
        let uuids = ids.map { GoTrueDirectory.uuid($0) }
        let known = Set(uuids.compactMap(\.self)).sorted()
        do throws(AuthError) {
            let results = try await write(limit: settings.limit + .seconds(Int64(known.count))) { () throws(PostgresError) in
            } _: { _, connection throws(PostgresError) in
                // A reference that would be checked at the commit is checked together with the users, so that the error
                // names its user.
                try connection.run("SET CONSTRAINTS ALL IMMEDIATE")
                return try Self.deleteHalving(known[...], connection)
            }
            return zip(ids, uuids).map { id, uuid in
                switch uuid.flatMap({ results[$0.exact] }) {
                case .done: .done(id: id)
                case .failed(let error): .refused(AuthError(error))
                case nil: .refused(Self.noUser)
                }
            }
        } catch {
            return ids.map { _ in error.mayHaveTakenEffect ? .unknown(error) : .notSent(error) }
        }
    }

    private enum Deletion: Sendable {
        case done
        case failed(PostgresError)
    }

    /// Deletes users together.
    ///
    /// If the database rejects them, they are halved until the rejected user is found.
    ///
    /// - Returns: The outcome of each user who existed.
    /// - Throws: The error that ends the transaction.
    private static func deleteHalving(
        _ ids: ArraySlice<String>, _ connection: PostgresConnection
    ) throws(PostgresError) -> [ExactString: Deletion] {
        guard !ids.isEmpty else { return [:] }
        try connection.run("SAVEPOINT some_users")
        do throws(PostgresError) {
            let list = JSON.array(ids.map(JSON.string)).text()
            let rows = try connection.run(
                """
                DELETE FROM auth.users WHERE deleted_at IS NULL
                    AND id = ANY(ARRAY(SELECT jsonb_array_elements_text(\(list)::jsonb)::uuid)) RETURNING id::text
                """
            ).rows
            var results: [ExactString: Deletion] = [:]
            for row in rows { results[ExactString(try row[0])] = .done }
            return results
        } catch  where error.isOfOneRow {
            try connection.run("ROLLBACK TO SAVEPOINT some_users")
            if ids.count == 1, let id = ids.first { return [id.exact: .failed(error)] }
            let middle = ids.startIndex + ids.count / 2
            return try deleteHalving(ids[..<middle], connection)
                .merging(deleteHalving(ids[middle...], connection)) { first, _ in first }
        }
    }
}
