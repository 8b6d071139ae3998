import Lockstep

/// A store for one session, with revisions, an exclusive lock, and faults.
struct SimulatedStore {
    private(set) var value: SessionMachine.Stored?
    private(set) var writes = 0
    var isUnreadable = false
    var isFull = false
    /// The job that holds the exclusive lock, by its number.
    var lock: Int?
    /// A deliberate flaw, to test that the simulation notices it.
    var flaw: Flaw?

    enum Flaw: CaseIterable {
        /// The last writer wins, whatever has been written since the value was read.
        case overwrites
        /// Any process may take the exclusive lock at any time.
        case lockForAll
        /// A removal is forgotten.
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
