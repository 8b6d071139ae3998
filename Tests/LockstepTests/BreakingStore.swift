import Lockstep
import LockstepContracts
import Synchronization

/// A store that works for some calls and then fails forever, like the store of a killed process.
final class BreakingStore: ForwardingStore {
    let base: any SessionStore
    private let calls: Budget

    /// The number of remaining calls, for all stores that share it.
    final class Budget: Sendable {
        private let left: Mutex<Int>
        init(_ calls: Int) { left = Mutex(calls) }

        /// Uses one call, or fails.
        func spend() throws(StoreError) {
            let isThere = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if !isThere { throw StoreError(.unwritable, "It has broken.") }
        }
    }

    init(_ base: any SessionStore, _ calls: Budget) {
        self.base = base
        self.calls = calls
    }

    func begin(_ call: StoreCall, _ key: StoreKey?) async throws(StoreError) { try calls.spend() }
}
