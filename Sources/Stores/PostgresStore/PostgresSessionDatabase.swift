@_exported public import Lockstep
internal import LockstepPostgres
@_exported public import LockstepPrimitives
internal import LockstepSystem
internal import Synchronization

/// The PostgreSQL database in which a server stores the sessions of its users.
///
/// The database can serve many users, processes and machines. ``store(for:)`` returns the store of one user. Create one
/// database for the lifetime of a process.
///
/// The database opens connections when they are needed. Each connection has its own thread. If a connection breaks, or
/// if no server accepts writes, the call retries until its time limit. This happens, for example, while a standby
/// becomes the primary server.
///
/// ```swift
/// let key = try SessionKey(id: "2026-01", secret: secret)
/// let database = try PostgresSessionDatabase(connectionString, keys: SessionKeyRing(newest: key))
/// try await database.prepare()
/// let client = AuthClient(adapter: adapter, store: try database.store(for: "user-1"))
/// ```
public final class PostgresSessionDatabase: Sendable {
    let settings: PostgresSessionSettings
    let keys: SessionKeyRing
    let clock: any DeviceClock
    let randomness: any Randomness
    /// The connections for reading and writing values.
    let calls: PostgresPool
    /// The connections for exclusive locks.
    ///
    /// Each is held while the caller's code runs.
    ///
    /// That code makes calls itself. So a call must not find all connections in use by callers that wait for it.
    let lockPool: PostgresPool
    /// The holders of locks, and their connections.
    let lockHolders: LockHolders
    /// The tasks of this process wait for each other here, so that they do not wait on a connection.
    let locks: ExclusiveLocks
    /// The kind of lock that this server supports, as soon as it is known.
    let foundLock = Mutex<PostgresSessionSettings.LockKind?>(nil)
    /// The keys with a confirmed secret.
    let confirmedKeys = Mutex<Set<ExactString>>([])
    let listener: ChangeListener

    /// Creates a database.
    ///
    /// The database connects at its first use.
    ///
    /// - Parameters:
    ///   - connectionString: The connection string for libpq: `key=value` pairs or a URI
    ///     (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING). If the string contains several
    ///     hosts, the database uses the host that accepts writes.
    ///   - keys: The keys that encrypt sessions.
    ///   - settings: The settings of connections, time limits and locks.
    ///   - clock: The clock that measures time limits.
    ///   - randomness: The source of revisions.
    /// - Throws: `unwritable` if the connection string is invalid, or if a remote host is not verified
    ///   (``PostgresSessionSettings/verifiesServers``).
    public init(
        _ connectionString: Secret, keys: SessionKeyRing, settings: PostgresSessionSettings = PostgresSessionSettings(),
        clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) {
        self.settings = settings
        self.keys = keys
        self.clock = clock
        self.randomness = randomness
        locks = ExclusiveLocks(clock: clock)
        do throws(PostgresError) {
            let address = try PostgresAddress(connectionString, verifiesServers: settings.verifiesServers)
            let thread: @Sendable () throws -> any SerialExecutor = { try ThreadExecutor() }
            calls = PostgresPool(address, capacity: settings.connections, clock: clock, executor: thread)
            lockPool = PostgresPool(address, capacity: settings.lockConnections, clock: clock, executor: thread)
            lockHolders = LockHolders(lockPool, clock: clock)
            listener = ChangeListener(address, clock: clock, executor: thread)
        } catch {
            throw StoreError(.unwritable, error.message)
        }
    }

    /// Returns the store of one user.
    ///
    /// - Parameter owner: The user's id on this server: 1 to 1,000 bytes without NUL. The table contains the id unchanged, so
    ///   that you can find and remove the rows of a user.
    /// - Returns: The store.
    /// - Throws: `unwritable` if the owner is invalid.
    public func store(for owner: String) throws(StoreError) -> PostgresSessionStore {
        PostgresSessionStore(database: self, owner: try StoreOwner(owner).name)
    }

    /// Creates the tables if they do not exist.
    ///
    /// Several processes may call this method at the same time.
    ///
    /// - Throws: `unwritable` if the server cannot be reached, rejects the statement, or has tables of a newer version.
    public func prepare() async throws(StoreError) {
        let installed = try await call(.unwritable) { connection, _ throws(PostgresError) in
            if let version = try PostgresSchema.installed(connection) {
                try PostgresSchema.addProofs(connection)
                return version
            }
            try PostgresSchema.install(connection)
            return try PostgresSchema.installed(connection) ?? 0
        }
        guard installed == PostgresSchema.version else {
            throw StoreError(
                .unwritable,
                "The tables have version \(installed), but this program supports version \(PostgresSchema.version). Use a newer program."
            )
        }
    }

    /// Closes the connections that are not in use.
    ///
    /// The database can still be used.
    public func close() async {
        await calls.close()
        await lockPool.close()
    }

    /// Runs a closure on a connection.
    ///
    /// If a failure may be temporary, the closure runs again until the time limit.
    ///
    /// `code` is the error code for a failure. The closure receives the number of earlier attempts. After the first attempt, it
    /// is unknown whether an earlier attempt has changed something.
    func call<Value: Sendable>(
        _ code: StoreError.Code, _ body: @Sendable (PostgresConnection, Int) throws(PostgresError) -> Value
    ) async throws(StoreError) -> Value {
        let began = clock.uptime
        var pause = Duration.milliseconds(5)
        var attempts = 0
        while true {
            do throws(PostgresError) {
                let before = attempts
                return try await calls.run(within: settings.limit - (clock.uptime - began)) { connection throws(PostgresError) in
                    try body(connection, before)
                }
            } catch {
                attempts += 1
                guard error.isPassing, clock.uptime - began + pause < settings.limit,
                    (try? await clock.sleep(for: pause)) != nil
                else { throw StoreError(code, error) }
                pause = min(pause * 2, .milliseconds(250))
            }
        }
    }
}
