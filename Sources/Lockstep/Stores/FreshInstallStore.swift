public import LockstepPrimitives
internal import LockstepSystem

/// The treatment of old sessions after the user has deleted the app and installed it again.
public enum FreshInstallPolicy: Sendable, Hashable, CaseIterable {
    /// The app uses the old sessions: the previous user is signed in again.
    case keep
    /// The store removes the old sessions.
    ///
    /// So a new owner of the device does not see the previous owner's account.
    case purge
}

/// A session store that applies a policy for fresh installs to another store.
///
/// Use this store in front of a store that survives the removal of the app, such as `KeychainSessionStore`, in an app
/// with one user.
///
/// ```swift
/// let store = FreshInstallStore(keychain, policy: .purge, marker: markerPath)
/// let client = AuthClient(adapter: adapter, store: store)
/// ```
///
/// The marker is a file that the system deletes together with the app. If the marker is missing, the install is fresh.
/// The first call of a process looks for the marker. With the policy `purge`, the store removes all old values before
/// it reads any value, and then writes the marker. With the policy `keep`, the store only writes the marker. If the
/// process is killed in between, the next launch removes the old values again, before a user can sign in.
///
/// If you add `purge` to an app that is already in use, its users must stay signed in. So set `traces` to the paths of
/// files that older versions of the app wrote.
public actor FreshInstallStore: SessionStore {
    private let base: any SessionStore
    private let policy: FreshInstallPolicy
    private let marker: String
    private let traces: [String]
    private let locks: FileLocks
    private var check: Task<StoreError?, Never>?

    /// Creates a store in front of another store.
    ///
    /// - Parameters:
    ///   - base: The store that keeps the values.
    ///   - policy: The treatment of old sessions after a fresh install.
    ///   - marker: The path of the marker, in an existing folder that the system deletes together with the app. The
    ///     file must not be part of a backup that is restored to other devices.
    ///   - traces: Paths of files that older versions of the app wrote. These versions wrote no marker. If one of these
    ///     files exists, the install is not fresh. Default: none.
    ///   - clock: The clock for the time limits of locks.
    public init(
        _ base: any SessionStore, policy: FreshInstallPolicy, marker: String, traces: [String] = [],
        clock: any DeviceClock = SystemClock()
    ) {
        self.base = base
        self.policy = policy
        self.marker = marker
        self.traces = traces
        locks = FileLocks(clock: clock)
    }

    private init(copying store: FreshInstallStore, over base: any SessionStore) {
        self.base = base
        (policy, marker, traces, locks) = (store.policy, store.marker, store.traces, store.locks)
    }

    /// Returns a store with the same rules in front of a changed base store.
    package nonisolated func over(_ change: (any SessionStore) -> any SessionStore) -> FreshInstallStore {
        FreshInstallStore(copying: self, over: change(base))
    }

    /// Reads the bytes under a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The bytes with their revision; `nil` if the key has no value.
    /// - Throws: ``StoreError``, as ``SessionStore/load(_:)`` does.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try await prepare()
        return try await base.load(key)
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
        try await prepare()
        return try await base.replace(key, with: bytes, unlessChangedSince: revision)
    }

    /// Removes the value under a key.
    ///
    /// - Parameter key: The key.
    /// - Throws: ``StoreError``.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        try await prepare()
        try await base.remove(key)
    }

    /// Removes the value under a key if its revision has not changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: ``StoreError``, as ``SessionStore/remove(_:unlessChangedSince:)`` does.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await prepare()
        try await base.remove(key, unlessChangedSince: revision)
    }

    /// Quarantines the value under a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: ``StoreError``, as ``SessionStore/quarantine(_:unlessChangedSince:)`` does.
    public func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await prepare()
        try await base.quarantine(key, unlessChangedSince: revision)
    }

    /// Returns the keys that have a value.
    ///
    /// - Returns: The keys.
    /// - Throws: ``StoreError``.
    public func keys() async throws(StoreError) -> [StoreKey] {
        try await prepare()
        return try await base.keys()
    }

    /// Runs a closure while the store holds the exclusive lock of a key.
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
        try await prepare()
        return try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }

    // MARK: The marker

    /// Checks for the marker once per process.
    ///
    /// After a failed check, the next call checks again.
    private func prepare() async throws(StoreError) {
        let task = check ?? Task { await self.look() }
        check = task
        guard let failure = await task.value else { return }
        if check == task { check = nil }
        throw failure
    }

    private func look() async -> StoreError? {
        do {
            let (marker, traces) = (try LocalPath.resolve(marker), try traces.map { try LocalPath.resolve($0) })
            if try await BlockingThread.run({ try Self.isThere(marker) }) { return nil }
            // An app and its extensions may start at the same time: one of them purges before the others read.
            let hold = try await locks.hold(marker + ".lock", code: .unreadable, lockTimeout: .seconds(10))
            defer { hold.release() }
            if try await BlockingThread.run({ try Self.isThere(marker) }) { return nil }
            let isFresh = try await BlockingThread.run { try !traces.contains { try Self.isThere($0) } }
            if isFresh, policy == .purge {
                for key in try await base.keys() { try await base.remove(key) }
            }
            try await BlockingThread.run { try AtomicFile.replaceOnDevice(marker, with: []) }
            return nil
        } catch let error as StoreError {
            return error
        } catch {
            return StoreError(
                .unreadable,
                "The store cannot check whether the app was newly installed: \(error). Check the folder of \(marker)."
            )
        }
    }

    private static func isThere(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            _ = try FileIdentity(of: path)
            return true
        } catch {
            if error.code == SystemError.noSuchFile { return false }
            throw error
        }
    }
}
