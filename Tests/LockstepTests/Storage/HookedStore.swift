import Lockstep
import LockstepContracts
import Synchronization

/// A store that lets a test run code, or throw, before each of its calls.
final class HookedStore: ForwardingStore {
    typealias Hook = @Sendable (StoreCall, StoreKey) async throws(StoreError) -> Void

    private struct State {
        var hook: Hook?
        var writes: [StoreKey.Slot] = []
    }

    let base: any SessionStore
    private let state = Mutex(State())

    init(_ base: any SessionStore) { self.base = base }

    /// The function to call before each call from now on.
    func before(_ hook: Hook?) { state.withLock { $0.hook = hook } }

    /// Rejects every write and removal in these slots.
    func refuses(_ slots: Set<StoreKey.Slot>) {
        before { call, key throws(StoreError) in
            if call != .load, slots.contains(key.slot) { throw StoreError(.full, "There is no space left.") }
        }
    }

    /// The slots that were written.
    var writes: [StoreKey.Slot] { state.withLock { $0.writes } }

    func begin(_ call: StoreCall, _ key: StoreKey?) async throws(StoreError) {
        guard let key, call != .lock else { return }
        if let hook = state.withLock({ $0.hook }) { try await hook(call, key) }
        if call != .load { state.withLock { $0.writes.append(key.slot) } }
    }
}

/// A place where a task waits until a test opens it, and which reports the task's arrival.
final class Gate: Sendable {
    private let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    private let (opening, opened) = AsyncStream<Void>.makeStream()
    private let isUsed = Mutex(false)

    /// Waits here the first time.
    func pass() async {
        let isFirst = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
        guard isFirst else { return }
        arrived.finish()
        for await _ in opening {}
    }

    func untilArrived() async { for await _ in arrivals {} }

    func open() { opened.finish() }
}
