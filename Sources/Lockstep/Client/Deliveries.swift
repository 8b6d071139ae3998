internal import Synchronization

/// The links that were delivered, so that a second delivery of the same one gets the same result instead of a second exchange.
final class Deliveries: Sendable {
    private struct State {
        var tasks: [String: Task<CallbackOutcome, Never>] = [:]
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// The outcome of a link: of its first delivery, where there was one.
    func outcome(of url: String, by handling: @escaping @Sendable () async -> CallbackOutcome) async -> CallbackOutcome {
        let task = state.withLock { state in
            if let known = state.tasks[url] { return known }
            let task = Task { await handling() }
            state.tasks[url] = task
            state.order.append(url)
            if state.order.count > 16 { state.tasks[state.order.removeFirst()] = nil }
            return task
        }
        let outcome = await task.value
        // What may go better next time is not kept.
        if case .refused(let error) = outcome, error.retry != .never || error.code == .flowStartedElsewhere {
            state.withLock { state in
                state.tasks[url] = nil
                state.order.removeAll { $0 == url }
            }
        }
        return outcome
    }
}
