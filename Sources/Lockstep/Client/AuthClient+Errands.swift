internal import LockstepPrimitives
internal import Synchronization

/// What a flow has to do with the errand that brings its session.
struct FlowInterest: Sendable {
    /// Whether the session is still wanted.
    var isWanted: @Sendable (ClientState) -> Bool = { _ in true }
    /// What changes at the moment in which the session is shown.
    var atTheEnd: @Sendable (inout ClientState) -> Void = { _ in }
}

extension AuthClient {
    /// A session that serves the demand: the one in memory, or one refreshed together with everybody else who needs it.
    func session(serving demand: SessionErrand.Demand) async throws(AuthError) -> Session {
        // A refresh that was joined may have been asked for something else, and a token may die while it is stored. One whose life is
        // shorter than its way to the caller is given as it is: its server has the last word.
        var shortLived: Session?
        for _ in 0..<3 {
            let (ready, generation, refreshing) = core.withLock { core in
                (core.sessions.serves(demand, on: effects.clock), core.generation, core.refreshing)
            }
            if let ready { return ready }
            let outcome = await refreshing.result { [self] in await run(SessionErrand(.refresh(demand), in: generation)) }
            switch outcome {
            case nil: throw .cancelled
            case .session(let session)?:
                guard demand.takes(session) else { continue }
                if session.lifetime.remaining(on: effects.clock) > .zero { return session }
                shortLived = session
            case .failure(let error)?: throw error
            case .done?: break
            }
        }
        if let shortLived { return shortLived }
        throw AuthError(.invalidResponse, "The backend gives no token that can be used. Try again.", retry: .now)
    }

    /// Runs an errand to its end, whatever becomes of the task that asks for it.
    func run(_ errand: SessionErrand, in flow: FlowInterest = FlowInterest()) async -> SessionErrand.Outcome {
        await Task {
            var errand = errand
            errand.deadline = effects.clock.uptime + options.deadline
            let outcome = await goOn(with: errand, from: .begun, flow)
            await persistEnd()
            return outcome
        }.value
    }

    private func goOn(
        with errand: SessionErrand, from event: SessionErrand.Event, _ flow: FlowInterest
    ) async -> SessionErrand.Outcome {
        var errand = errand
        var action = take(event, of: &errand, flow)
        while true {
            switch action {
            case .end(let outcome): return outcome
            case .enter:
                // Whoever holds the section asks the backend, which may take as long as a call may last.
                let waiting = errand
                do throws(StoreError) {
                    return try await store.exclusively(key(.session), patience: timeLeft(for: errand)) {
                        await self.goOn(with: waiting, from: .entered, flow)
                    }
                } catch {
                    action = take(.shutOut(error), of: &errand, flow)
                }
            case .refresh(let session):
                let start = effects.clock.uptime
                let event = await refreshed(session, within: timeLeft(for: errand))
                errand.latency = effects.clock.uptime - start
                action = take(event, of: &errand, flow)
            case .revoke(let session):
                await revoke(session)
                action = take(.revoked, of: &errand, flow)
            case .load, .write, .remove: action = await atStore(action, of: &errand, flow)
            }
        }
    }

    /// Takes an event, and tells what it has changed.
    ///
    /// Inlined into the loop it makes the optimiser of Swift 6.3.1 crash ("a leaked owned value that was never consumed").
    @inline(never)
    private func take(
        _ event: SessionErrand.Event, of errand: inout SessionErrand, _ flow: FlowInterest
    ) -> SessionErrand.Action {
        let taken = errand
        let (action, next) = change(after: taken.latency) { core in
            var errand = taken
            if !flow.isWanted(core) { errand.abandon(at: event) }
            let action = core.take(event, of: &errand, self.effects)
            if case .end(.session) = action { flow.atTheEnd(&core) }
            return (action, errand)
        }
        errand = next
        return action
    }

    /// How long an errand may still take: waiting for other processes counts as waiting for the backend does.
    private func timeLeft(for errand: SessionErrand) -> Duration {
        max(errand.deadline.map { $0 - effects.clock.uptime } ?? options.deadline, .seconds(1))
    }

    private func refreshed(_ session: Session, within limit: Duration) async -> SessionErrand.Event {
        do throws(AuthError) {
            return .answered(
                try await ask(within: limit) { () async throws(AuthError) in try await self.adapter.sessions.refresh(session) })
        } catch {
            return .failed(error)
        }
    }

    /// Does at the store what the errand asks for until it asks for something else, with nothing else of this process in between.
    private func atStore(
        _ action: SessionErrand.Action, of errand: inout SessionErrand, _ flow: FlowInterest
    ) async -> SessionErrand.Action {
        var action = action
        do throws(StoreError) {
            try await storing.enter(key(.session), patience: options.patience)
        } catch {
            return take(action.event(for: error), of: &errand, flow)
        }
        defer { storing.leave(key(.session)) }
        while action.isAtStore {
            let event: SessionErrand.Event
            do throws(StoreError) {
                event = try await act(action, in: errand.generation)
            } catch {
                event = action.event(for: error)
            }
            action = take(event, of: &errand, flow)
        }
        return action
    }

    private func act(_ action: SessionErrand.Action, in generation: Int) async throws(StoreError) -> SessionErrand.Event {
        switch action {
        case .write(let session, over: let revision):
            let bytes = try Envelope(session).bytes()
            return .written(try await store.replace(key(.session), with: bytes, unlessChangedSince: revision))
        case .remove(let revision?):
            try await store.remove(key(.session), unlessChangedSince: revision)
            return .removed
        case .remove:
            // Whoever has signed in since the sign-out has a session that is not to be removed.
            guard core.withLock({ $0.generation }) == generation else { throw .changed }
            try await store.remove(key(.session))
            return .removed
        default: return .loaded(try await loadSession())
        }
    }
}

extension SessionErrand.Action {
    /// What happened where the store could not do it.
    fileprivate func event(for error: StoreError) -> SessionErrand.Event {
        switch self {
        case .write: .notWritten(error)
        case .remove: .notRemoved(error)
        default: .unreadable(error)
        }
    }
}
