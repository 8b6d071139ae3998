public import LockstepPrimitives
internal import LockstepSystem

/// A session store that keeps files in one folder, for one user of an app or a command-line tool.
///
/// Any number of processes on one machine can share the session.
///
/// ```swift
/// let store = try FileSessionStore(directory: "~/.config/my-tool")
/// let client = AuthClient(adapter: adapter, store: store)
/// await client.restore()
/// ```
///
/// **One user.** Two users who share a folder share a session. A server with many users needs `SQLiteSessionDatabase`
/// or `PostgresSessionDatabase`, which separate the users.
///
/// **Writes.** Each value is one file that only its owner can read. The store replaces a file as a whole. So after the
/// process is killed, the file contains either the old value or the new value. When a call returns, the data are on the
/// disk. Each write waits for the disk twice.
///
/// **Apple systems.** The files are excluded from backups, and can be read after the first unlock of the device. An app
/// and its extensions can share the folder. While the store holds a lock, it asks iOS for background time. The store
/// releases the lock before iOS suspends the process (docs/apple.md).
///
/// **Permissions.** The store creates a missing folder for its owner only, and does not change the permissions of an
/// existing folder. The store rejects a folder that other users can write to, or that belongs to another user. The
/// error is `unreadable` or `unwritable`, and its message says what to do. So the superuser cannot use another user's
/// folder by accident, or leave files there that the owner cannot read. If a group can write to the folder, the store
/// accepts the folder only if this group is the user's private group, as with a umask of 002. If someone has loosened
/// the permissions of a folder that contains only the store's files, the store restores the permissions. The store also
/// restores the permissions of files that others can read.
///
/// **Damaged files.** Each file contains a digest, so the store notices every changed bit. The store quarantines a file
/// if it is damaged, if every user can write to it, if it is larger than 16 MB, or if it is a folder, a pipe or a link.
/// The store then appends `.corrupt-<time>` to the file's name, and throws `corrupt` once. The store keeps the newest
/// eight quarantined files of a key. These files may contain tokens, and ``remove(_:)`` does not delete them. The app
/// can delete quarantined files if necessary.
///
/// **Deleted files.** Another program, such as a cleaner of temporary folders, may delete a file while the app runs.
/// The next process that knows the value then writes the file again. Only a removal through a store is permanent.
///
/// **Locks.** The exclusive lock is a lock file with `flock`. If the process ends, the system releases the lock. The
/// lock also works between two stores of one process, because it belongs to the open file. (A lock of `fcntl` belongs
/// to the process, and is lost when the process closes any other descriptor of the file.) `flock` works the same on
/// Linux, macOS and the BSDs, and Linux supports it over NFS. Do not share the folder between machines on a network
/// file system whose server does not support locks.
public actor FileSessionStore: SessionStore {
    /// The executor of the store's own thread, because all its work waits for the disk.
    private let executor: ThreadExecutor
    private let folder: String
    private let clock: any DeviceClock
    let randomness: any Randomness
    private nonisolated let locks: FileLocks
    /// The files in the folder at the store's last look.
    var known: [StoreKey: KnownFile] = [:]

    /// The executor that runs this store on its own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

    /// Opens a store in a folder.
    ///
    /// - Parameters:
    ///   - directory: The folder's path, which may begin with `~/`, or its `file:` URL as text. If the folder is
    ///     missing, the store creates it for its owner only.
    ///   - clock: The clock for the time limits of locks and the names of quarantined files.
    ///   - randomness: The source of randomness for revisions.
    /// - Throws: `unwritable` if the folder cannot be created, belongs to another user, or can be written by other
    ///   users.
    public init(
        directory: String, clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) {
        do throws(SystemError) {
            executor = try ThreadExecutor()
            folder = try LocalPath.resolve(directory)
            try Folder.makePrivate(folder, owns: StoredFile.isName)
        } catch {
            throw StoreError(.unwritable, error, otherwise: "Choose a folder for sessions that this process can write to.")
        }
        self.clock = clock
        self.randomness = randomness
        locks = FileLocks(clock: clock)
    }

    /// Reads the bytes under a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The bytes with their revision; `nil` if the key has no value.
    /// - Throws: ``StoreError``, as ``SessionStore/load(_:)`` does.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        do throws(StoreError) {
            let (file, isShared) = try file(key)
            if !isShared, try lost(key, for: file) == nil {
                try note(file, under: key)
                return file?.value
            }
        } catch {
            guard error.code == .corrupt else { throw error }
        }
        // Only one process may decide about a damaged file, and a writer may have repaired it already.
        return try await whileLocked(key) { () throws(StoreError) in try self.sound(key)?.value }
    }

    /// Replaces the bytes under a key if their revision has not changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - bytes: The new bytes.
    ///   - revision: The expected revision; `nil` if the key must have no value.
    /// - Returns: The new revision.
    /// - Throws: ``StoreError``, as ``SessionStore/replace(_:with:unlessChangedSince:)`` does.
    @discardableResult
    public func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        try await whileLocked(key) { () throws(StoreError) in
            guard try self.sound(key)?.revision == revision else { throw .changed }
            let next = Revision(rawValue: self.randomness.uuid())
            let file = StoredFile(key: key, revision: next, bytes: bytes)
            let content = file.encoded()
            guard content.count <= StoredFile.limit else {
                throw StoreError(
                    .unwritable, "The value has \(bytes.count) bytes; a file of this store can have at most \(StoredFile.limit).")
            }
            try self.writing { () throws(SystemError) in try AtomicFile.replaceOnDevice(self.path(key), with: content) }
            try self.note(file, under: key)
            return next
        }
    }

    /// Removes the value under a key.
    ///
    /// - Parameter key: The key.
    /// - Throws: ``StoreError``.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        try await whileLocked(key) { () throws(StoreError) in
            try self.erase(key)
        }
    }

    /// Removes the value under a key if its revision has not changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: ``StoreError``, as ``SessionStore/remove(_:unlessChangedSince:)`` does.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await whileLocked(key) { () throws(StoreError) in
            guard try self.sound(key)?.revision == revision else { throw .changed }
            try self.erase(key)
        }
    }

    /// Quarantines the file of a key: the store renames the file and does not read it again.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: ``StoreError``, as ``SessionStore/quarantine(_:unlessChangedSince:)`` does.
    public func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await whileLocked(key) { () throws(StoreError) in
            guard try self.sound(key)?.revision == revision else { throw .changed }
            try self.moveAside(key)
        }
    }

    /// Returns the keys that have a value.
    ///
    /// - Returns: The keys.
    /// - Throws: ``StoreError``.
    public func keys() async throws(StoreError) -> [StoreKey] {
        let names = try reading { () throws(SystemError) in try Folder.names(folder) }
        var keys: [StoreKey] = []
        for name in names where name.hasSuffix(StoredFile.suffix) {
            do throws(SystemError) {
                guard let content = try PrivateFile.read("\(folder)/\(name)", limit: StoredFile.limit) else { continue }
                if let file = StoredFile(content.bytes), file.key.fileName + StoredFile.suffix == name { keys.append(file.key) }
            } catch {
                // Files of other programs have no valid key.
                if error.refusal == nil { throw failure(.unreadable, error) }
            }
        }
        return keys
    }

    /// Runs a closure while the store holds the exclusive lock of a key, which also excludes other processes.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - lockTimeout: The maximum time to wait for the lock.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: ``StoreError``: `busy` if the lock is not free within `lockTimeout`.
    public nonisolated func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try makeFolderAgain()
        return try await locks.exclusively(
            key, lock: "\(folder)/\(key.fileName)\(StoredFile.suffix)\(FileLocks.suffix)", lockTimeout: lockTimeout, body)
    }

    // MARK: Files

    func path(_ key: StoreKey) -> String { "\(folder)/\(key.fileName)\(StoredFile.suffix)" }

    /// Returns the file of a key, and whether it has other names (hard links).
    func file(_ key: StoreKey) throws(StoreError) -> (file: StoredFile?, isShared: Bool) {
        let path = path(key)
        var reason = "was not written by Lockstep, or is damaged"
        do throws(SystemError) {
            guard try Folder.isThere(folder) else { return (nil, false) }
            try Folder.checkPrivate(folder, owns: StoredFile.isName)
            guard let content = try PrivateFile.read(path, limit: StoredFile.limit) else { return (nil, false) }
            if let file = StoredFile(content.bytes), file.key == key { return (file, content.hasOtherNames) }
        } catch {
            guard let refusal = error.refusal, refusal.isOfFile else { throw failure(.unreadable, error) }
            reason = "is not used: \(refusal.rawValue)"
        }
        throw StoreError(.corrupt, "The file \(path) \(reason). The store renames it to \(path).corrupt-… in the same folder.")
    }

    /// Returns the file of a key.
    ///
    /// A damaged file is quarantined. The caller must have the writers' lock.
    private func sound(_ key: StoreKey) throws(StoreError) -> StoredFile? {
        do throws(StoreError) {
            let (file, isShared) = try file(key)
            // A rewritten file has only one name. If only this name were removed, the value would remain under the other names.
            let lost = try lost(key, for: file)
            if let wanted = lost ?? (isShared ? file : nil) {
                try writing { () throws(SystemError) in try AtomicFile.replaceOnDevice(path(key), with: wanted.encoded()) }
            }
            if lost == nil { try note(file, under: key) }
            return lost ?? file
        } catch {
            if error.code == .corrupt { try moveAside(key) }
            throw error
        }
    }

    /// Removes a file, and a temporary file that a killed writer may have left.
    ///
    /// Both names are removed from the disk.
    private func erase(_ key: StoreKey) throws(StoreError) {
        let isNoted = (try? noteRemoval(key)) != nil
        let path = path(key)
        try writing { () throws(SystemError) in
            try AtomicFile.removeReplacement(of: path)
            try AtomicFile.removeDurably(path)
        }
        // A full disk has room for the note only now. If the note fails again, the removal fails and is repeated later.
        if !isNoted { try noteRemoval(key) }
    }

    private func moveAside(_ key: StoreKey) throws(StoreError) {
        // Without the note, another process may write its undamaged copy again.
        try? noteRemoval(key)
        let path = path(key)
        let mark = path + ".corrupt-"
        try writing { () throws(SystemError) in
            let aside = "\(mark)\(self.clock.now.milliseconds)-\(self.randomness.text(4))"
            try AtomicFile.rename(path, to: aside)
            // A folder or other non-file has no bytes to protect from other users.
            try? PrivateFile.tighten(aside)
            let name = mark.dropFirst(self.folder.count + 1)
            for older in try Folder.names(self.folder).filter({ $0.hasPrefix(name) }).dropLast(8) {
                // A quarantined folder cannot be removed this way, but that is not an error.
                try? AtomicFile.remove("\(self.folder)/\(older)")
            }
        }
    }

    nonisolated func reading<Value>(_ body: () throws(SystemError) -> Value) throws(StoreError) -> Value {
        do throws(SystemError) { return try body() } catch { throw failure(.unreadable, error) }
    }

    nonisolated func writing(_ body: () throws(SystemError) -> Void) throws(StoreError) {
        do throws(SystemError) { try body() } catch { throw failure(.unwritable, error) }
    }

    private nonisolated func failure(_ code: StoreError.Code, _ error: SystemError) -> StoreError {
        StoreError(code, error, otherwise: "Check that the folder exists and that this process may use it.")
    }

    // MARK: Locks

    /// Creates the folder again if it was deleted while the app runs.
    private nonisolated func makeFolderAgain() throws(StoreError) {
        try writing { () throws(SystemError) in
            if try Folder.isThere(folder) {
                try Folder.checkPrivate(folder, owns: StoredFile.isName)
            } else {
                try Folder.makePrivate(folder, owns: StoredFile.isName)
            }
        }
    }

    private func whileLocked<Value>(_ key: StoreKey, _ body: () throws(StoreError) -> Value) async throws(StoreError) -> Value {
        try makeFolderAgain()
        let hold = try await locks.hold(path(key) + ".write", lockTimeout: .seconds(10))
        defer { hold.release() }
        return try body()
    }
}
