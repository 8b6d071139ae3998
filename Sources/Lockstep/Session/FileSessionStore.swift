internal import LockstepCrypto
public import LockstepPrimitives
internal import LockstepSystem

/// A store of files in one folder: for apps, command-line tools, and several processes that share a session.
///
/// Each value is one file that only its owner can read, replaced as a whole: a process killed at any point leaves the old value
/// or the new one. Sections exclude each other across processes by a lock file that the system frees when its holder dies.
/// When the power goes, what was written before the last call returned is on the disk.
public actor FileSessionStore: SessionStore {
    /// All of it waits for the disk, so it runs on a thread of its own.
    private let executor: ThreadExecutor
    private let folder: String
    private let clock: any DeviceClock
    private let randomness: any Randomness
    private nonisolated let sections: ExclusiveSections

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
        sections = ExclusiveSections(clock: clock)
    }

    /// The bytes under a key.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try read(key)
    }

    /// Replaces the bytes under a key if their revision is still the one given.
    @discardableResult
    public func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        try await whileLocked(key, ".write") { () throws(StoreError) in
            guard try self.read(key)?.revision == revision else { throw .changed }
            let next = Revision(rawValue: self.randomness.uuid())
            let file = StoredFile(key: key, revision: next, bytes: bytes)
            try self.writing { () throws(SystemError) in try AtomicFile.replace(self.path(key), with: file.encoded()) }
            return next
        }
    }

    /// Removes what is under a key.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        try await whileLocked(key, ".write") { () throws(StoreError) in
            try self.writing { () throws(SystemError) in try AtomicFile.remove(self.path(key)) }
        }
    }

    /// Removes what is under a key if its revision is still the one given.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await whileLocked(key, ".write") { () throws(StoreError) in
            guard try self.read(key)?.revision == revision else { throw .changed }
            try self.writing { () throws(SystemError) in try AtomicFile.remove(self.path(key)) }
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
        let began = clock.uptime
        try await sections.enter(key, patience: patience)
        defer { sections.leave(key) }
        let hold = try await hold(key, ".section", patience: patience - (clock.uptime - began))
        defer { hold.release() }
        return await body()
    }

    // MARK: Files

    private func path(_ key: StoreKey) -> String {
        // Names of providers and backends may hold anything, and be longer than a file name may be.
        let digest = Hex.encode(HashFunction.sha256.digest(Array("\(key.provider)\n\(key.backend)".utf8)).prefix(12))
        return "\(folder)/\(key.slot.rawValue)-\(digest)\(StoredFile.suffix)"
    }

    private func read(_ key: StoreKey) throws(StoreError) -> StoredValue? {
        let path = path(key)
        guard let bytes = try reading({ () throws(SystemError) in try AtomicFile.read(path) }) else { return nil }
        guard let file = StoredFile(bytes), file.key == key else {
            throw StoreError(
                .corrupt, "The file \(path) is not one of Lockstep's, or is damaged. It is kept; move it away to start afresh.")
        }
        return StoredValue(bytes: file.bytes, revision: file.revision)
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
                error.code == SystemError.noSpace ? .full : .unwritable, "\(error). What was stored before is still there.")
        }
    }

    // MARK: Locks

    private func whileLocked<Value>(_ key: StoreKey, _ kind: String, _ body: () throws(StoreError) -> Value)
        async throws(StoreError) -> Value
    {
        let hold = try await hold(key, kind, patience: .seconds(10))
        defer { hold.release() }
        return try body()
    }

    /// Asks for the lock again and again, a little less often each time, so that no thread is lost to waiting.
    private func hold(_ key: StoreKey, _ kind: String, patience: Duration) async throws(StoreError) -> FileLock.Hold {
        let lock = FileLock(path: path(key) + kind)
        let deadline = clock.uptime + patience
        var pause = Duration.milliseconds(1)
        while true {
            do throws(SystemError) {
                if let hold = try lock.tryAcquire() { return hold }
            } catch {
                throw StoreError(.unwritable, "\(error). Check that this process may write to the folder.")
            }
            guard clock.uptime < deadline, (try? await clock.sleep(for: pause)) != nil else {
                throw StoreError(.busy, "Another process holds the stored session for longer than \(patience). Try again.")
            }
            pause = min(pause * 2, .milliseconds(50))
        }
    }
}
