internal import Lockstep
internal import LockstepPrimitives
internal import Synchronization

/// A store in memory that can fail like a full, locked or damaged disk.
final class FaultyStore: SessionStore {
    /// The calls that the store rejects.
    enum Fault: Sendable {
        case writing, reading
        /// Every call waits, even a cancelled one.
        case hanging(Gate)
    }

    private let base: MemorySessionStore
    private let fault = Mutex<Fault?>(nil)

    init(clock: any DeviceClock) { base = MemorySessionStore(clock: clock) }

    /// Activates a fault, or removes the current fault.
    func suffers(_ fault: Fault?) { self.fault.withLock { $0 = fault } }

    /// Returns the values that were quarantined under a key, oldest first.
    func quarantinedValues(for key: StoreKey) -> [[UInt8]] { base.quarantinedValues(for: key) }

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try await refuseReading()
        return try await base.load(key)
    }

    func replace(
        _ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?
    ) async throws(StoreError) -> Revision {
        try await refuseWriting()
        return try await base.replace(key, with: bytes, unlessChangedSince: revision)
    }

    func remove(_ key: StoreKey) async throws(StoreError) {
        try await refuseWriting()
        try await base.remove(key)
    }

    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await refuseWriting()
        try await base.remove(key, unlessChangedSince: revision)
    }

    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await refuseWriting()
        try await base.quarantine(key, unlessChangedSince: revision)
    }

    func keys() async throws(StoreError) -> [StoreKey] {
        try await refuseReading()
        return try await base.keys()
    }

    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }

    private func refuseReading() async throws(StoreError) {
        switch fault.withLock({ $0 }) {
        case .reading: throw StoreError(.unreadable, "The store is locked.")
        case .hanging(let gate): await gate.pass()
        case .writing, nil: break
        }
    }

    private func refuseWriting() async throws(StoreError) {
        try await refuseReading()
        if case .writing = fault.withLock({ $0 }) { throw StoreError(.unwritable, "The store accepts no data.") }
    }
}
