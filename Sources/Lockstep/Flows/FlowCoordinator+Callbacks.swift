internal import LockstepCrypto
internal import LockstepPrimitives
internal import Synchronization

extension FlowCoordinator {
    /// Takes a URL that the app was opened with; the same one delivered twice makes one exchange.
    ///
    /// A backend may send every round trip back to the same URL: where a newer flow waits, the URL is its own delivery.
    func handle(_ url: String) async -> CallbackOutcome {
        guard isOurs(url) else { return .notOurs }
        return await deliveries.outcome(of: url, isOld: isOld, recall: recall, remember: { self.memory(of: $0, $1) }) { [self] in
            do throws(AuthError) {
                return try await sessions.call("handle") { [delivery = $0] () async throws(AuthError) in
                    delivery.begin(for: self.context.state.withLock { $0.pending?.ordinal ?? $0.lastOrdinal })
                    return try await self.exchange(url)
                }
            } catch {
                return .refused(error)
            }
        }
    }

    /// Whether a flow waits that was begun after a delivery's.
    private func isOld(_ delivery: Delivery) -> Bool {
        guard let flow = delivery.flow else { return false }
        return context.state.withLock { $0.hasFlow(after: flow) }
    }

    /// The outcome for a remembered result; `nil` where that is obsolete.
    private func recall(_ memory: Deliveries.Memory) -> CallbackOutcome? {
        context.state.withLock { core in
            guard memory.generation == core.generation, !core.hasFlow(after: memory.flow) else { return nil }
            switch memory.result {
            case .session: return core.session.map { .step(.complete($0)) }
            case .step(let step):
                if case .identityConflict = step { return .step(step) }
                return core.step(of: step.flow).map { .step($0) }
            case .refusal(let error): return .refused(error)
            }
        }
    }

    /// The part of a result that is remembered: no failure that may succeed next time, and a session only as a reference to the
    /// shown one.
    private func memory(of outcome: CallbackOutcome, _ delivery: Delivery) -> Deliveries.Memory? {
        guard let flow = delivery.flow else { return nil }
        return context.state.withLock { core in
            let result: Deliveries.Memory.Result
            switch outcome {
            case .notOurs: return nil
            case .refused(let error):
                guard error.isVerdict, error.code != .flowStartedElsewhere else { return nil }
                // A refusal that no table knows says nothing about the link: a firewall's is gone a moment later.
                guard error.code != .unknown || error.provider?.status == nil else { return nil }
                result = .refusal(error)
            case .step(.complete(let session)):
                guard core.session?.isSame(as: session) == true else { return nil }
                result = .session
            case .step(let step): result = .step(step)
            }
            return Deliveries.Memory(result: result, generation: core.generation, flow: flow)
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
        case .refusal(let error):
            guard let conflict = conflict(error) else { return .refused(error) }
            await endSpent(conflict.flow)
            return .step(.identityConflict(conflict))
        case .proof(let kinds, let state):
            guard let record = context.state.withLock({ $0.pending }), kinds.contains(record.memory.flow.kind),
                record.step?.accepts.contains(.link) == true
            else { throw startedElsewhere }
            if let expected = record.memory.notes[FlowMemory.stateNote], expected != state { throw startedElsewhere }
            return .step(try await attempt(.link(url), on: record))
        }
    }

    /// What a refusal means for a page that was to add an identity: it is another user's.
    private func conflict(_ error: AuthError) -> IdentityConflictStep? {
        let (pending, session) = context.state.withLock { ($0.pending, $0.session) }
        guard let pending, let session, case .redirect(let step)? = pending.step, step.flow.kind == .linking,
            pending.memory.user == session.user.id,
            [.identityAlreadyInUse, .emailAlreadyInUse, .phoneAlreadyInUse].contains(error.code)
        else { return nil }
        return IdentityConflictStep(
            flow: step.flow, currentUserID: session.user.id, waysToSignIn: [step.flow.capability])
    }

    private var startedElsewhere: AuthError {
        AuthError(
            .flowStartedElsewhere,
            "This device did not begin the flow of this link. Open it where it was asked for, type the code of the message, or begin again.",
            remedies: [.enterCode, .confirmEmail, .startAgain])
    }
}

extension ClientState {
    /// Whether a flow waits that was begun after the one of this sequence number.
    fileprivate func hasFlow(after ordinal: Int) -> Bool { pending.map { $0.ordinal > ordinal } ?? false }
}

/// One handling of a link.
final class Delivery: Sendable {
    private let state = Mutex<Int?>(nil)

    /// The sequence number of the flow that waited when the link was looked at; `nil` before that.
    var flow: Int? { state.withLock { $0 } }

    fileprivate func begin(for flow: Int) { state.withLock { $0 = flow } }
}

/// The links that were delivered, so that a second delivery of the same one gets the same result instead of a second exchange.
///
/// No secret of a link or its result is kept: a digest names the link, and a session is only remembered as the one that is shown.
final class Deliveries: Sendable {
    /// What is remembered of a delivery.
    struct Memory: Sendable {
        enum Result: Sendable {
            /// The session that is shown.
            case session
            case step(SignInStep)
            /// A refusal that is final however often the link is tried.
            case refusal(AuthError)
        }

        let result: Result
        let generation: Int
        /// The sequence number of the flow that it was delivered to.
        let flow: Int
    }

    fileprivate struct State {
        var running: [[UInt8]: (delivery: Delivery, task: Task<CallbackOutcome, Never>)] = [:]
        var known: [[UInt8]: Memory] = [:]
        var order: [[UInt8]] = []
    }

    private let state = Mutex(State())

    /// How many results are remembered.
    fileprivate static let limit = 16

    /// The outcome of a link: of its first delivery, where that is still valid.
    ///
    /// - Parameters:
    ///   - isOld: whether a delivery that is running is another flow's.
    ///   - recall: the outcome for a memory; `nil` where that is obsolete.
    ///   - remember: what to remember of an outcome; `nil` where the link may be tried again.
    func outcome(
        of url: String, isOld: (Delivery) -> Bool, recall: (Memory) -> CallbackOutcome?,
        remember: @escaping @Sendable (CallbackOutcome, Delivery) -> Memory?,
        by handling: @escaping @Sendable (Delivery) async -> CallbackOutcome
    ) async -> CallbackOutcome {
        let name = HashFunction.sha256.digest(Array(url.utf8))
        enum Found {
            case known(CallbackOutcome)
            case running(Task<CallbackOutcome, Never>)
        }
        let found: Found = state.withLock { state in
            if let running = state.running[name], !isOld(running.delivery) { return .running(running.task) }
            if let outcome = state.known[name].flatMap(recall) { return .known(outcome) }
            state.forget(name)
            let delivery = Delivery()
            let task = Task {
                let outcome = await handling(delivery)
                let memory = remember(outcome, delivery)
                self.state.withLock { $0.end(name, delivery, memory) }
                return outcome
            }
            state.running[name] = (delivery, task)
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

    fileprivate mutating func end(_ name: [UInt8], _ delivery: Delivery, _ memory: Deliveries.Memory?) {
        // A newer delivery of the same link has taken the place of this one.
        guard running[name]?.delivery === delivery else { return }
        running[name] = nil
        guard let memory else { return }
        known[name] = memory
        order.append(name)
        if order.count > Deliveries.limit { forget(order[0]) }
    }
}
