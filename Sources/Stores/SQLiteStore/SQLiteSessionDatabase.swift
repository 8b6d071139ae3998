@_exported public import Lockstep
@_exported public import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepSystem

/// The SQLite database in which a server keeps the sessions of its users; ``store(for:)`` returns each user's store.
///
/// For many users, and many processes on one machine. Several machines share sessions in PostgreSQL (`PostgresSessionDatabase`).
///
/// One for the life of a process: it has one connection and one thread, however many users there are. The database is in
/// WAL mode: readers and the writer do not hinder each other, a process killed at any point leaves the old value or the new one,
/// and when the power goes, what was written before the last call returned is on the disk. What a load and a replace take, and what a
/// thousand users cost, is in docs/performance.md.
///
/// Exclusive locks hold across processes by a lock file for each user who is inside, which the system frees when its
/// holder dies. A transaction could not be held while a request is on its way, because the writes of all other users would wait;
/// a lease in a row would have to guess how long its holder may live.
///
/// Folder and files are this user's alone; what others may read is taken from them, and what every user may write to is refused
/// with what to do, because all sessions are in it. A digest in each row finds every flipped bit in it, and a second table names
/// the rows that there must be, so that a damaged page never looks like a user who is signed out. A row that cannot be decoded is
/// moved to the table `aside`, a database that is damaged to a file `….corrupt-` and the time; both are reported once as
/// `corrupt`, and the newest eight are kept. What a killed process has left in the log is checked by SQLite alone: where that is
/// damaged, SQLite treats it and what follows as cut off by a loss of power, and the state before it is loaded.
///
/// Keep the folder on a disk of this machine: WAL needs shared memory.
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

    /// The thread that this database runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

    /// A database in a folder of its own.
    ///
    /// - Parameters:
    ///   - directory: the folder's path, which may begin with `~/`, or its `file:` URL. A missing folder is made, for its owner only.
    ///   - unownedRowsBelongTo: whose the sessions are that a version of Lockstep without owners has stored here. Such a database is
    ///     refused without it, and nothing in it is changed; it is not looked at afterwards, nor in a database without such rows.
    ///   - busyTimeout: how long a call waits for another process that writes, before it fails as `busy`.
    /// - Throws: `unwritable` if the folder cannot be made, belongs to another user, or is open to other users' writes. The database is opened by the first call.
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

    /// The store of one user.
    ///
    /// - Parameter owner: who the sessions belong to, as the server knows its users; 1 to 1,000 bytes without NUL. It stands in the
    ///   table as it is, so that a user's rows can be found and removed.
    /// - Throws: `unwritable` for any other text.
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
    /// - Parameter body: gets whether the row is there.
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
