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
        var failure = AuthError.notSignedIn
        // A refresh that was joined may have been asked for something else; the second one is this caller's own.
        for _ in 0..<2 {
            let (ready, generation, refreshing) = core.withLock { core in
                (core.sessions.serves(demand, on: effects.clock), core.generation, core.refreshing)
            }
            if let ready { return ready }
            let outcome = await refreshing.result { [self] in await run(SessionErrand(.refresh(demand), in: generation)) }
            switch outcome {
            case nil: throw .cancelled
            case .session(let session)? where demand.takes(session): return session
            case .session?, .done?: continue
            case .failure(let error)?: failure = error
            }
            break
        }
        throw failure
    }

    /// Runs an errand to its end, whatever becomes of the task that asks for it.
    func run(_ errand: SessionErrand, in flow: FlowInterest = FlowInterest()) async -> SessionErrand.Outcome {
        await Task { await goOn(with: errand, from: .begun, flow) }.value
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
                let waiting = errand
                do throws(StoreError) {
                    return try await store.exclusively(key(.session), patience: options.patience) {
                        await self.goOn(with: waiting, from: .entered, flow)
                    }
                } catch {
                    action = take(.shutOut(error), of: &errand, flow)
                }
            case .load: action = take(await load(), of: &errand, flow)
            case .refresh(let session): action = take(await refreshed(session), of: &errand, flow)
            case .revoke(let session):
                await revoke(session)
                action = take(.revoked, of: &errand, flow)
            case .write, .remove: action = await change(by: action, of: &errand, flow)
            }
        }
    }

    /// Takes an event, and tells what it has changed.
    private func take(
        _ event: SessionErrand.Event, of errand: inout SessionErrand, _ flow: FlowInterest
    ) -> SessionErrand.Action {
        let taken = errand
        let (action, next) = change { core in
            var errand = taken
            if !flow.isWanted(core) { errand.abandon() }
            let action = core.take(event, of: &errand, self.effects)
            if case .end(.session) = action { flow.atTheEnd(&core) }
            return (action, errand)
        }
        errand = next
        return action
    }

    private func load() async -> SessionErrand.Event {
        do throws(StoreError) {
            return .loaded(try await loadSession())
        } catch {
            return .unreadable(error)
        }
    }

    private func refreshed(_ session: Session) async -> SessionErrand.Event {
        do throws(AuthError) {
            return .answered(try await ask { () async throws(AuthError) in try await self.adapter.sessions.refresh(session) })
        } catch {
            return .failed(error)
        }
    }

    /// Changes the store, and what is known of it, with no other change of this process in between.
    private func change(
        by action: SessionErrand.Action, of errand: inout SessionErrand, _ flow: FlowInterest
    ) async -> SessionErrand.Action {
        do throws(StoreError) {
            try await writing.enter(key(.session), patience: options.patience)
        } catch {
            if case .write = action { return take(.notWritten(error), of: &errand, flow) }
            return take(.notRemoved(error), of: &errand, flow)
        }
        defer { writing.leave(key(.session)) }
        do throws(StoreError) {
            switch action {
            case .write(let session, over: let revision):
                let bytes = try Envelope(session).bytes()
                let next = try await store.replace(key(.session), with: bytes, unlessChangedSince: revision)
                return take(.written(next), of: &errand, flow)
            case .remove(let revision?): try await store.remove(key(.session), unlessChangedSince: revision)
            default:
                // Whoever has signed in since the sign-out has a session that is not to be removed.
                guard core.withLock({ $0.generation }) == errand.generation else { throw .changed }
                try await store.remove(key(.session))
            }
            return take(.removed, of: &errand, flow)
        } catch {
            if case .write = action { return take(.notWritten(error), of: &errand, flow) }
            return take(.notRemoved(error), of: &errand, flow)
        }
    }
}
