internal import Lockstep
internal import LockstepPrimitives
internal import Synchronization

/// A store in memory that can fail like a full, locked or damaged disk.
final class FaultyStore: ForwardingStore {
    /// The calls that the store rejects.
    enum Fault: Sendable {
        case writing, reading
        /// Every call waits, even a cancelled one.
        case hanging(Gate)
    }

    private let memory: MemorySessionStore
    private let fault = Mutex<Fault?>(nil)

    var base: any SessionStore { memory }

    init(clock: any DeviceClock) { memory = MemorySessionStore(clock: clock) }

    /// Activates a fault, or removes the current fault.
    func suffers(_ fault: Fault?) { self.fault.withLock { $0 = fault } }

    /// Returns the values that were quarantined under a key, oldest first.
    func quarantinedValues(for key: StoreKey) -> [[UInt8]] { memory.quarantinedValues(for: key) }

    func begin(_ call: StoreCall, _ key: StoreKey?) async throws(StoreError) {
        guard call != .lock else { return }
        switch fault.withLock({ $0 }) {
        case .reading: throw StoreError(.unreadable, "The store is locked.")
        case .hanging(let gate): await gate.pass()
        case .writing: if call.isChange { throw StoreError(.unwritable, "The store accepts no data.") }
        case nil: break
        }
    }
}
