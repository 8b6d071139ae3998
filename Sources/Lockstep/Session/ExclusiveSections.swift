package import LockstepPrimitives
internal import Synchronization

/// Sections of one process that exclude each other by key, served in the order of the requests.
package final class ExclusiveSections: Sendable {
    private struct Waiter {
        let ticket: Int
        let wake: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var held: Set<StoreKey> = []
        var waiting: [StoreKey: [Waiter]] = [:]
        var nextTicket = 0
        var abandoned: Set<Int> = []
    }

    private let clock: any DeviceClock
    private let state = Mutex(State())

    package init(clock: any DeviceClock) { self.clock = clock }

    /// Waits until the section is free, and holds it.
    ///
    /// - Throws: `busy` when `lockTimeout` passes, or the task is cancelled, before the section is free.
    package func enter(_ key: StoreKey, lockTimeout: Duration) async throws(StoreError) {
        let (isFree, ticket) = state.withLock { state in
            state.nextTicket += 1
            return (state.held.insert(key).inserted, state.nextTicket)
        }
        if isFree { return }
        let entered = await withTaskGroup(of: Void.self, returning: Bool.self) { group in
            group.addTask {
                try? await self.clock.sleep(for: lockTimeout)
                self.giveUp(ticket, key)
            }
            let entered = await self.wait(ticket, key)
            group.cancelAll()
            await group.waitForAll()
            return entered
        }
        _ = state.withLock { $0.abandoned.remove(ticket) }
        guard entered else {
            throw StoreError(.busy, "Another call holds the stored session for longer than \(lockTimeout). Try again.")
        }
    }

    private func wait(_ ticket: Int, _ key: StoreKey) async -> Bool {
        await withCheckedContinuation { wake in
            let verdict: Bool? = state.withLock { state in
                if state.abandoned.remove(ticket) != nil { return false }
                if state.held.insert(key).inserted { return true }
                state.waiting[key, default: []].append(Waiter(ticket: ticket, wake: wake))
                return nil
            }
            if let verdict { wake.resume(returning: verdict) }
        }
    }

    private func giveUp(_ ticket: Int, _ key: StoreKey) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.waiting[key]?.firstIndex(where: { $0.ticket == ticket }) else {
                state.abandoned.insert(ticket)
                return nil
            }
            return state.waiting[key]?.remove(at: index)
        }
        waiter?.wake.resume(returning: false)
    }

    /// Frees the section for the next waiting task.
    package func leave(_ key: StoreKey) {
        let next: Waiter? = state.withLock { state in
            if var queue = state.waiting[key], !queue.isEmpty {
                let next = queue.removeFirst()
                state.waiting[key] = queue.isEmpty ? nil : queue
                return next
            }
            state.held.remove(key)
            return nil
        }
        next?.wake.resume(returning: true)
    }
}
