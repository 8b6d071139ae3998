import Lockstep
import LockstepContracts
import Synchronization

/// A store that runs a closure before each call, for example to fail like the store of a killed process.
final class WatchedStore: ForwardingStore {
    typealias Watch = @Sendable (_ call: Int, _ isWrite: Bool) async throws(StoreError) -> Void

    let base: any SessionStore
    private let watch: Watch
    private let calls = Mutex(0)

    init(_ base: any SessionStore, _ watch: @escaping Watch) { (self.base, self.watch) = (base, watch) }

    func begin(_ call: StoreCall, _ key: StoreKey?) async throws(StoreError) {
        let number = calls.withLock { calls in
            defer { calls += 1 }
            return calls
        }
        try await watch(number, [.replace, .remove].contains(call))
    }
}
