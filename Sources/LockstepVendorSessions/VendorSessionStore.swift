public import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// A store that takes over the session of a vendor's SDK once.
///
/// The first call of a process takes over the session if the store has no session and has never had one:
///
/// 1. It writes the SDK's tokens as a session that needs a refresh.
/// 2. It removes the SDK's entry.
/// 3. It writes a mark, so that later launches leave the SDK's entries alone.
///
/// If the process is killed in between, the next launch continues, and one of the two sessions is whole. Nothing is sent
/// before the entry is removed. An entry that cannot be used stays until a sign-out, because an older version of the app
/// with the SDK may be able to read it. In each case, the event `session.taken-over` says what happened. A sign-out also removes the
/// SDK's entry, so that nobody is signed in by it again.
///
/// If two apps of one access group start at the same time with stores of their own, only one of them takes over the session.
///
/// If the Keychain is locked, the store cannot be read, and the client tries again later.
///
/// To remove the SDK's session after a new installation, put a `FreshInstallStore` in front of this store.
public actor VendorSessionStore: SessionStore {
    private let base: any SessionStore
    private let vendor: VendorSession
    private let adapter: any AuthAdapter
    private let effects: ClientEffects
    private let session: StoreKey
    private let mark: StoreKey
    private var check: Task<StoreError?, Never>?
    /// Whether the mark is known to be written.
    private var isMarked = false

    /// Creates a store in front of another store.
    ///
    /// - Parameters:
    ///   - base: The store that keeps the values.
    ///   - vendor: The place where the SDK has stored its session.
    ///   - adapter: The adapter of the client that uses this store.
    ///   - effects: The clock and the event sink of that client.
    public init(
        _ base: any SessionStore, adopting vendor: VendorSession, for adapter: any AuthAdapter, effects: ClientEffects = .live()
    ) {
        self.base = base
        self.vendor = vendor
        self.adapter = adapter
        self.effects = effects
        session = StoreKey(provider: adapter.name, backend: adapter.backend, slot: .session)
        mark = StoreKey(provider: "vendor-of-" + adapter.name, backend: adapter.backend, slot: .device)
    }

    /// Reads the bytes under a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The bytes with their revision; `nil` if the key has no value.
    /// - Throws: ``StoreError``; `unreadable` if the SDK's session cannot be read now.
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
    /// - Throws: ``StoreError``, as the base store does.
    @discardableResult
    public func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        try await prepare()
        // A user who signs in here ends the time in which the SDK's session counts.
        if key == session { try await writeMark() }
        return try await base.replace(key, with: bytes, unlessChangedSince: revision)
    }

    /// Removes the value under a key, and the SDK's entry together with the session.
    ///
    /// - Parameter key: The key.
    /// - Throws: ``StoreError``.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        try await prepare()
        if key == session { try await removeEntries() }
        try await base.remove(key)
    }

    /// Removes the value under a key if its revision has not changed, and the SDK's entry together with the session.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: ``StoreError``, as the base store does.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await prepare()
        if key == session { try await removeEntries() }
        try await base.remove(key, unlessChangedSince: revision)
    }

    /// Quarantines the value under a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: ``StoreError``, as the base store does.
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

    // MARK: The vendor's session

    /// Takes over the session once per process; after a failure, the next call tries again.
    private func prepare() async throws(StoreError) {
        let task = check ?? Task { await self.takeOver() }
        check = task
        guard let failure = await task.value else { return }
        if check == task { check = nil }
        throw failure
    }

    private func takeOver() async -> StoreError? {
        do throws(StoreError) {
            isMarked = try await base.load(mark) != nil
            guard !isMarked else { return nil }
            // An app and its extensions may start at the same time: one of them takes over before the others read.
            return try await base.exclusively(session, lockTimeout: .seconds(10)) { () async -> StoreError? in
                do throws(StoreError) {
                    try await self.takeOverOnce()
                    return nil
                } catch { return error }
            }
        } catch { return error }
    }

    private func takeOverOnce() async throws(StoreError) {
        isMarked = try await base.load(mark) != nil
        guard !isMarked else { return }
        if try await base.load(session) == nil {
            let entries = try await self.entries()
            guard !entries.isEmpty else { return }
            let found: Session
            do throws(VendorRefusal) {
                found = try read(entries)
            } catch {
                try await writeMark()
                return tell(error.rawValue)
            }
            let revision = try await base.replace(session, with: found.storedBytes(), unlessChangedSince: nil)
            guard try await isOurs(entries[0]) else {
                try await base.remove(session, unlessChangedSince: revision)
                return tell(VendorRefusal.claimed.rawValue)
            }
            tell("ok")
        }
        do throws(StoreError) {
            if !vendor.keepsEntries { try await removeEntries() }
            try await writeMark()
        } catch {
            // The session is stored. Without a mark, the next launch removes the entry.
        }
    }

    /// Removes the first of the entries that this call has read: of two apps, one finds it.
    private func isOurs(_ first: Entry) async throws(StoreError) -> Bool {
        guard !vendor.keepsEntries else { return true }
        do throws(StoreError) { return try await vendor.remove(first.account) } catch { return true }
    }

    private typealias Entry = (account: VendorAccount, bytes: [UInt8])

    private var accounts: [VendorAccount] {
        vendor.account.map { [VendorAccount($0)] } ?? (adapter as? any VendorSessionReading)?.vendorAccounts(of: vendor.setup)
            ?? []
    }

    private func entries() async throws(StoreError) -> [Entry] {
        var entries: [Entry] = []
        for account in accounts {
            guard let bytes = try await vendor.read(account) else { continue }
            entries.append((account, bytes))
        }
        return entries
    }

    private func removeEntries() async throws(StoreError) {
        for account in accounts { _ = try await vendor.remove(account) }
    }

    private func read(_ entries: [Entry]) throws(VendorRefusal) -> Session {
        guard let reader = adapter as? any VendorSessionReading, reader.name == vendor.provider else { throw .otherProject }
        guard entries.allSatisfy({ $0.bytes.count <= VendorEntry.longest }) else { throw .damaged }
        let found = try reader.session(
            in: entries.map { VendorEntry(account: $0.account.name, bytes: $0.bytes) }, of: vendor.setup)
        // The client would quarantine such a session.
        guard found.isStorable else { throw .damaged }
        return found
    }

    private func writeMark() async throws(StoreError) {
        guard !isMarked else { return }
        let former = try await base.load(mark)
        if former == nil { try await base.replace(mark, with: Array("{}".utf8), unlessChangedSince: nil) }
        isMarked = true
    }

    private func tell(_ outcome: String) {
        var event = AuthEvent(.takenOver, at: effects.clock.now, [.provider: adapter.name, .outcome: outcome])
        event[.callID] = RequestObserver.current?.callID
        effects.events(event)
    }
}
