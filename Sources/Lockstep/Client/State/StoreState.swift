internal import LockstepPrimitives

/// The content of the store, the pending writes, and the work that no call waits for.
struct StoreState: Sendable {
    /// The stored flows from which this client's flows were derived.
    var flows = StoredFlows()
    /// The sign-out whose stored flows must still be removed; `nil` if nothing must be removed.
    var wipesFlows: FlowWipe?
    /// The changes that the adapters made to the notes of this device since the last write.
    var deviceChanges: [String: Secret?] = [:]
    /// The changes to make in the stored list of revocations.
    var revocations = RevocationChanges()
    /// Whether the store may contain unsent revocations.
    var hasUnsentRevocations = false
    /// The slots whose last write failed; the client tries them again.
    var refused: [StoreKey.Slot: StoreFailure] = [:]
    /// The error of the last sign-out that could not remove the values of other backends; the client tries again.
    var othersRefusal: StoreError?
    /// The slots to write after a session has ended.
    var unwritten: Set<StoreKey.Slot> = []
    /// Whether the retry loop is running.
    var isSettling = false
    /// The background work, which no call waits for.
    var background: [Int: Task<Void, Never>] = [:]
    /// The number of the newest background work.
    var lastWork = 0
}
