public import Lockstep
public import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPostgres
public import LockstepPrimitives
internal import LockstepWire

extension GoTrueDatabase {
    /// Creates a user with identities and second factors.
    ///
    /// - Parameter user: The values of the new user.
    /// - Returns: The created user.
    /// - Throws: The errors of ``UserDirectory/create(_:)``; `identityAlreadyInUse`; `unknown` if a trigger of the app
    ///   rejects the row.
    public func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser {
        let record = try NewUserRecord(user, self)
        let outcome = await createTogether([.success(record)]).first
        if let error = outcome?.error { throw error }
        do throws(AuthError) {
            return try await self.user(id: record.id)
        } catch {
            throw error.after("created")
        }
    }

    /// Creates many users with identities and second factors.
    ///
    /// Each transaction creates several users (``Settings/usersInTransaction``). If the database rejects a user, the
    /// other users are still created.
    ///
    /// If the response to a commit is lost, the outcome for each user of that transaction is
    /// ``DirectoryOutcome/unknown(_:)`` with a ``GoTrueLostCommit``. If a transaction fails before its commit, the
    /// outcome for each of its users is ``DirectoryOutcome/notSent(_:)``. In both cases the call creates no further
    /// users.
    ///
    /// - Parameter users: The users.
    /// - Returns: The outcome for each user, in the order of `users`.
    public func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        var outcomes: [DirectoryOutcome] = []
        var end: AuthError?
        while outcomes.count < users.count {
            let some = users[outcomes.count..<min(outcomes.count + max(1, settings.usersInTransaction), users.count)]
            let results =
                if let end {
                    some.map { _ in DirectoryOutcome.notSent(end) }
                } else {
                    await createTogether(some.map { user in Result { () throws(AuthError) in try NewUserRecord(user, self) } })
                }
            end = end ?? results.first { $0.endsBatch }?.error
            outcomes += results
        }
        return outcomes
    }

    private func createTogether(_ records: [Result<NewUserRecord, AuthError>]) async -> [DirectoryOutcome] {
        let ready = records.compactMap { try? $0.get() }
        var written: ArraySlice<Result<String, PostgresError>> = []
        var failure = DirectoryOutcome.notSent(.cancelled)
        do throws(AuthError) {
            let limit = settings.limit + .seconds(Int64(ready.count))
            let results = try await write(limit: limit) { () throws(PostgresError) in
                try ready.map { record throws(PostgresError) in try record.hashingPassword() }
            } _: { records, connection throws(PostgresError) in
                try Self.insert(records, connection)
            }
            written = results[...]
        } catch {
            failure = error.mayHaveTakenEffect ? .unknown(error) : .notSent(error)
        }
        return records.map { record in
            if case .failure(let error) = record { return .refused(error) }
            guard let result = written.popFirst() else { return failure }
            switch result {
            case .success(let id): return .done(id: id)
            case .failure(let error): return .refused(AuthError(error))
            }
        }
    }

    /// Inserts users together.
    ///
    /// An error names its user, and the others are not affected.
    private static func insert(
        _ records: [NewUserRecord], _ connection: PostgresConnection
    ) throws(PostgresError) -> [Result<String, PostgresError>] {
        // A constraint that the app defers to the commit is checked together with the users, so that the error names
        // its user.
        try connection.run("SET CONSTRAINTS ALL IMMEDIATE")
        return try insertHalving(records[...], connection)
    }

    /// Inserts users together.
    ///
    /// If the database rejects them, they are halved until the rejected user is found.
    ///
    /// - Throws: The error that ends the transaction.
    private static func insertHalving(
        _ records: ArraySlice<NewUserRecord>, _ connection: PostgresConnection
    ) throws(PostgresError) -> [Result<String, PostgresError>] {
        guard !records.isEmpty else { return [] }
        try connection.run("SAVEPOINT some_users")
        do throws(PostgresError) {
            return try NewUserRecord.insert(records, connection)
        } catch  where error.isOfOneRow {
            try connection.run("ROLLBACK TO SAVEPOINT some_users")
            guard records.count > 1 else { return [.failure(error)] }
            let middle = records.startIndex + records.count / 2
            return try insertHalving(records[..<middle], connection) + insertHalving(records[middle...], connection)
        }
    }

    /// Changes a user.
    ///
    /// A new password ends the user's sessions and makes the user's open links invalid, as in the server's API.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - changes: The values to change.
    /// - Returns: The changed user.
    /// - Throws: The errors of ``UserDirectory/update(_:_:)``.
    public func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser {
        try changes.check(features, of: "GoTrue's database")
        let change = try UserRecordChange(changes, self)
        try await apply(change, to: id)
        do throws(AuthError) {
            return try await user(id: id)
        } catch {
            throw error.after("changed")
        }
    }

    /// Replaces a user's password with a hash from another system.
    ///
    /// The call ends the user's sessions and makes the user's open links invalid. The server's API cannot set the hash
    /// of an existing user.
    ///
    /// ```swift
    /// try await database.setPasswordHash("$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy", of: userID)
    /// ```
    ///
    /// - Parameters:
    ///   - hash: The password hash.
    ///   - id: The user's id.
    /// - Throws: `userNotFound`; `invalidInput` if GoTrue cannot verify passwords with this hash.
    public func setPasswordHash(_ hash: Secret, of id: String) async throws(AuthError) {
        try await apply(UserRecordChange(passwordHash: try NewUserRecord.checked(hash)), to: id)
    }

    private func apply(_ change: UserRecordChange, to id: String) async throws(AuthError) {
        guard let id = GoTrueDirectory.uuid(id) else { throw Self.noUser }
        let isThere = try await write { () throws(PostgresError) in
            try change.hashingPassword()
        } _: { change, connection throws(PostgresError) in
            try change.apply(to: id, connection)
        }
        guard isThere else { throw Self.noUser }
    }
}
