/// Where sessions are kept.
///
/// A store keeps opaque bytes with a revision under a key. It knows nothing of sessions: the client writes one versioned envelope
/// for all stores. The store contracts say what every store must do.
public protocol SessionStore: Sendable {
    /// The bytes under a key; `nil` only where there surely are none.
    ///
    /// What the store itself cannot decode (a damaged file, a row in no known form) it quarantines, and reports once as
    /// `corrupt`: the next load finds nothing, and the user can sign in again.
    ///
    /// - Throws: `unreadable` where the store cannot be read, which must never look like "nothing"; `corrupt` as said above.
    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue?

    /// Replaces the bytes under a key if their revision is still `revision`; `nil` stands for "there are none".
    ///
    /// Either the old or the new bytes are there afterwards, whole, even after a crash.
    ///
    /// - Throws: `conflict` where the revision is another one; `full`, `unwritable`; `corrupt` as in ``load(_:)``. The bytes have not
    ///   been written then.
    @discardableResult
    func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision

    /// Removes the value under a key, at any revision; there may be none.
    func remove(_ key: StoreKey) async throws(StoreError)

    /// Removes the value under a key if its revision is still `revision`: a session that another writer has stored meanwhile
    /// stays.
    ///
    /// - Throws: `conflict` where the revision is another one, or there is nothing; nothing has changed then.
    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError)

    /// Quarantines the value under a key, if its revision is still `revision`: for bytes that the store holds well and the client
    /// cannot decode.
    ///
    /// Nothing is under the key afterwards. The bytes are kept where the store keeps what is damaged, and never come back by
    /// themselves; the newest eight of a key are kept.
    ///
    /// - Throws: `conflict` where the revision is another one, or nothing is there; `unreadable`, `unwritable`. Nothing has changed
    ///   then.
    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError)

    /// The keys that hold something.
    func keys() async throws(StoreError) -> [StoreKey]

    /// Runs `body` while no other task, in this process or another, is inside a section of the same key.
    ///
    /// - Throws: `busy` where the section is not free within `lockTimeout`; `body` has not run then.
    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result
}
