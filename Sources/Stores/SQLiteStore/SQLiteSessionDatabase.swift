@_exported public import Lockstep
@_exported public import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepSystem

/// The SQLite database in which a server stores the sessions of its users.
///
/// ``store(for:)`` returns each user's store.
///
/// It is for many users, and for many processes on one machine. Several machines share sessions in PostgreSQL
/// (`PostgresSessionDatabase`).
///
/// ```swift
/// let database = try SQLiteSessionDatabase(directory: "/var/lib/my-server/sessions")
/// let client = AuthClient(adapter: adapter, store: try database.store(for: "user-1"))
/// ```
///
/// Create one for the lifetime of a process. It has one connection and one thread for all users.
///
/// **Writes.** The database is in WAL mode, so readers and the writer do not block each other. A process that is killed
/// at any point leaves the old value or the new one. When a call returns, its data is on the disk. docs/performance.md
/// has the cost of a load and a replacement, and of a thousand users.
///
/// **Locks.** Exclusive locks work across processes, with a lock file for each user who holds one. The system releases it
/// when its holder ends. A transaction cannot be held during a request, because the writes of all other users would wait.
/// A lease in a row would have to guess how long its holder lives.
///
/// **Permissions.** Folder and files belong to this user alone. The store removes read permissions of others. It rejects
/// a folder that every user can write to, because it contains all sessions; the error says what to do.
///
/// **Damage.** A digest in each row detects every flipped bit. A second table lists the expected rows, so a damaged page
/// never looks like a signed-out user. A row that cannot be decoded is moved to the table `aside`. A damaged database is
/// moved to a file named `….corrupt-` and the time. Each is reported once as `corrupt`, and the newest eight are kept.
/// Only SQLite checks what a killed process left in the log. If the log is damaged, SQLite treats the damaged part and
/// everything after it as lost in a power failure, and loads the state before it.
///
/// Keep the folder on a local disk, because WAL needs shared memory.
public actor SQLiteSessionDatabase {
    /// All of it waits for the disk, so it runs on a thread of its own.
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
    ///   - directory: The folder's path, which may begin with `~/`, or its `file:` URL. A missing folder is created, for
    ///     its owner only.
    ///   - owner: The owner of sessions that an early version of Lockstep stored without owners. Without it, such a
    ///     database is rejected and unchanged. It has no effect on other databases.
    ///   - busyTimeout: The time that a call waits for another process that writes, before it fails as `busy`. Default:
    ///     10 seconds.
    ///   - clock: The clock for time limits and the names of quarantined files.
    ///   - randomness: The source of revisions.
    /// - Throws: `unwritable` if the folder cannot be created, belongs to another user, or can be written by other users.
    public init(
        directory: String, unownedRowsBelongTo owner: String? = nil, busyTimeout: Duration = .seconds(10),
        clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) {
        do throws(SystemError) {
            executor = try ThreadExecutor()
            folder = try LocalPath.resolve(directory)
            try Folder.makePrivate(folder, owns: StoredFile.isName)
        } catch {
            throw StoreError(.unwritable, error, otherwise: "Name a folder for sessions that this process may write to.")
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
    /// - Parameter owner: The owner of the sessions, as the server identifies its users; 1 to 1,000 bytes without NUL.
    ///   The table contains it unchanged, so a user's rows can be found and removed.
    /// - Returns: The store.
    /// - Throws: `unwritable` for an invalid owner.
    public nonisolated func store(for owner: String) throws(StoreError) -> SQLiteSessionStore {
        SQLiteSessionStore(database: self, owner: try StoreOwner(owner).name)
    }

    /// Runs `body` with the exclusive lock of the owner and key held, in this process and all others.
    nonisolated func exclusively<Result: Sendable>(
        _ row: SessionRow, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        let id = Hex.encode(row.id)
        return try await locks.exclusively(
            StoreKey(provider: "", backend: id, slot: .session), lock: "\(folder)/\(id.prefix(32))\(FileLocks.suffix)",
            isRemoved: true,
            lockTimeout: lockTimeout, body)
    }

    /// Does `body` in a transaction in which the revision is the one given.
    ///
    /// - `body`: gets whether the row is there.
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

    /// The value of a row.
    func load(_ row: SessionRow) async throws(StoreError) -> StoredValue? {
        let state = try await run(writing: false) { connection in try connection.state(of: row) }
        guard case .damaged = state else { return state.value }
        // What to do about it is for one process to decide.
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
            "The row of \(row.key.slot.rawValue) in \(file.path) is damaged. What is left of it is kept in the table aside.")
    }

    /// Runs `body` on the database, which is opened first where necessary, and again where the file was quarantined meanwhile.
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
                // A write to a file that another process has quarantined is not in the store.
                if !writing || file.isCurrent { return value }
            } catch let error as StoreError {
                throw error
            } catch let error as SQLiteError {
                if let failure = StoreError(error, writing: writing, file: file.path) { throw failure }
                if try await moveAside() {
                    throw StoreError(
                        .corrupt,
                        "The database \(file.path) is damaged (\(error.message)). It is kept beside it, as ….corrupt-….")
                }
            } catch let error as SystemError {
                throw StoreError(code, error, otherwise: "Check that this process may use the folder.")
            } catch {
                throw StoreError(code, "\(type(of: error))")
            }
        }
        throw StoreError(.busy, "The database \(file.path) is being replaced again and again. Try again.")
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
