@_exported public import Lockstep
@_exported public import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepSystem

/// The SQLite database in which a server stores the sessions of its users.
///
/// The database can serve many users, and many processes on one machine. If several machines share sessions, use
/// PostgreSQL (`PostgresSessionDatabase`). ``store(for:)`` returns the store of one user.
///
/// ```swift
/// let database = try SQLiteSessionDatabase(directory: "/var/lib/my-server/sessions")
/// let client = AuthClient(adapter: adapter, store: try database.store(for: "user-1"))
/// ```
///
/// Create one database for the lifetime of a process. The database has one connection and one thread for all users.
///
/// **Writes.** The database is in WAL mode, so readers and the writer do not block each other. If a process is killed,
/// either the old value or the new one is stored. When a call returns, its data is on the disk.
/// CONTRIBUTING.md contains the times for reading and replacing a value, also for a thousand users.
///
/// **Locks.** An exclusive lock also excludes other processes. The store uses a lock file for each user. The system
/// releases the lock when the process ends. A transaction is not suitable as a lock, because the writes of all other
/// users would wait for it. A row with a time limit is not suitable either, because the store cannot know how long the
/// lock is needed.
///
/// **Permissions.** Only this user of the machine can access the folder and its files. The store removes the read
/// permission of other users. The store rejects a folder that every user can write to. The error says what to do.
///
/// **Damage.** A digest in each row detects every changed bit. A second table lists the rows that must exist, so that a
/// lost row never looks like a signed-out user. If a row cannot be decoded, the store moves it to the table `aside`. If
/// the database is damaged, the store moves it to a file named `….corrupt-<time>`. The store reports each damage once
/// as `corrupt`. It keeps the newest eight damaged rows of each key, and the newest eight damaged files.
///
/// Only SQLite checks the log of a killed process. If the log is damaged, SQLite ignores everything from the damage on,
/// as after a power failure.
///
/// Keep the folder on a local disk, because WAL needs shared memory.
public actor SQLiteSessionDatabase {
    /// The thread of the database, because every call waits for the disk.
    private let executor: ThreadExecutor
    private let clock: any DeviceClock
    let randomness: any Randomness
    private nonisolated let folder: String
    private nonisolated let locks: FileLocks
    private let busyTimeout: Duration
    private let ownerOfUnowned: StoreOwner?
    private var file: SessionDatabaseFile

    /// The executor of this database's thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

    /// Opens a database in its own folder.
    ///
    /// The first call opens the file.
    ///
    /// - Parameters:
    ///   - directory: The path of the folder, which may begin with `~/`, or its `file:` URL. If the folder does not exist, it is
    ///     created for its owner only.
    ///   - owner: The owner of the sessions in a database of an early version of Lockstep. That version stored no
    ///     owners. If the value is `nil`, the store rejects such a database and does not change it. Other databases
    ///     ignore the value.
    ///   - busyTimeout: The time for which a call waits while another process writes. After this time, the call fails
    ///     with `busy`. Default: 10 seconds.
    ///   - clock: The clock for time limits, and for the names of damaged files.
    ///   - randomness: The source of revisions.
    /// - Throws: `unwritable` if the folder cannot be created, if it belongs to another user, or if other users can write to it.
    public init(
        directory: String, unownedRowsBelongTo owner: String? = nil, busyTimeout: Duration = .seconds(10),
        clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) {
        do throws(SystemError) {
            executor = try ThreadExecutor()
            folder = try LocalPath.resolve(directory)
            try Folder.makePrivate(folder, owns: StoredFile.isName)
        } catch {
            throw StoreError(.unwritable, error, otherwise: "Choose a folder for sessions that this process can write to.")
        }
        if let owner { ownerOfUnowned = try StoreOwner(owner) } else { ownerOfUnowned = nil }
        self.busyTimeout = busyTimeout
        self.clock = clock
        self.randomness = randomness
        locks = FileLocks(clock: clock)
        file = SessionDatabaseFile(folder: folder, busyTimeout: busyTimeout)
    }

    /// Returns the store of one user.
    ///
    /// - Parameter owner: The user's id on this server: 1 to 1,000 bytes without NUL. The table contains the id unchanged, so
    ///   that you can find and remove the rows of a user.
    /// - Returns: The store.
    /// - Throws: `unwritable` if the owner is invalid.
    public nonisolated func store(for owner: String) throws(StoreError) -> SQLiteSessionStore {
        SQLiteSessionStore(database: self, owner: try StoreOwner(owner).name)
    }

    /// Runs a closure while the exclusive lock of the owner and the key is held, in this process and all others.
    nonisolated func exclusively<Result: Sendable>(
        _ row: SessionRow, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        let id = Hex.encode(row.id)
        return try await locks.exclusively(
            StoreKey(provider: "", backend: id, slot: .session), lock: "\(folder)/\(id.prefix(32))\(FileLocks.suffix)",
            isRemoved: true,
            lockTimeout: lockTimeout, body)
    }

    /// Runs a closure in a transaction, if the row still has the given revision.
    ///
    /// The closure receives whether the row exists.
    func change(
        _ row: SessionRow, from revision: Revision?, _ body: (inout SQLiteConnection, Bool) throws -> Void
    ) async throws(StoreError) {
        let isDone = try await run(writing: true) { connection in
            try connection.transaction { connection in
                let found = try connection.state(of: row)
                if case .damaged = found { return false }
                guard found.value?.revision == revision else { throw StoreError.changed }
                try body(&connection, found.value != nil)
                return true
            }
        }
        guard !isDone else { return }
        _ = try await load(row)
        throw .changed
    }

    /// Returns the value of a row.
    func load(_ row: SessionRow) async throws(StoreError) -> StoredValue? {
        let state = try await run(writing: false) { connection in try connection.state(of: row) }
        guard case .damaged = state else { return state.value }
        // Only one process handles the damage.
        let found = try await run(writing: true) { connection in
            try connection.transaction { connection in
                let state = try connection.state(of: row)
                if case .damaged = state { try connection.moveAside(row) }
                return state
            }
        }
        guard case .damaged = found else { return found.value }
        throw StoreError(
            .corrupt,
            "The row of \(row.key.slot.rawValue) in \(file.path) is damaged. Its remaining data was moved to the table aside.")
    }

    /// Runs a closure on the database.
    ///
    /// The database is opened first if necessary, and again if its file was quarantined meanwhile.
    func run<Value>(
        writing: Bool, _ body: (inout SQLiteConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        let code: StoreError.Code = writing ? .unwritable : .unreadable
        for _ in 0..<3 {
            do {
                if !file.isCurrent {
                    let hold = try await locks.hold("\(folder)/open.lock", code: code, lockTimeout: busyTimeout)
                    defer { hold.release() }
                    if !file.isCurrent { try file.reopen(ownerOfUnowned, mark: mark) }
                }
                let value = try file.use(body)
                // If another process has quarantined the file, a write to it does not reach the store.
                if !writing || file.isCurrent { return value }
            } catch let error as StoreError {
                throw error
            } catch let error as SQLiteError {
                if let failure = StoreError(error, writing: writing, file: file.path) { throw failure }
                if try await moveAside() {
                    throw StoreError(
                        .corrupt,
                        "The database \(file.path) is damaged (\(error.message)). It was renamed to ….corrupt-… in the same folder."
                    )
                }
            } catch let error as SystemError {
                throw StoreError(code, error, otherwise: "Check that this process may use the folder.")
            } catch {
                throw StoreError(code, "\(type(of: error))")
            }
        }
        throw StoreError(.busy, "Other processes keep replacing the database \(file.path). Try again.")
    }

    private var mark: String { "\(clock.now.milliseconds)-\(randomness.text(4))" }

    private func moveAside() async throws(StoreError) -> Bool {
        let hold = try await locks.hold("\(folder)/open.lock", lockTimeout: busyTimeout)
        defer { hold.release() }
        do throws(SystemError) {
            return try file.moveAside(mark)
        } catch {
            throw StoreError(.unwritable, "The damaged database cannot be moved aside: \(error).")
        }
    }
}
