internal import LockstepPrimitives
internal import Synchronization

/// The flow's part in the operation that stores the flow's session.
struct FlowInterest: Sendable {
    /// Whether the session is still wanted.
    var isWanted: @Sendable (ClientState) -> Bool = { _ in true }
    /// The change to make at the moment when the session is shown.
    var atTheEnd: @Sendable (inout ClientState) -> Void = { _ in }
}

extension SessionCoordinator {
    /// Runs an operation to its end, even if the calling task is cancelled.
    ///
    /// The caller waits until the operation ends or the caller's deadline passes.
    func perform(_ operation: SessionOperation, in flow: FlowInterest = FlowInterest()) async -> SessionOperation.Outcome {
        var timed = operation
        timed.deadline = effects.clock.uptime + options.deadline
        let begun = timed
        let work = Task {
            let (outcome, replaced) = await continueOperation(with: begun, from: .begun, flow)
            await persistEnd()
            endBehind(replaced)
            return outcome
        }
        let left = CallDeadline.left(of: options.deadline, atLeast: .seconds(1), on: effects.clock)
        let limit: Duration? = CallDeadline.uptime == nil ? nil : left
        return await value(of: work, within: limit) ?? .failure(context.end(of: WaitEnd<Void>.timeIsOver))
    }

    /// Stores the consequences of a session's end: no flows, the reason for the end, and the sessions that must still be revoked.
    func persistEnd() async {
        let unwritten = context.state.withLock { state in
            defer { state.store.unwritten = [] }
            return state.store.unwritten
        }
        for slot in [StoreKey.Slot.flow, .signOut, .revocations] where unwritten.contains(slot) { await persist(slot) }
    }

    /// Waits even if the caller is cancelled, because a started operation ends soon.
    private func value<Value: Sendable>(of work: Task<Value, Never>, within limit: Duration?) async -> Value? {
        guard let limit else { return await work.value }
        guard case .value(let value) = await effects.clock.wait(atMost: limit, isShielded: true, for: { await work.value }) else {
            return nil
        }
        return value
    }

    private func continueOperation(
        with operation: SessionOperation, from event: SessionOperation.Event, _ flow: FlowInterest
    ) async -> (SessionOperation.Outcome, replaced: [Session]) {
        var operation = operation
        var action = take(event, of: &operation, flow)
        while true {
            switch action {
            case .end(let outcome): return (outcome, operation.replaced)
            case .enter:
                // The process that has the lock calls the backend, which may take as long as a whole call.
                let waiting = operation
                do throws(StoreError) {
                    return try await context.store.exclusively(context.slots.session.key, lockTimeout: timeLeft(for: operation)) {
                        await self.continueOperation(with: waiting, from: .entered, flow)
                    }
                } catch {
                    action = take(.shutOut(error), of: &operation, flow)
                }
            case .refresh(let session):
                let start = effects.clock.uptime
                let event = await refreshed(session, in: operation.generation, within: timeLeft(for: operation))
                operation.latency = effects.clock.uptime - start
                action = take(event, of: &operation, flow)
            case .revoke(let session):
                await revoke(session)
                action = take(.revoked, of: &operation, flow)
            case .load, .write, .remove: action = await atStore(action, of: &operation, flow)
            }
        }
    }

    /// Applies an event, and publishes its changes.
    ///
    /// If this is inlined into the loop, the optimizer of Swift 6.3.1 crashes ("a leaked owned value that was never
    /// consumed").
    @inline(never)
    private func take(
        _ event: SessionOperation.Event, of operation: inout SessionOperation, _ flow: FlowInterest
    ) -> SessionOperation.Action {
        let taken = operation
        let (action, next) = change(after: taken.latency) { state in
            var operation = taken
            if !flow.isWanted(state) { operation.abandon(at: event) }
            let action = state.take(event, of: &operation, self.effects)
            if case .end(.session) = action { flow.atTheEnd(&state) }
            return (action, operation)
        }
        operation = next
        return action
    }

    /// Returns the time that is left for an operation.
    ///
    /// The time includes the wait for other processes.
    private func timeLeft(for operation: SessionOperation) -> Duration {
        let left = operation.deadline.map { $0 - effects.clock.uptime } ?? options.deadline
        return max(min(left, options.deadline), .seconds(1))
    }

    /// Requests new tokens.
    ///
    /// Tokens that come too late are still used, because the old tokens may be used up.
    private func refreshed(_ session: Session, in generation: Int, within limit: Duration) async -> SessionOperation.Event {
        let late: @Sendable (Session) async -> Void = { [self] fresh in
            _ = await perform(SessionOperation(.takeLate(fresh, sent: session), in: generation))
        }
        do throws(AuthError) {
            return .answered(
                try await ask(within: limit, late: late) { () async throws(AuthError) in
                    let fresh = try await self.adapter.sessions.refresh(session)
                    try fresh.checkTokens()
                    return fresh
                })
        } catch {
            return .failed(error)
        }
    }

    /// Performs consecutive store actions in one turn, without other work of this process in between.
    private func atStore(
        _ action: SessionOperation.Action, of operation: inout SessionOperation, _ flow: FlowInterest
    ) async -> SessionOperation.Action {
        var action = action
        do throws(StoreError) {
            try await context.locks.enter(context.slots.session.key, lockTimeout: options.lockTimeout)
        } catch {
            return take(action.event(for: error), of: &operation, flow)
        }
        defer { context.locks.leave(context.slots.session.key) }
        while action.isAtStore {
            let event: SessionOperation.Event
            do throws(StoreError) {
                event = try await act(action, of: operation)
            } catch {
                event = action.event(for: error)
            }
            action = take(event, of: &operation, flow)
        }
        return action
    }

    private func act(_ action: SessionOperation.Action, of operation: SessionOperation) async throws(StoreError)
        -> SessionOperation.Event
    {
        switch action {
        case .write(let session, over: let revision):
            return .written(try await write(session, replacing: operation.replaced, over: revision))
        case .remove(let revision):
            // If a user has signed in since the sign-out, that user's session must not be removed.
            guard revision != nil || context.state.withLock({ $0.generation }) == operation.generation else { throw .changed }
            try await context.slots.session.remove(revision)
            return .removed
        default:
            let slot = try await loadSession()
            context.state.withLock { $0.sessions.replaced = slot.value?.replaced ?? [] }
            return .loaded(slot.stored)
        }
    }

    /// Loads the content of the session slot.
    ///
    /// If it cannot be decoded, it is quarantined, and the session in memory stays.
    func loadSession() async throws(StoreError) -> StoredSlot<StoredSession>.Content {
        let slot = try await context.slots.session.load()
        if slot.isDamaged { change { $0.sessions.machine.didQuarantine() } }
        return slot
    }
}

extension SessionOperation.Action {
    /// The event for a failure of the store.
    fileprivate func event(for error: StoreError) -> SessionOperation.Event {
        switch self {
        case .write: .notWritten(error)
        case .remove: .notRemoved(error)
        default: .unreadable(error)
        }
    }
}
