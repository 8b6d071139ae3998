@_exported public import Lockstep
@_exported public import LockstepPrimitives
internal import LockstepSystem

/// A store in the Keychain, for an app on Apple systems and its extensions.
///
/// It stores the sessions of one user.
///
/// ```swift
/// let store = try KeychainSessionStore(SystemKeychain(), service: "com.example.app")
/// let client = AuthClient(adapter: adapter, store: store)
/// ```
///
/// **Access.** The app can read an item after the device was unlocked once, so it can refresh sessions in the
/// background. The item stays on this device. Otherwise, a backup could restore a single-use token to two devices, and
/// one device would be signed out. Before the device is unlocked, the store is `unreadable`, never empty.
///
/// **Writes.** Each value is one item. The store changes an item in one step, and only if the item still has the
/// revision that was read. If the process is killed, either the old value or the new one is stored. Each call sends a
/// request to another process of the system.
///
/// **Removal of the app.** The items stay in the Keychain. To decide what a new installation does with them, put a
/// ``FreshInstallStore`` in front of this store.
///
/// **Damaged items.** If an item cannot be decoded, the store renames it to `….corrupt-<time>`, and reports it once as
/// `corrupt`. For each key, the store keeps the newest eight damaged items.
public actor KeychainSessionStore: SessionStore {
    private let executor: ThreadExecutor
    private let keychain: any Keychain
    private let place: KeychainPlace
    private let accessibility: KeychainAccessibility
    private let lockFolder: String?
    private let clock: any DeviceClock
    private let randomness: any Randomness
    private nonisolated let locks: FileLocks

    /// The executor of this store's thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

    /// Opens a store in a Keychain.
    ///
    /// - Parameters:
    ///   - keychain: The Keychain: `SystemKeychain()` on Apple systems.
    ///   - service: The name that identifies the items of this app. It must never change.
    ///   - accessGroup: The access group that shares the items with the extensions of the app; `nil` for the app alone.
    ///   - accessibility: The accessibility of new items. Existing items are not changed.
    ///   - lockFolder: A folder that all processes of the access group can use, such as the container of the app group. The store
    ///     keeps lock files in this folder, so that only one process at a time can hold a lock. Without a folder, locks work only
    ///     within this process.
    ///   - clock: The clock for time limits of locks, and for the names of damaged items.
    ///   - randomness: The source of revisions.
    /// - Throws: `unwritable` if no thread can be started, or if the folder cannot be created.
    public init(
        _ keychain: any Keychain, service: String, accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly, lockFolder: String? = nil,
        clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) {
        do throws(SystemError) {
            executor = try ThreadExecutor()
            self.lockFolder = if let lockFolder { try LocalPath.resolve(lockFolder) } else { nil }
            if let folder = self.lockFolder { try Folder.make(folder) }
        } catch {
            throw StoreError(.unwritable, "The store cannot be set up: \(error). Choose a folder that this process can write to.")
        }
        self.keychain = keychain
        place = KeychainPlace(service: service, accessGroup: accessGroup)
        self.accessibility = accessibility
        self.clock = clock
        self.randomness = randomness
        locks = FileLocks(clock: clock)
    }

    /// Reads the bytes under a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The bytes with their revision; `nil` if the key has no value.
    /// - Throws: `StoreError`, as `SessionStore.load(_:)` does.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? { try value(key) }

    /// Replaces the bytes under a key, unless they have changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - bytes: The new bytes.
    ///   - revision: The revision that the caller has read; `nil` if the key must have no value.
    /// - Returns: The new revision.
    /// - Throws: `StoreError`, as `SessionStore.replace(_:with:unlessChangedSince:)` does.
    @discardableResult
    public func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        let next = Revision(rawValue: randomness.uuid())
        let item = KeychainItem(
            account: key.fileName, mark: next.mark, data: StoredFile(key: key, revision: next, bytes: bytes).encoded())
        guard let revision else {
            let status = keychain.add(item, place, accessibility)
            guard status == .duplicateItem else {
                try check(status, writing: true)
                return next
            }
            // The item exists; if it is damaged, this reports it.
            _ = try value(key)
            throw .changed
        }
        // The query names the revision, so the Keychain compares it, and extensions need no lock for this.
        let status = keychain.update(query(key, revision), to: item)
        if status == .itemNotFound {
            _ = try value(key)
            throw .changed
        }
        try check(status, writing: true)
        return next
    }

    /// Removes the value under a key.
    ///
    /// - Parameter key: The key.
    /// - Throws: `StoreError`.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        let status = keychain.delete(KeychainQuery(place, account: key.fileName))
        if status != .itemNotFound { try check(status, writing: true) }
    }

    /// Removes the value under a key, unless it has changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The revision that the caller has read.
    /// - Throws: `StoreError`, as `SessionStore.remove(_:unlessChangedSince:)` does.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let status = keychain.delete(query(key, revision))
        if status == .itemNotFound { throw .changed }
        try check(status, writing: true)
    }

    /// Quarantines the value under a key by renaming its item, unless the value has changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The revision that the caller has read.
    /// - Throws: `StoreError`, as `SessionStore.quarantine(_:unlessChangedSince:)` does.
    public func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        guard let value = try value(key), value.revision == revision else { throw .changed }
        let data = StoredFile(key: key, revision: revision, bytes: value.bytes).encoded()
        guard try isMovedAside(KeychainItem(account: key.fileName, mark: revision.mark, data: data)) else { throw .changed }
    }

    /// Returns the keys that have a value.
    ///
    /// - Returns: The keys.
    /// - Throws: `StoreError`.
    public func keys() async throws(StoreError) -> [StoreKey] {
        try items(KeychainQuery(place)).compactMap { item in
            guard let key = StoredFile(item.data)?.key, key.fileName == item.account else { return nil }
            return key
        }
    }

    /// Runs a closure while this store holds the exclusive lock of a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - lockTimeout: The longest time to wait for the lock.
    ///   - body: The closure.
    /// - Returns: The value that `body` returns.
    /// - Throws: `StoreError`: `busy` if another holder does not release the lock in this time.
    public nonisolated func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        let lock = lockFolder.map { "\($0)/\(key.fileName)\(FileLocks.suffix)" }
        return try await locks.exclusively(key, lock: lock, lockTimeout: lockTimeout, body)
    }

    // MARK: Items

    private func query(_ key: StoreKey, _ revision: Revision) -> KeychainQuery {
        KeychainQuery(place, account: key.fileName, mark: revision.mark)
    }

    private func items(_ query: KeychainQuery) throws(StoreError) -> [KeychainItem] {
        let (status, items) = keychain.copy(query)
        if status == .itemNotFound { return [] }
        try check(status, writing: false)
        return items
    }

    private func value(_ key: StoreKey) throws(StoreError) -> StoredValue? {
        guard let item = try items(KeychainQuery(place, account: key.fileName)).first else { return nil }
        if let file = StoredFile(item.data), file.key == key, file.revision.mark == item.mark { return file.value }
        // If another process was faster, that process has reported the item.
        guard try isMovedAside(item) else { return try value(key) }
        throw StoreError(
            .corrupt,
            "The Keychain item \(item.account) of \(place.service) is damaged, or not from Lockstep. It was moved to another account."
        )
    }

    /// Renames an item, unless it has changed meanwhile.
    ///
    /// The newest eight items of its key are kept.
    private func isMovedAside(_ item: KeychainItem) throws(StoreError) -> Bool {
        let mark = item.account + ".corrupt-"
        var aside = item
        aside.account = "\(mark)\(clock.now.milliseconds)-\(randomness.text(4))"
        let status = keychain.update(KeychainQuery(place, account: item.account, mark: item.mark), to: aside)
        if status == .itemNotFound { return false }
        try check(status, writing: true)
        let kept = try items(KeychainQuery(place)).map(\.account).filter { $0.hasPrefix(mark) }.sorted()
        for older in kept.dropLast(8) { try check(keychain.delete(KeychainQuery(place, account: older)), writing: true) }
        return true
    }

    private func check(_ status: KeychainStatus, writing: Bool) throws(StoreError) {
        switch status {
        case .success: return
        case .interactionNotAllowed:
            throw StoreError(
                writing ? .unwritable : .unreadable, "The device is locked (Keychain -25308). Try again after the first unlock.")
        case .missingEntitlement:
            throw StoreError(
                .notEntitled,
                "The app has no access to the Keychain (-34018). Sign it with the entitlement keychain-access-groups"
                    + (place.accessGroup.map { ", with \($0) in it." } ?? "."))
        case .diskFull: throw StoreError(.full, "The Keychain is full (-34). The previous value is unchanged.")
        default:
            throw StoreError(
                writing ? .unwritable : .unreadable,
                "The Keychain failed with \(status.rawValue). For the meaning, run `security error \(status.rawValue)`.")
        }
    }
}

extension StoreError.Code {
    /// The app has no permission to use the Keychain or the access group.
    ///
    /// A second call does not help.
    public static let notEntitled = StoreError.Code(rawValue: "notEntitled")
}

extension Revision {
    fileprivate var mark: [UInt8] { Array(rawValue.utf8) }
}
