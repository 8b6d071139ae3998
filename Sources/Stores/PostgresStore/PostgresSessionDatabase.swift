@_exported public import Lockstep
internal import LockstepPostgres
@_exported public import LockstepPrimitives
internal import LockstepSystem
internal import Synchronization

/// The database in which a server keeps the sessions of its users; ``store(for:)`` returns each user's store.
///
/// For many users, many processes and many machines.
///
/// One for the life of a process: it holds the connections, each with a thread of its own, made when they are needed. Calls that
/// find their connection broken, or no server that takes writes (a primary has died, and no standby is promoted yet), try
/// again until their limit.
public final class PostgresSessionDatabase: Sendable {
    let settings: PostgresSessionSettings
    let keys: SessionKeyRing
    let clock: any DeviceClock
    let randomness: any Randomness
    /// For calls that end by themselves.
    let calls: PostgresPool
    /// For exclusive locks, whose connections are held while the caller's code runs: that code makes calls, and must not find
    /// all connections taken by those who wait for it.
    let lockPool: PostgresPool
    /// The holders of locks, and their connections.
    let lockHolders: LockHolders
    /// Tasks of this process wait here for each other, so that they do not wait on a connection.
    let locks: ExclusiveLocks
    /// How locks are made, once that has been found out.
    let foundLock = Mutex<PostgresSessionSettings.LockKind?>(nil)
    /// The keys of which this machine surely has the right secret.
    let confirmedKeys = Mutex<Set<String>>([])
    let listener: ChangeListener

    /// A database that is connected to when it is first used.
    ///
    /// - Parameters:
    ///   - connectionString: as libpq takes it, `key=value` pairs or a URI
    ///     (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING); it may name several hosts, of which the
    ///     one is used that takes writes.
    ///   - keys: with which sessions are encrypted.
    /// - Throws: `unwritable` where the connection string cannot be understood, or lets a host that is not local go unverified
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

    /// The store of one user.
    ///
    /// - Parameter owner: who the sessions belong to, as the server knows its users; 1 to 1,000 bytes without NUL. It stands in the
    ///   table as it is, so that a user's rows can be found and removed.
    /// - Throws: `unwritable` for any other text.
    public func store(for owner: String) throws(StoreError) -> PostgresSessionStore {
        PostgresSessionStore(database: self, owner: try StoreOwner(owner).name)
    }

    /// Makes the tables where they are missing; any number of processes may do so at once.
    ///
    /// - Throws: `unwritable` where the server cannot be reached, refuses, or has tables of a newer version than this program.
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
                "The tables are of version \(installed), this program knows \(PostgresSchema.version). Use a newer one.")
        }
    }

    /// Closes the connections that are not in use; the database remains usable.
    public func close() async {
        await calls.close()
        await lockPool.close()
    }

    /// Runs `body` on a connection, again as long as the failure may be temporary and the limit is not over.
    ///
    /// - Parameters:
    ///   - code: the error code for a failure.
    ///   - body: gets the number of attempts before this one; after the first, it is unknown whether an earlier one has taken
    ///     effect.
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
