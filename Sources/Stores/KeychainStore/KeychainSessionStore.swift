@_exported public import Lockstep
@_exported public import LockstepPrimitives
internal import LockstepSystem

/// A store in the Keychain: for one user, of an app on Apple systems and its extensions, which are many processes of one device.
///
/// An item is readable from the first unlock after a start on, so that a refresh in the background works, and stays on this device, because
/// a single-use token that is restored to two devices signs one of them out. Each value is one item that is changed in one step,
/// and only where its mark is still the revision that was read: a killed process leaves the old value or the new one. When
/// the power goes, the Keychain's own database keeps what it has confirmed. Each call asks another process of the system.
///
/// Items outlive the app: put a ``FreshInstallStore`` in front of it, which sets what a new install does with them. A locked
/// device is `unreadable`, never "nothing". An item that cannot be decoded is quarantined: renamed to `….corrupt-` and the time,
/// reported once as `corrupt`, and kept; the newest eight of a key are.
public actor KeychainSessionStore: SessionStore {
    private let executor: ThreadExecutor
    private let keychain: any Keychain
    private let place: KeychainPlace
    private let accessibility: KeychainAccessibility
    private let lockFolder: String?
    private let clock: any DeviceClock
    private let randomness: any Randomness
    private nonisolated let locks: FileLocks

    /// The thread that this store runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

    /// A store in a Keychain.
    ///
    /// - Parameters:
    ///   - keychain: the system's (`SystemKeychain()`), where there is one.
    ///   - service: names this app's items; it must never change.
    ///   - accessGroup: the group that shares the items with the app's extensions; `nil` for the app alone.
    ///   - accessibility: when items can be read; those that are there keep what they were made with.
    ///   - lockFolder: a folder that all processes of the access group share, the app group's container for instance: locks exclude each
    ///     other across them by lock files there. Without one they do so in this process only.
    /// - Throws: `unwritable` where no thread can be started, or the folder cannot be created.
    public init(
        _ keychain: any Keychain, service: String, accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly, lockFolder: String? = nil,
        clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) {
        do throws(SystemError) {
            executor = try ThreadExecutor()
            if let lockFolder { try Folder.make(lockFolder) }
        } catch {
            throw StoreError(.unwritable, "The store cannot be set up: \(error). Name a folder that this process may write to.")
        }
        self.keychain = keychain
        place = KeychainPlace(service: service, accessGroup: accessGroup)
        self.accessibility = accessibility
        self.lockFolder = lockFolder
        self.clock = clock
        self.randomness = randomness
        locks = FileLocks(clock: clock)
    }

    /// The bytes under a key.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? { try value(key) }

    /// Replaces the bytes under a key if their revision is still the one given.
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
            // An item is there: a damaged one is reported.
            _ = try value(key)
            throw .changed
        }
        let status = keychain.update(query(key, revision), to: item)
        if status == .itemNotFound {
            _ = try value(key)
            throw .changed
        }
        try check(status, writing: true)
        return next
    }

    /// Removes what is under a key.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        let status = keychain.delete(KeychainQuery(place, account: key.fileName))
        if status != .itemNotFound { try check(status, writing: true) }
    }

    /// Removes what is under a key if its revision is still the one given.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let status = keychain.delete(query(key, revision))
        if status == .itemNotFound { throw .changed }
        try check(status, writing: true)
    }

    /// Quarantines the item of a key by renaming it.
    public func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        guard let value = try value(key), value.revision == revision else { throw .changed }
        let data = StoredFile(key: key, revision: revision, bytes: value.bytes).encoded()
        guard try isMovedAside(KeychainItem(account: key.fileName, mark: revision.mark, data: data)) else { throw .changed }
    }

    /// The keys that hold something.
    public func keys() async throws(StoreError) -> [StoreKey] {
        try items(KeychainQuery(place)).compactMap { item in
            guard let key = StoredFile(item.data)?.key, key.fileName == item.account else { return nil }
            return key
        }
    }

    /// Runs `body` with the exclusive lock of the key held.
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
        // Where another process was faster, that one has reported it.
        guard try isMovedAside(item) else { return try value(key) }
        throw StoreError(
            .corrupt,
            "The Keychain item \(item.account) of \(place.service) is not one of Lockstep's, or is damaged. It is kept under another account."
        )
    }

    /// Renames an item, unless it has changed meanwhile; the newest eight of its key are kept.
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
                "The app may not use the Keychain (-34018). Sign it with the entitlement keychain-access-groups"
                    + (place.accessGroup.map { ", with \($0) in it." } ?? "."))
        case .diskFull: throw StoreError(.full, "The Keychain has no room (-34). What was stored before is still there.")
        default:
            throw StoreError(
                writing ? .unwritable : .unreadable,
                "The Keychain failed with \(status.rawValue); `security error` says what it is.")
        }
    }
}

extension StoreError.Code {
    /// The app was signed without the right to the Keychain, or to the access group: no retry helps.
    public static let notEntitled = StoreError.Code(rawValue: "notEntitled")
}

extension Revision {
    fileprivate var mark: [UInt8] { Array(rawValue.utf8) }
}
