public import LockstepPrimitives
internal import LockstepSystem

/// What happens to sessions that have outlived the app when it is installed again.
public enum FreshInstallPolicy: Sendable, Hashable, CaseIterable {
    /// They are used: the user who was signed in before is signed in again.
    case keep
    /// They are removed: on a device that changed owners, the previous owner's account is not shown.
    case purge
}

/// A store that may outlive the app, as the Keychain does, with a policy for fresh installs.
///
/// For apps with one user whose store keeps its items when the app is removed: in front of `KeychainSessionStore`.
///
/// A fresh install is one without its marker, a file that is removed with the app. The first call of a process looks for it. With
/// `purge`, everything in the store is removed before anything is read, and then the marker is written; with `keep` only the
/// marker is written. A process that is killed in between purges again at its next start, before a user can sign in.
///
/// An app that begins to use this with `purge` must not sign out its existing users: name a file that older versions have written
/// as `traces`.
public actor FreshInstallStore: SessionStore {
    private let base: any SessionStore
    private let policy: FreshInstallPolicy
    private let marker: String
    private let traces: [String]
    private let locks: FileLocks
    private var check: Task<StoreError?, Never>?

    /// A store in front of another one.
    ///
    /// - Parameters:
    ///   - marker: the path of a file that is removed with the app, in a folder that exists; not in a backup that is restored to
    ///     other devices.
    ///   - traces: paths of which one is there where an older version, which wrote no marker, has run.
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

    /// The bytes under a key.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try await prepare()
        return try await base.load(key)
    }

    /// Replaces the bytes under a key if their revision is still the one given.
    @discardableResult
    public func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        try await prepare()
        return try await base.replace(key, with: bytes, unlessChangedSince: revision)
    }

    /// Removes what is under a key.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        try await prepare()
        try await base.remove(key)
    }

    /// Removes what is under a key if its revision is still the one given.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await prepare()
        try await base.remove(key, unlessChangedSince: revision)
    }

    /// Quarantines the value under a key.
    public func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await prepare()
        try await base.quarantine(key, unlessChangedSince: revision)
    }

    /// The keys that hold something.
    public func keys() async throws(StoreError) -> [StoreKey] {
        try await prepare()
        return try await base.keys()
    }

    /// Runs `body` with the exclusive lock of the key held.
    public nonisolated func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await prepare()
        return try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }

    // MARK: The marker

    /// Checks for the marker once per process; a check that failed is repeated by the next call.
    private func prepare() async throws(StoreError) {
        let task = check ?? Task { await self.look() }
        check = task
        guard let failure = await task.value else { return }
        if check == task { check = nil }
        throw failure
    }

    private func look() async -> StoreError? {
        let (marker, traces) = (marker, traces)
        do {
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
                .unreadable, "Whether the app was freshly installed is unknown: \(error). Check the folder of \(marker).")
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
