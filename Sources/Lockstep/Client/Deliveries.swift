internal import LockstepCrypto
internal import LockstepPrimitives
internal import Synchronization

/// The links that were delivered, so that a second delivery of the same one gets the same result instead of a second exchange.
///
/// No secret of a link or its result is kept: a digest names the link, and a session is only remembered as the one that is shown.
final class Deliveries: Sendable {
    /// The remembered part of a result.
    enum Memory: Sendable {
        /// The session that this generation shows.
        case session(generation: Int)
        /// A step, in this generation.
        case step(SignInStep, generation: Int)
        /// A refusal that is final however often the link is tried, in this generation.
        case refusal(AuthError, generation: Int)
    }

    fileprivate struct State {
        var running: [[UInt8]: Task<CallbackOutcome, Never>] = [:]
        var known: [[UInt8]: Memory] = [:]
        var order: [[UInt8]] = []
    }

    private let state = Mutex(State())

    /// How many results are remembered.
    fileprivate static let limit = 16

    /// The outcome of a link: of its first delivery, where that is still valid.
    ///
    /// - Parameters:
    ///   - recall: the outcome for a memory; `nil` where that is obsolete.
    ///   - remember: what to remember of an outcome; `nil` where the link may be tried again.
    func outcome(
        of url: String, recall: (Memory) -> CallbackOutcome?,
        remember: @escaping @Sendable (CallbackOutcome) -> Memory?, by handling: @escaping @Sendable () async -> CallbackOutcome
    ) async -> CallbackOutcome {
        let name = HashFunction.sha256.digest(Array(url.utf8))
        enum Found {
            case known(CallbackOutcome)
            case running(Task<CallbackOutcome, Never>)
        }
        let found: Found = state.withLock { state in
            if let task = state.running[name] { return .running(task) }
            if let outcome = state.known[name].flatMap(recall) { return .known(outcome) }
            state.forget(name)
            let task = Task {
                let outcome = await handling()
                let memory = remember(outcome)
                self.state.withLock { $0.end(name, memory) }
                return outcome
            }
            state.running[name] = task
            return .running(task)
        }
        return switch found {
        case .known(let outcome): outcome
        case .running(let task): await task.value
        }
    }
}

extension Deliveries.State {
    fileprivate mutating func forget(_ name: [UInt8]) {
        known[name] = nil
        order.removeAll { $0 == name }
    }

    fileprivate mutating func end(_ name: [UInt8], _ memory: Deliveries.Memory?) {
        running[name] = nil
        guard let memory else { return }
        known[name] = memory
        order.append(name)
        if order.count > Deliveries.limit { forget(order[0]) }
    }
}
