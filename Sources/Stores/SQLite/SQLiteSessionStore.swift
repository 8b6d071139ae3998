public import Lockstep
public import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepSystem

/// A store in one SQLite database: for servers and tools on one machine with many users, and processes that share them.
///
/// Where a file for each value would be many files, this is one, and a change of one value costs one wait for the disk. The database is in
/// WAL mode: readers and the writer do not hinder each other, a process killed at any point leaves the old value or the new one,
/// and when the power goes, what was written before the last call returned is on the disk. Files are their owner's alone. What a
/// load and a replace take is in docs/performance.md.
///
/// Sections exclude each other across processes by lock files beside the database, which the system frees when their holder dies. A
/// transaction could not be held while a request is on its way, because everybody else's writes would wait; a lease in a row
/// would have to guess how long its holder may live.
///
/// A row that cannot be understood is moved to the table `aside`, a database that is damaged to a file `….corrupt-` and the time; both
/// are told once as `corrupt`, and the newest eight are kept. Keep the folder on a disk of this machine: WAL needs shared memory.
public actor SQLiteSessionStore: SessionStore {
    /// All of it waits for the disk, so it runs on a thread of its own.
    private let executor: ThreadExecutor
    private let folder: String
    private let clock: any DeviceClock
    private let randomness: any Randomness
    private nonisolated let sections: FileSections
    private let busyTimeout: Duration
    private var database: SessionDatabase

    /// The thread that this store runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

    /// A store in a folder of its own, which is made where it is missing, for its owner only.
    ///
    /// - Parameter busyTimeout: how long a call waits for another process that writes, before it fails as `busy`.
    /// - Throws: `unwritable` where the folder cannot be made. The database is opened by the first call.
    public init(
        directory: String, busyTimeout: Duration = .seconds(10), clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) {
        do throws(SystemError) {
            executor = try ThreadExecutor()
            try Folder.make(directory)
        } catch {
            throw StoreError(
                .unwritable, "The folder for sessions cannot be used: \(error). Name one that this process may write to.")
        }
        folder = directory
        self.busyTimeout = busyTimeout
        self.clock = clock
        self.randomness = randomness
        sections = FileSections(clock: clock)
        database = SessionDatabase(folder: directory, busyTimeout: busyTimeout)
    }

    /// The bytes under a key.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        let row = try await run(writing: false) { connection in try connection.row(key) }
        guard row?.isDamaged == true else { return row?.value }
        // What to do about it is for one process to decide.
        let found = try await run(writing: true) { connection in
            try connection.transaction { connection in
                let row = try connection.row(key)
                if row?.isDamaged == true { try connection.moveAside(key) }
                return row
            }
        }
        guard found?.isDamaged == true else { return found?.value }
        throw StoreError(
            .corrupt, "The row of \(key.slot.rawValue) in \(database.path) is damaged. It is kept in the table aside.")
    }

    /// Replaces the bytes under a key if their revision is still the one given.
    @discardableResult
    public func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        let next = Revision(rawValue: randomness.uuid())
        try await change(key, from: revision) { connection in
            try connection.run(
                """
                INSERT OR REPLACE INTO stored (provider, backend, slot, revision, bytes)
                VALUES (\(key.provider), \(key.backend), \(key.slot.rawValue), \(next.rawValue), \(bytes))
                """)
        }
        return next
    }

    /// Removes what is under a key.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        try await run(writing: true) { connection in
            try connection.delete(key)
            try connection.forgetLog()
        }
    }

    /// Removes what is under a key if its revision is still the one given.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await change(key, from: revision) { connection in try connection.delete(key) }
        try await run(writing: true) { connection in try connection.forgetLog() }
    }

    /// Moves the row of a key aside.
    public func setAside(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await change(key, from: revision) { connection in try connection.moveAside(key) }
    }

    /// The keys that hold something.
    public func keys() async throws(StoreError) -> [StoreKey] {
        try await run(writing: false) { connection in
            try connection.all("SELECT provider, backend, slot FROM stored") { row throws(SQLiteError) in
                let (provider, backend, slot): (String, String, String) = (try row[0], try row[1], try row[2])
                return StoreKey.Slot(rawValue: slot).map { StoreKey(provider: provider, backend: backend, slot: $0) }
            }.compactMap { $0 }
        }
    }

    /// Runs `body` while no other section of the same key runs, in this process or another.
    public nonisolated func exclusively<Result: Sendable>(
        _ key: StoreKey, patience: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await sections.exclusively(key, lock: "\(folder)/\(key.fileName).section", patience: patience, body)
    }

    // MARK: The database

    /// Does `body` in a transaction in which the revision is the one given.
    private func change(
        _ key: StoreKey, from revision: Revision?, _ body: (inout SQLiteConnection) throws -> Void
    ) async throws(StoreError) {
        let isDone = try await run(writing: true) { connection in
            try connection.transaction { connection in
                let row = try connection.row(key)
                if row?.isDamaged == true { return false }
                guard row?.value?.revision == revision else { throw StoreError.changed }
                try body(&connection)
                return true
            }
        }
        guard !isDone else { return }
        _ = try await load(key)
        throw .changed
    }

    /// Runs `body` on the database, opened where it is not, and again where the file was moved aside meanwhile.
    private func run<Value>(
        writing: Bool, _ body: (inout SQLiteConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        for _ in 0..<3 {
            do {
                if !database.isCurrent {
                    let hold = try await sections.hold("\(folder)/open.lock", patience: busyTimeout)
                    defer { hold.release() }
                    if !database.isCurrent { try database.reopen() }
                }
                let value = try database.use(body)
                // What was written to a file that another process has moved aside is not in the store.
                if !writing || database.isCurrent { return value }
            } catch let error as StoreError {
                throw error
            } catch let error as SQLiteError {
                if let failure = StoreError(error, writing: writing, file: database.path) { throw failure }
                if try await moveAside() {
                    throw StoreError(
                        .corrupt,
                        "The database \(database.path) is damaged (\(error.message)). It is kept beside it, as ….corrupt-….")
                }
            } catch let error as SystemError {
                throw StoreError(
                    error.isFull ? .full : writing ? .unwritable : .unreadable,
                    "\(error). Check that this process may use the folder.")
            } catch {
                throw StoreError(writing ? .unwritable : .unreadable, "\(type(of: error))")
            }
        }
        throw StoreError(.busy, "The database \(database.path) is being replaced again and again. Try again.")
    }

    private func moveAside() async throws(StoreError) -> Bool {
        let hold = try await sections.hold("\(folder)/open.lock", patience: busyTimeout)
        defer { hold.release() }
        do throws(SystemError) {
            return try database.moveAside("\(clock.now.milliseconds)-\(randomness.text(4))")
        } catch {
            throw StoreError(.unwritable, "The damaged database cannot be moved aside: \(error).")
        }
    }
}
