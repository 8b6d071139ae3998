public import LockstepPrimitives
internal import LockstepSystem

/// A store of files in one folder: for apps, command-line tools, and several processes that share a session.
///
/// Each value is one file that only its owner can read, replaced as a whole: a process killed at any point leaves the old value
/// or the new one. Sections exclude each other across processes by a lock file that the system frees when its holder dies.
/// When the power goes, what was written before the last call returned is on the disk. That is what a replace costs: two waits
/// for the disk (docs/performance.md).
///
/// A file that is damaged is renamed to `….corrupt-` and the time, told once as `corrupt`, and kept; the newest eight of a key are.
/// They may hold tokens: ``remove(_:)`` does not touch them, and whoever wants them gone deletes them.
///
/// The lock is `flock`. It belongs to the opening of the file, as `fcntl`'s open-file-description locks do, so that two stores of one
/// process keep each other out too; the older locks of `fcntl` belong to the process, and closing any other opening of the
/// file loses them. `flock` is the same on Linux, macOS and the BSDs, and Linux carries it over NFS. On a network file system whose
/// server keeps no locks, do not share the folder between machines.
public actor FileSessionStore: SessionStore {
    /// All of it waits for the disk, so it runs on a thread of its own.
    private let executor: ThreadExecutor
    private let folder: String
    private let clock: any DeviceClock
    private let randomness: any Randomness
    private nonisolated let sections: FileSections

    /// The thread that this store runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

    /// A store in a folder, which is made where it is missing, for its owner only.
    ///
    /// - Throws: `unwritable` where the folder cannot be made.
    public init(
        directory: String, clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) {
        do throws(SystemError) {
            executor = try ThreadExecutor()
            try Folder.make(directory)
        } catch {
            throw StoreError(
                .unwritable, "The folder for sessions cannot be used: \(error). Name one that this process may write to.")
        }
        folder = directory
        self.clock = clock
        self.randomness = randomness
        sections = FileSections(clock: clock)
    }

    /// The bytes under a key.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        do throws(StoreError) {
            return try file(key)?.value
        } catch  where error.code == .corrupt {
            // What to do about it is for one process to decide, and a writer may have put it right already.
            return try await whileLocked(key) { () throws(StoreError) in try self.sound(key)?.value }
        }
    }

    /// Replaces the bytes under a key if their revision is still the one given.
    @discardableResult
    public func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        try await whileLocked(key) { () throws(StoreError) in
            guard try self.sound(key)?.revision == revision else { throw .changed }
            let next = Revision(rawValue: self.randomness.uuid())
            let file = StoredFile(key: key, revision: next, bytes: bytes)
            try self.writing { () throws(SystemError) in try AtomicFile.replace(self.path(key), with: file.encoded()) }
            return next
        }
    }

    /// Removes what is under a key.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        try await whileLocked(key) { () throws(StoreError) in
            try self.writing { () throws(SystemError) in try AtomicFile.remove(self.path(key)) }
        }
    }

    /// Removes what is under a key if its revision is still the one given.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await whileLocked(key) { () throws(StoreError) in
            guard try self.sound(key)?.revision == revision else { throw .changed }
            try self.writing { () throws(SystemError) in try AtomicFile.remove(self.path(key)) }
        }
    }

    /// Moves the file of a key aside.
    public func setAside(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await whileLocked(key) { () throws(StoreError) in
            guard try self.sound(key)?.revision == revision else { throw .changed }
            try self.moveAside(self.path(key))
        }
    }

    /// The keys that hold something.
    public func keys() async throws(StoreError) -> [StoreKey] {
        let names = try reading { () throws(SystemError) in try Folder.names(folder) }
        var keys: [StoreKey] = []
        for name in names where name.hasSuffix(StoredFile.suffix) {
            guard let bytes = try reading({ () throws(SystemError) in try AtomicFile.read("\(folder)/\(name)") }) else {
                continue
            }
            if let file = StoredFile(bytes) { keys.append(file.key) }
        }
        return keys
    }

    /// Runs `body` while no other section of the same key runs, in this process or another.
    public nonisolated func exclusively<Result: Sendable>(
        _ key: StoreKey, patience: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await sections.exclusively(
            key, lock: "\(folder)/\(key.fileName)\(StoredFile.suffix).section", patience: patience, body)
    }

    // MARK: Files

    private func path(_ key: StoreKey) -> String { "\(folder)/\(key.fileName)\(StoredFile.suffix)" }

    /// The file of a key as it is.
    private func file(_ key: StoreKey) throws(StoreError) -> StoredFile? {
        let path = path(key)
        guard let bytes = try reading({ () throws(SystemError) in try AtomicFile.read(path) }) else { return nil }
        guard let file = StoredFile(bytes), file.key == key else {
            throw StoreError(
                .corrupt, "The file \(path) is not one of Lockstep's, or is damaged. It is kept as \(path).corrupt-… beside it.")
        }
        return file
    }

    /// The file of a key, after moving it aside where it is damaged; the caller holds the lock of its writers.
    private func sound(_ key: StoreKey) throws(StoreError) -> StoredFile? {
        do throws(StoreError) {
            return try file(key)
        } catch {
            if error.code == .corrupt { try moveAside(path(key)) }
            throw error
        }
    }

    private func moveAside(_ path: String) throws(StoreError) {
        let mark = path + ".corrupt-"
        try writing { () throws(SystemError) in
            try AtomicFile.rename(path, to: "\(mark)\(self.clock.now.milliseconds)-\(self.randomness.text(4))")
            let name = mark.dropFirst(self.folder.count + 1)
            for older in try Folder.names(self.folder).filter({ $0.hasPrefix(name) }).dropLast(8) {
                try AtomicFile.remove("\(self.folder)/\(older)")
            }
        }
    }

    private func reading<Value>(_ body: () throws(SystemError) -> Value) throws(StoreError) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw StoreError(.unreadable, "\(error). Check that the folder exists and that this process may read it.")
        }
    }

    private func writing(_ body: () throws(SystemError) -> Void) throws(StoreError) {
        do throws(SystemError) {
            try body()
        } catch {
            throw StoreError(
                error.isFull ? .full : .unwritable, "\(error). What was stored before is still there.")
        }
    }

    // MARK: Locks

    private func whileLocked<Value>(_ key: StoreKey, _ body: () throws(StoreError) -> Value) async throws(StoreError) -> Value {
        let hold = try await sections.hold(path(key) + ".write", patience: .seconds(10))
        defer { hold.release() }
        return try body()
    }
}
