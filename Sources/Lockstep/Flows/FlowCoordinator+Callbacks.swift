internal import LockstepCrypto
internal import LockstepPrimitives
internal import Synchronization

extension FlowCoordinator {
    /// Takes a URL that the app was opened with; the same one delivered twice makes one exchange.
    func handle(_ url: String) async -> CallbackOutcome {
        guard isOurs(url) else { return .notOurs }
        return await deliveries.outcome(of: url, recall: recall, remember: { self.memory(of: $0) }) { [self] in
            do throws(AuthError) {
                return try await sessions.call("handle") { () async throws(AuthError) in try await self.exchange(url) }
            } catch {
                return .refused(error)
            }
        }
    }

    /// The outcome for a remembered result; `nil` where that is obsolete.
    private func recall(_ memory: Deliveries.Memory) -> CallbackOutcome? {
        context.state.withLock { core in
            switch memory {
            case .session(core.generation): core.session.map { .step(.complete($0)) }
            case .step(let step, core.generation):
                if case .identityConflict = step { .step(step) } else { core.step(of: step.flow).map { .step($0) } }
            case .refusal(let error, core.generation): .refused(error)
            default: nil
            }
        }
    }

    /// The part of a result that is remembered: no failure that may succeed next time, and a session only as a reference to the
    /// shown one.
    private func memory(of outcome: CallbackOutcome) -> Deliveries.Memory? {
        context.state.withLock { core in
            switch outcome {
            case .notOurs: return nil
            case .refused(let error):
                let isFinal = error.retry == .never && error.code != .flowStartedElsewhere
                return isFinal ? .refusal(error, generation: core.generation) : nil
            case .step(.complete(let session)):
                return core.session?.isSame(as: session) == true ? .session(generation: core.generation) : nil
            case .step(let step): return .step(step, generation: core.generation)
            }
        }
    }

    /// Follows a link that the app passes to a flow itself.
    func follow(_ url: String) async throws(AuthError) -> SignInStep {
        switch await handle(url) {
        case .step(let step): return step
        case .refused(let error): throw error
        case .notOurs:
            throw AuthError(.linkInvalid, "This link leads to an address that is not one of this app's callback addresses.")
        }
    }

    /// Whether scheme, host, port and path are those of one of our addresses; what follows them may be broken.
    private func isOurs(_ url: String) -> Bool {
        let place = url.prefix { $0 != "?" && $0 != "#" }
        guard let callback = try? Callback(String(place.prefix(Callback.limit))) else { return false }
        return adapter.callbacks.addresses.contains { $0.matches(callback) }
    }

    private func exchange(_ url: String) async throws(AuthError) -> CallbackOutcome {
        let callback = try Callback(url)
        switch adapter.callbacks.read(callback) {
        case .notOurs: return .notOurs
        case .refusal(let error): return .refused(error)
        case .proof(let kinds, let state):
            guard let record = context.state.withLock({ $0.pending }), kinds.contains(record.memory.flow.kind),
                record.step?.accepts.contains(.link) == true
            else { throw startedElsewhere }
            if let expected = record.memory.notes[FlowMemory.stateNote], expected != state { throw startedElsewhere }
            return .step(try await attempt(.link(url), on: record))
        }
    }

    private var startedElsewhere: AuthError {
        AuthError(
            .flowStartedElsewhere,
            "This device did not begin the flow of this link. Open it where it was asked for, type the code of the message, or begin again.",
            remedies: [.enterCode, .confirmEmail, .startAgain])
    }
}

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
