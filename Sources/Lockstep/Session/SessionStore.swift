/// Where sessions are kept.
///
/// A store keeps opaque bytes with a revision under a key. It knows nothing of sessions: the client writes one versioned
/// envelope for all stores. What every store owes is in the store contracts.
public protocol SessionStore: Sendable {
    /// The bytes under a key; `nil` only where there surely are none.
    ///
    /// What the store itself cannot understand (a damaged file, a row in no known form) it moves aside and keeps, and tells so
    /// once: the next load finds nothing, and the user can sign in again.
    ///
    /// - Throws: `unreadable` where the store cannot tell, and must never say "nothing"; `corrupt` as said above.
    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue?

    /// Replaces the bytes under a key if their revision is still `revision`; `nil` stands for "there are none".
    ///
    /// Either the old or the new bytes are there afterwards, whole, whatever happens on the way.
    ///
    /// - Throws: `conflict` where the revision is another one; `full`, `unwritable`; `corrupt` as in ``load(_:)``. The bytes have not
    ///   been written then.
    @discardableResult
    func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision

    /// Removes what is under a key, whatever its revision; there may be nothing.
    func remove(_ key: StoreKey) async throws(StoreError)

    /// Removes what is under a key if its revision is still `revision`: a session that somebody else has stored meanwhile stays.
    ///
    /// - Throws: `conflict` where the revision is another one, or there is nothing; nothing has changed then.
    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError)

    /// Moves what is under a key aside, if its revision is still `revision`: for bytes that the store holds well and its reader
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

    /// Runs `body` while nobody else, in this process or another, is inside a section of the same key.
    ///
    /// - Throws: `busy` where the section is not free within `lockTimeout`; `body` has not run then.
    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result
}
