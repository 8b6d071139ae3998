public import Lockstep
public import LockstepDirectory
internal import LockstepPasswords
internal import LockstepPostgres
public import LockstepPrimitives

/// A user to be written with what only a row can hold.
public struct NewGoTrueUser: Sendable, Hashable {
    /// A person at an identity provider.
    public struct ProviderIdentity: Sendable, Hashable {
        /// The server's name of the provider: `google`, `apple`.
        public var provider: String
        /// The provider's id of the person.
        public var subject: String
        /// What the provider says of the person: `email`, `email_verified`, `full_name`; `sub` is added.
        public var data: JSONObject

        /// A person at a provider.
        public init(_ provider: String, subject: String, data: JSONObject = [:]) {
            self.provider = provider
            self.subject = subject
            self.data = data
        }
    }

    /// The user, as every directory takes it.
    public var user: NewDirectoryUser
    /// Sign-in methods beside the address and the number.
    public var identities: [ProviderIdentity]
    /// Second factors: apps with their secret, and phones.
    public var factors: [GoTrueStoredFactor]
    /// When the address was proven; without it, the time of the account, where the user says that it is.
    public var emailConfirmedAt: Instant?
    /// When the number was proven.
    public var phoneConfirmedAt: Instant?
    /// Whether it is a guest.
    public var isAnonymous: Bool
    /// The end of a ban; `nil` for one without end, where the user is disabled.
    public var bannedUntil: Instant?

    /// A user, with what only a row can hold.
    public init(
        _ user: NewDirectoryUser, identities: [ProviderIdentity] = [], factors: [GoTrueStoredFactor] = [],
        emailConfirmedAt: Instant? = nil, phoneConfirmedAt: Instant? = nil, isAnonymous: Bool = false, bannedUntil: Instant? = nil
    ) {
        self.user = user
        self.identities = identities
        self.factors = factors
        self.emailConfirmedAt = emailConfirmedAt
        self.phoneConfirmedAt = phoneConfirmedAt
        self.isAnonymous = isAnonymous
        self.bannedUntil = bannedUntil
    }
}

extension GoTrueDatabase {
    /// Writes a user with the identities of address and number.
    ///
    /// - Throws: as ``UserDirectory/create(_:)``; `identityAlreadyInUse`; `unknown` where a trigger of the app's refuses the row.
    public func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser {
        try await create(NewGoTrueUser(user))
    }

    /// Writes a user with identities and factors.
    ///
    /// - Throws: as ``create(_:)-(NewDirectoryUser)``.
    public func create(_ user: NewGoTrueUser) async throws(AuthError) -> DirectoryUser {
        let row = try NewRow(user, self)
        let id = try await call { connection throws(PostgresError) in
            try connection.transaction { connection throws(PostgresError) in try row.insert(connection) }
        }
        return try await self.user(id: id)
    }

    /// Writes many users, some in each transaction (``Settings/usersInTransaction``).
    public func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        await create(users.map { NewGoTrueUser($0) })
    }

    /// Writes many users with identities and factors, some in each transaction (``Settings/usersInTransaction``).
    ///
    /// A user whom the database refuses does not stop the others. Where the answer to a commit is lost, all users of that transaction
    /// are ``DirectoryOutcome/unknown(_:)``; where one ends before, they are ``DirectoryOutcome/notSent(_:)``.
    public func create(_ users: [NewGoTrueUser]) async -> [DirectoryOutcome] {
        var outcomes: [DirectoryOutcome] = []
        while outcomes.count < users.count {
            let some = users[outcomes.count..<min(outcomes.count + max(1, settings.usersInTransaction), users.count)]
            if let last = outcomes.last, last.endsBatch, let error = last.error {
                outcomes += some.map { _ in .notSent(error) }
            } else {
                outcomes += await createTogether(some)
            }
        }
        return outcomes
    }

    /// The end of one transaction: what became of each row, or what broke it before the commit.
    private enum Ending: Sendable {
        case committed([Result<String, PostgresError>])
        case rolledBack(PostgresError)
    }

    private func createTogether(_ users: ArraySlice<NewGoTrueUser>) async -> [DirectoryOutcome] {
        let rows = users.map { user in Result { () throws(AuthError) in try NewRow(user, self) } }
        let ready = rows.compactMap { try? $0.get() }
        var written: ArraySlice<Result<String, PostgresError>> = []
        var failure = DirectoryOutcome.notSent(.cancelled)
        do throws(AuthError) {
            switch try await call({ connection throws(PostgresError) in try Self.insert(ready, connection) }) {
            case .committed(let results): written = results[...]
            case .rolledBack(let error): failure = .notSent(AuthError(error))
            }
        } catch {
            failure = DirectoryOutcome(of: error)
        }
        return rows.map { row in
            if case .failure(let error) = row { return .refused(error) }
            guard let result = written.popFirst() else { return failure }
            switch result {
            case .success(let id): return .done(id: id)
            case .failure(let error): return .refused(AuthError(error))
            }
        }
    }

    /// Inserts rows in one transaction.
    ///
    /// - Throws: what broke the commit, of which it is not known whether it was done.
    private static func insert(_ rows: [NewRow], _ connection: PostgresConnection) throws(PostgresError) -> Ending {
        var results: [Result<String, PostgresError>] = []
        do throws(PostgresError) {
            try connection.run("BEGIN")
            for row in rows { results.append(try insertAlone(row, connection)) }
        } catch {
            _ = try? connection.run("ROLLBACK")
            return .rolledBack(error)
        }
        try connection.commit("COMMIT")
        return .committed(results)
    }

    /// Inserts a row, so that its refusal leaves the transaction as it was before.
    ///
    /// - Throws: what ends the transaction.
    private static func insertAlone(
        _ row: NewRow, _ connection: PostgresConnection
    ) throws(PostgresError) -> Result<String, PostgresError> {
        try connection.run("SAVEPOINT one_user")
        do throws(PostgresError) {
            let id = try row.insert(connection)
            try connection.run("RELEASE SAVEPOINT one_user")
            return .success(id)
        } catch  where error.kind == .refused && !error.isPassing {
            try connection.run("ROLLBACK TO SAVEPOINT one_user")
            return .failure(error)
        }
    }

    /// Changes a user; a new password ends the user's sessions, as the server's API does.
    public func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser {
        try changes.check(features, of: "GoTrue")
        guard Self.isUUID(id) else { throw Self.noUser }
        let change = try RowChange(changes, self)
        try await apply(change, to: id)
        return try await user(id: id)
    }

    /// Sets a hash that another system has made as the user's password, and ends the user's sessions; the API takes none for a user
    /// who is there.
    ///
    /// - Throws: `userNotFound`; `invalidInput` for a hash that GoTrue does not verify.
    public func setPasswordHash(_ hash: Secret, of id: String) async throws(AuthError) {
        guard Self.isUUID(id) else { throw Self.noUser }
        try await apply(RowChange(passwordHash: try NewRow.checked(hash)), to: id)
    }

    private func apply(_ change: RowChange, to id: String) async throws(AuthError) {
        let isThere = try await call { connection throws(PostgresError) in
            try connection.transaction { connection throws(PostgresError) in try change.apply(to: id, connection) }
        }
        guard isThere else { throw Self.noUser }
    }
}
