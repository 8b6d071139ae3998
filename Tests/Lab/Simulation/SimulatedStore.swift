import Lockstep

/// A store for one session, with revisions, an exclusive lock, and faults.
struct SimulatedStore {
    private(set) var value: SessionMachine.Stored?
    private(set) var writes = 0
    var isUnreadable = false
    var isFull = false
    /// The number of the job that has the exclusive lock.
    var lock: Int?
    /// A deliberate flaw, to test that the simulation notices it.
    var flaw: Flaw?

    enum Flaw: CaseIterable {
        /// The last writer wins, regardless of changes since the value was read.
        case overwrites
        /// Any process can take the exclusive lock at any time.
        case lockForAll
        /// A removal is lost.
        case keepsRemoved
    }

    func load() -> SessionOperation.Event {
        isUnreadable ? .unreadable(StoreError(.unreadable, "locked")) : .loaded(value)
    }

    mutating func write(_ session: Session, over revision: Revision?) -> SessionOperation.Event {
        guard !isFull else { return .notWritten(StoreError(.full, "full")) }
        guard flaw == .overwrites || value?.revision == revision else { return .notWritten(.changed) }
        writes += 1
        let next = Revision(rawValue: String(writes))
        value = .init(session: session, revision: next)
        return .written(next)
    }

    mutating func remove(_ revision: Revision?) -> SessionOperation.Event {
        guard !isFull else { return .notRemoved(StoreError(.unwritable, "read-only")) }
        guard revision == nil || value?.revision == revision else { return .notRemoved(.changed) }
        if flaw != .keepsRemoved { value = nil }
        return .removed
    }
}
