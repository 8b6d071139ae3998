internal import LockstepPrimitives

/// The content of the store, the pending writes, and the work that no call waits for.
struct StoreState: Sendable {
    /// The stored forms that the flows of this client descend from.
    var flows = StoredFlows()
    /// The sign-out whose stored flows must still be removed; `nil` if they are removed.
    var wipesFlows: FlowWipe?
    /// The adapters' notes about this device since they were last written.
    var deviceChanges: [String: Secret?] = [:]
    /// The changes to make in the stored list of revocations.
    var revocations = RevocationChanges()
    /// Whether the store may contain revocations that were not sent yet.
    var hasUnsentRevocations = false
    /// The slots whose last write failed and is tried again.
    var refused: [StoreKey.Slot: StoreFailure] = [:]
    /// The slots to write after a session has ended.
    var unwritten: Set<StoreKey.Slot> = []
    /// Whether the retry loop is running.
    var isSettling = false
    /// The work that no call waits for.
    var background: [Int: Task<Void, Never>] = [:]
    /// The number of the last work of this kind.
    var lastWork = 0
}
