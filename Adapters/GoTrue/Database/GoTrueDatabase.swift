@_exported public import Lockstep
@_exported public import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPostgres
@_exported public import LockstepPrimitives
internal import LockstepSystem
internal import Synchronization

/// A directory that reads and writes the users of a GoTrue server in its PostgreSQL database.
///
/// Use the directory for moves and recovery, never in an app.
///
/// The directory supports data that the server's API does not support: password hashes, identities, second factors with
/// their secrets, and times. The rows are in the schema `auth`, which the server's own migrations create. The role in
/// the connection string must own the tables or bypass row security, as `postgres` does on a hosted project. The
/// directory rejects a role if row security hides some rows from the role. The app's triggers on `auth.users` run for
/// each row.
///
/// ```swift
/// let database = try GoTrueDatabase(Secret(connectionString))
/// for try await user in database.all() { print(user.id, user.passwordHash != nil) }
/// ```
public struct GoTrueDatabase: UserDirectory {
    /// The settings of a ``GoTrueDatabase``: time limits, connections, and the verification of servers.
    ///
    /// ```swift
    /// var settings = GoTrueDatabase.Settings()
    /// settings.connections = 2
    /// let database = try GoTrueDatabase(Secret(connectionString), settings: settings)
    /// ```
    public struct Settings: Sendable {
        /// The maximum number of connections.
        public var connections = 4
        /// The time limit of a call, including the time to connect.
        ///
        /// For a batch, each user of a transaction adds one second to the limit.
        public var limit: Duration = .seconds(30)
        /// Whether a server on another machine must have a valid certificate (`sslmode=verify-full`).
        public var verifiesServers = true
        /// The number of users that one transaction writes or deletes.
        public var usersInTransaction = 500

        /// Creates the default settings.
        public init() {}
    }

    let settings: Settings
    let clock: any DeviceClock
    let randomness: any Randomness
    let pool: PostgresPool
    /// Whether the database server in the connection string runs on this machine.
    public let isOnThisMachine: Bool
    let counter = RoundTripCounter()
    /// The transaction of all reads; `nil` if each read has its own.
    var snapshot: UserSnapshot?

    /// Creates a directory of the users in a database; the first call opens a connection.
    ///
    /// - Parameters:
    ///   - connectionString: The connection string for libpq: `key=value` pairs or a URI.
    ///   - settings: The time limits, connections and verification of servers.
    ///   - clock: The clock for time limits.
    ///   - randomness: The source of randomness for ids.
    /// - Throws: `invalidConfiguration` if the connection string is invalid, or if it weakens the certificate check for
    ///   a server on another machine.
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

    /// The name `gotrue`.
    public var name: String { "gotrue" }
    /// The name `postgresql`, because the connection string is a secret.
    public var backend: String { "postgresql" }
    /// The features of this directory: it supports all data that the server's tables can store.
    ///
    /// The tables cannot store external ids, private metadata, further addresses, user names or locks. The directory
    /// does not know the server's password policy, and does not apply it.
    public var features: Set<DirectoryFeature> { Self.allFeatures }

    private static let allFeatures: Set<DirectoryFeature> = [
        .chosenIDs, .passwordHashes, .confirmation, .confirmationTimes, .disabling, .banEnds, .phones, .unprovenPhones,
        .addressIdentities, .photos, .identities, .identityDetails, .phoneFactors, .appFactors, .factors, .anonymousUsers, .roles,
        .userMetadata,
        .creationTimes, .updateTimes, .signInTimes, .policyExemptions,
    ]

    /// The order of lists: by user id (``DirectoryOrder/stable``).
    public var order: DirectoryOrder { .stable }

    /// Returns a page of users in the order of their ids, with their password hashes and identities.
    ///
    /// The page does not contain users that the server has marked as deleted. A page begins after the last id of the
    /// previous page. So the iteration returns a user exactly once if the user exists during the whole iteration.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of the previous page; `nil` for the first page.
    ///   - size: The number of users per page.
    /// - Returns: The page.
    /// - Throws: An `AuthError` of the database.
    public func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        let size = min(max(size, 1), 10_000)
        var last: String?
        if let cursor {
            guard let id = GoTrueDirectory.uuid(cursor.rawValue) else {
                throw AuthError(
                    .invalidInput, "The cursor does not belong to this directory. Use the cursor of the previous page.")
            }
            last = id
        }
        let users = try await users(where: Self.isOnPage(after: last, size: size))
        return DirectoryPage(
            users: users, next: users.count < size ? nil : users.last.map { DirectoryCursor(rawValue: $0.id) }, total: nil)
    }

    /// Returns the condition for the users of a page, with their order.
    ///
    /// - Parameters:
    ///   - id: The id of the last user on the previous page; `nil` for the first page.
    ///   - size: The largest number of users.
    /// - Returns: The condition.
    static func isOnPage(after id: String?, size: Int) -> PostgresStatement {
        let rest: PostgresStatement = if let id { "AND u.id > \(id)::uuid" } else { "" }
        return "u.deleted_at IS NULL \(rest) ORDER BY u.id LIMIT \(Int64(size))"
    }

    /// Returns the user with an id, including the password hash and the identities.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The user.
    /// - Throws: `userNotFound` if the user does not exist.
    public func user(id: String) async throws(AuthError) -> DirectoryUser {
        guard let id = GoTrueDirectory.uuid(id),
            let user = try await users(where: "u.deleted_at IS NULL AND u.id = \(id)::uuid").first
        else { throw Self.noUser }
        return user
    }

    /// Returns the user with an email address.
    ///
    /// Several users can have the same email address if they use single sign-on. In that case, the result is the user
    /// without single sign-on.
    ///
    /// - Parameter email: The email address, in upper or lower case.
    /// - Returns: The user; `nil` if no user has this address.
    /// - Throws: An `AuthError` of the database.
    public func user(email: String) async throws(AuthError) -> DirectoryUser? {
        let address = try EmailAddress(email).text.lowercased()
        // The server's own lookup, and its index, contain the instance.
        return try await users(
            where: """
                u.instance_id = '00000000-0000-0000-0000-000000000000' AND lower(u.email) = \(address) AND u.deleted_at IS NULL
                ORDER BY u.is_sso_user, u.created_at, u.id LIMIT 1
                """
        ).first
    }

    /// Returns the user with a phone number.
    ///
    /// - Parameter phone: The phone number in E.164 form.
    /// - Returns: The user; `nil` if no user has this number.
    /// - Throws: An `AuthError` of the database.
    public func user(phone: String) async throws(AuthError) -> DirectoryUser? {
        let digits = try NewUserRecord.digits(phone)
        return try await users(where: "u.phone = \(digits) AND u.deleted_at IS NULL").first
    }

    /// Returns the user with an account at an identity provider.
    ///
    /// - Parameters:
    ///   - provider: The identity provider.
    ///   - subject: The id that the provider uses for the account.
    /// - Returns: The user; `nil` if no user has this account.
    /// - Throws: An `AuthError` of the database.
    public func user(provider: IdentityProvider, subject: String) async throws(AuthError) -> DirectoryUser? {
        let name = GoTrueDirectory.name(of: provider)
        return try await users(
            where: """
                u.deleted_at IS NULL AND u.id =
                    (SELECT user_id FROM auth.identities WHERE provider = \(name) AND provider_id = \(subject))
                """
        ).first
    }

    /// Returns the second factors of a user with their secrets, oldest first.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The factors.
    /// - Throws: `userNotFound` if the user does not exist.
    public func factors(of id: String) async throws(AuthError) -> [DirectoryFactor] {
        try await user(id: id).factors
    }

    /// Deletes a user permanently, together with the user's sessions, identities and second factors.
    ///
    /// - Parameter id: The user's id.
    /// - Throws: `userNotFound`; `invalidInput` if a table of the app references the user and prevents the deletion.
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
    /// They end with the transaction, because a pooler may send the next one to another connection. The server's tables
    /// have row security without policies. A role that is subject to row security would see no users and no error. In
    /// another time zone than UTC, old times would have an offset with seconds, which RFC 3339 does not allow.
    static let settings: PostgresStatement =
        "SELECT set_config('row_security', 'off', true), set_config('TimeZone', 'UTC', true)"

    /// The settings of a transaction that only reads.
    ///
    /// A table that was just filled has no statistics. Without them, the server sorts the rest of the table for each
    /// page of users. It also compiles the statement, which takes longer than the page. With these settings, it follows
    /// the index of the ids.
    ///
    /// A transaction that writes does not have these settings, because a trigger of the project may run in it, and a
    /// pooled connection keeps its plans.
    static let readSettings: PostgresStatement =
        "\(settings), set_config('enable_sort', 'off', true), set_config('jit', 'off', true)"

    /// Runs `body` in a transaction that only reads, on a connection from which no row is hidden.
    func call<Value: Sendable>(
        _ body: @Sendable (PostgresConnection) throws(PostgresError) -> Value
    ) async throws(AuthError) -> Value {
        if let snapshot { return try await snapshot.read(within: settings.limit, body) }
        return try await connected { connection throws(PostgresError) in
            try connection.transaction { connection throws(PostgresError) in
                try connection.run(Self.readSettings)
                return try body(connection)
            }
        }
    }

    /// Runs `body` on a connection whose statements are counted.
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

    /// The number of statements that this directory has sent so far.
    package var roundTrips: Int { counter.count }

    func users(where condition: PostgresStatement) async throws(AuthError) -> [DirectoryUser] {
        try await call { connection throws(PostgresError) in try connection.run(Self.users(where: condition)).rows }
            .map { row throws(AuthError) in try DirectoryUser(row) }
    }

    static let noUser = AuthError(.userNotFound, "There is no user with this id.")
}

/// The counter of a directory's statements.
final class RoundTripCounter: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock(\.self) }

    func add(_ number: Int) { state.withLock { $0 += number } }
}
