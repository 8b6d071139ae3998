@_exported public import Lockstep
@_exported public import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPostgres
@_exported public import LockstepPrimitives
internal import LockstepSystem
internal import Synchronization

/// Reads and writes the users of a GoTrue server in its PostgreSQL: for moves and rescues, never for an app.
///
/// It gives and takes what the server's API does not: hashes of passwords, identities, second factors with their secrets, times. The
/// rows are those of schema `auth`, as the server's own migrations make it. The role of the connection string owns the tables, or
/// bypasses row security (a hosted project's `postgres` does); one that row security would show a part of the rows is refused. Triggers
/// that the app has on `auth.users` run with each row.
public struct GoTrueDatabase: UserDirectory {
    /// How long a call may take, and what a server must prove.
    public struct Settings: Sendable {
        /// The most connections.
        public var connections = 4
        /// Time limit of a call, connecting included; a batch has a second more for each user of a transaction.
        public var limit: Duration = .seconds(30)
        /// Whether a host that is not local must prove by its certificate that it is the one named (`sslmode=verify-full`).
        public var verifiesServers = true
        /// How many users are written in one transaction.
        public var usersInTransaction = 500

        /// The defaults.
        public init() {}
    }

    let settings: Settings
    let clock: any DeviceClock
    let randomness: any Randomness
    let pool: PostgresPool
    /// Whether the connection string names a server on this machine only.
    public let isOnThisMachine: Bool
    let counter = RoundTripCounter()
    /// The transaction that all reads run in; `nil` for one of each read.
    var snapshot: UserSnapshot?

    /// The users in that database; it is connected to by the first call.
    ///
    /// - Parameter connectionString: as libpq takes it, `key=value` pairs or a URI.
    /// - Throws: `invalidConfiguration` where it cannot be understood, or lets a host that is not local go unverified.
    public init(
        _ connectionString: Secret, settings: Settings = Settings(), clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) throws(AuthError) {
        self.settings = settings
        self.clock = clock
        self.randomness = randomness
        do throws(PostgresError) {
            let address = try PostgresAddress(connectionString, verifiesServers: settings.verifiesServers)
            isOnThisMachine = address.isLocal
            pool = PostgresPool(address, capacity: settings.connections, clock: clock) { try ThreadExecutor() }
        } catch {
            throw AuthError(.invalidConfiguration, error.message)
        }
    }

    /// `gotrue`.
    public var name: String { "gotrue" }
    /// `postgresql`; the connection string is a secret.
    public var backend: String { "postgresql" }
    /// All but what a row has no place for: another system's id, data of servers only, further addresses, user names, locks.
    ///
    /// The server's policy for passwords is not known here and holds for no password.
    public var features: Set<DirectoryFeature> {
        [
            .chosenIDs, .passwordHashes, .confirmation, .confirmationTimes, .disabling, .banEnds, .phones, .unprovenPhones,
            .addressIdentities, .photos, .identities, .factors, .anonymousUsers, .roles, .userMetadata, .creationTimes, .updateTimes,
            .signInTimes, .policyExemptions,
        ]
    }

    /// By the ids: ``DirectoryOrder/stable``.
    public var order: DirectoryOrder { .stable }

    /// A page of users in the order of their ids, with hashes and identities; rows that the server has marked as deleted are left out.
    ///
    /// A page begins after the last id of the one before, so that no user is read twice or missed who is there all the time.
    public func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        let size = min(max(size, 1), 10_000)
        var condition: PostgresStatement = "u.deleted_at IS NULL"
        if let last = cursor?.rawValue {
            guard let last = GoTrueDirectory.uuid(last) else {
                throw AuthError(.invalidInput, "The cursor is not one of this directory's.")
            }
            condition = "\(condition) AND u.id > \(last)::uuid"
        }
        let users = try await users(where: "\(condition) ORDER BY u.id LIMIT \(Int64(size))")
        return DirectoryPage(
            users: users, next: users.count < size ? nil : users.last.map { DirectoryCursor(rawValue: $0.id) }, total: nil)
    }

    /// A user with hash and identities.
    public func user(id: String) async throws(AuthError) -> DirectoryUser {
        guard let id = GoTrueDirectory.uuid(id),
            let user = try await users(where: "u.deleted_at IS NULL AND u.id = \(id)::uuid").first
        else { throw Self.noUser }
        return user
    }

    /// The user of an address; where users of single sign-on share it, the user who is not one of theirs.
    public func user(email: String) async throws(AuthError) -> DirectoryUser? {
        let address = try EmailAddress(email).text.lowercased()
        // The server's own look-up, and its index, have the instance in them.
        return try await users(
            where: """
                u.instance_id = '00000000-0000-0000-0000-000000000000' AND lower(u.email) = \(address) AND u.deleted_at IS NULL
                ORDER BY u.is_sso_user, u.created_at, u.id LIMIT 1
                """
        ).first
    }

    /// The user of a number in E.164 form.
    public func user(phone: String) async throws(AuthError) -> DirectoryUser? {
        let digits = try NewUserRecord.digits(phone)
        return try await users(where: "u.phone = \(digits) AND u.deleted_at IS NULL").first
    }

    /// The user of a person at an identity provider.
    public func user(provider: IdentityProvider, subject: String) async throws(AuthError) -> DirectoryUser? {
        let name = GoTrueDirectory.name(of: provider)
        return try await users(
            where: """
                u.deleted_at IS NULL AND u.id =
                    (SELECT user_id FROM auth.identities WHERE provider = \(name) AND provider_id = \(subject))
                """
        ).first
    }

    /// The second factors of a user with their secrets, oldest first.
    ///
    /// - Throws: `userNotFound`
    public func factors(of id: String) async throws(AuthError) -> [DirectoryFactor] {
        try await user(id: id).factors
    }

    /// Deletes a user for good, with sessions, identities and factors.
    ///
    /// - Throws: `userNotFound`; `invalidInput` where a table of the app's still refers to the user and does not let the row go.
    public func delete(_ id: String) async throws(AuthError) {
        guard let id = GoTrueDirectory.uuid(id) else { throw Self.noUser }
        let count = try await write { () throws(PostgresError) in
        } _: { _, connection throws(PostgresError) in
            try connection.run("DELETE FROM auth.users WHERE id = \(id)::uuid AND deleted_at IS NULL").count
        }
        guard count > 0 else { throw Self.noUser }
    }

    // MARK: Calls

    /// The settings that each transaction needs.
    ///
    /// They end with the transaction: a pooler may give the next one to another connection.
    ///
    /// The server's tables have row security and no policies: a role that is held to it would see no users and no error. Another time
    /// zone than UTC would write old times with an offset of seconds, which RFC 3339 does not have.
    static let settings: PostgresStatement =
        "SELECT set_config('row_security', 'off', true), set_config('TimeZone', 'UTC', true)"

    /// Runs `body` in a transaction that only reads, on a connection that no row is hidden from.
    func call<Value: Sendable>(
        _ body: @Sendable (PostgresConnection) throws(PostgresError) -> Value
    ) async throws(AuthError) -> Value {
        if let snapshot { return try await snapshot.read(within: settings.limit, body) }
        return try await connected { connection throws(PostgresError) in
            try connection.transaction { connection throws(PostgresError) in
                try connection.run(Self.settings)
                return try body(connection)
            }
        }
    }

    /// Runs `body` on a connection, which counts its round trips.
    func connected<Value: Sendable>(
        limit: Duration? = nil, _ body: @Sendable (PostgresConnection) throws(PostgresError) -> Value
    ) async throws(AuthError) -> Value {
        do throws(PostgresError) {
            return try await pool.run(within: limit ?? settings.limit) { connection throws(PostgresError) in
                let before = connection.roundTrips
                defer { counter.add(connection.roundTrips - before) }
                return try body(connection)
            }
        } catch {
            throw AuthError(error)
        }
    }

    /// How many statements this directory has sent so far.
    package var roundTrips: Int { counter.count }

    func users(where condition: PostgresStatement) async throws(AuthError) -> [DirectoryUser] {
        try await call { connection throws(PostgresError) in try connection.run(Self.users(where: condition)).rows }
            .map { row throws(AuthError) in try DirectoryUser(row) }
    }

    static let noUser = AuthError(.userNotFound, "There is no user with this id.")
}

/// Counts the statements of a directory.
final class RoundTripCounter: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock(\.self) }

    func add(_ number: Int) { state.withLock { $0 += number } }
}
