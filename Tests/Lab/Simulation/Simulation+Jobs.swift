import Lockstep
import LockstepPrimitives

extension Simulation {
    func begin(_ purpose: SessionOperation.Purpose, _ place: Int) {
        var operation = SessionOperation(purpose, in: processes[place].machine.generation)
        let action = operation.take(.begun, &processes[place].machine, effects)
        nextJob += 1
        tell("process \(place) begins operation \(nextJob)")
        processes[place].jobs.append(.init(number: nextJob, operation: operation, progress: .due(action)))
        finish(place, processes[place].jobs.count - 1)
    }

    /// Runs the next half of an operation's step: its action, or the return of the result.
    func advance(_ place: Int, job index: Int, chance: Int) {
        switch processes[place].jobs[index].progress {
        case .due(let action): perform(action, place, index, chance)
        case .done(let event): deliver(lossy(event, chance, place), place, index)
        }
    }

    private func perform(_ action: SessionOperation.Action, _ place: Int, _ index: Int, _ chance: Int) {
        let number = processes[place].jobs[index].number
        let event: SessionOperation.Event
        switch action {
        case .enter:
            if store.lock == nil || store.flaw == .lockForAll {
                store.lock = number
                processes[place].jobs[index].isInside = true
                event = .entered
            } else if chance % 8 == 0 {
                event = .shutOut(StoreError(.busy, "busy"))
            } else {
                return
            }
        case .load:
            guard takeTurn(place, index) else { return }
            event = store.load()
            tell("process \(place), operation \(number), reads \(name(store.value?.session))")
        case .refresh(let session):
            if chance % 8 == 1 {
                event = .failed(AuthError(.network, "no network"))
            } else if chance % 8 == 2 {
                event = .failed(AuthError(.tooManyRequests, "slow down", retry: .after(.seconds(chance))))
            } else {
                event = backend.refresh(session, on: clock)
            }
            tell("process \(place), operation \(number), sends \(name(session)): \(name(event))")
        case .write(let session, over: let revision):
            guard takeTurn(place, index) else { return }
            event = store.write(session, over: revision)
            if case .notWritten(let error) = event, error.code != .conflict { mayReuse = true }
            tell("process \(place), operation \(number), writes \(name(session)): \(name(event))")
        case .remove(let revision):
            guard takeTurn(place, index) else { return }
            event = remove(revision, place, index)
            tell("process \(place), operation \(number), removes what is stored: \(name(event))")
        case .revoke(let session):
            backend.end(TokenName(of: session).family)
            event = .revoked
        case .end: return
        }
        processes[place].jobs[index].progress = .done(event)
    }

    private func takeTurn(_ place: Int, _ index: Int) -> Bool {
        guard processes[place].jobs[index].hasTurn || !processes[place].hasTurn else { return false }
        processes[place].jobs[index].hasTurn = true
        return true
    }

    private func remove(_ revision: Revision?, _ place: Int, _ index: Int) -> SessionOperation.Event {
        let operation = processes[place].jobs[index].operation
        if revision == nil, operation.generation != processes[place].machine.generation { return .notRemoved(.changed) }
        let family = store.value.map { TokenName(of: $0.session).family }
        let event = store.remove(revision)
        if case .leave = operation.purpose, case .removed = event, let family { buried.insert(family) }
        return event
    }

    /// A response can be lost after the backend has done its part.
    private func lossy(_ event: SessionOperation.Event, _ chance: Int, _ place: Int) -> SessionOperation.Event {
        guard case .answered = event, chance % 8 == 3 else { return event }
        tell("the answer to process \(place) is lost")
        mayReuse = true
        return .failed(AuthError(.timedOut, "no answer"))
    }

    private func deliver(_ event: SessionOperation.Event, _ place: Int, _ index: Int) {
        var operation = processes[place].jobs[index].operation
        let action = operation.take(event, &processes[place].machine, effects)
        processes[place].jobs[index].operation = operation
        processes[place].jobs[index].progress = .due(action)
        if !action.isAtStore { processes[place].jobs[index].hasTurn = false }
        finish(place, index)
    }

    /// Removes a finished operation.
    private func finish(_ place: Int, _ index: Int) {
        guard case .due(.end(let outcome)) = processes[place].jobs[index].progress else { return }
        let job = processes[place].jobs.remove(at: index)
        tell("process \(place) ends operation \(job.number): \(name(outcome))")
        if job.isInside, store.lock == job.number { store.lock = nil }
        if case .session(let session) = outcome { checkServed(session, by: job.operation, place) }
    }

    /// Ends all faults and all running operations.
    ///
    /// Then store, memory and backend must agree.
    func settle() {
        tell("everything heals")
        store.isFull = false
        store.isUnreadable = false
        for place in processes.indices where !processes[place].isReady { restore(place) }
        for _ in 0..<400 {
            guard violation == nil else { return }
            guard let place = processes.indices.first(where: { !processes[$0].jobs.isEmpty && canGoOn($0) }) else {
                guard let debtor = processes.indices.first(where: { processes[$0].machine.pendingWrite != nil }) else { break }
                retryPendingWrite(debtor)
                continue
            }
            let index = processes[place].jobs.firstIndex { canGoOn($0, place) } ?? 0
            advance(place, job: index, chance: 7)
            check()
        }
        checkPeace()
    }

    private func canGoOn(_ place: Int) -> Bool { processes[place].jobs.contains { canGoOn($0, place) } }

    private func canGoOn(_ job: SimulatedProcess.Job, _ place: Int) -> Bool {
        switch job.progress {
        case .done: true
        case .due(.enter): store.lock == nil || store.flaw == .lockForAll
        case .due(let action) where action.isAtStore: job.hasTurn || !processes[place].hasTurn
        case .due: true
        }
    }

    // MARK: Words

    func name(_ session: Session?) -> String {
        session.map { "\($0.user.id)'s token \(TokenName(of: $0).text)" } ?? "no session"
    }

    private func name(_ outcome: SessionOperation.Outcome) -> String {
        switch outcome {
        case .session(let session): name(session)
        case .failure(let error): error.code.rawValue
        case .done: "done"
        }
    }

    private func name(_ event: SessionOperation.Event) -> String {
        switch event {
        case .answered(let session): name(session)
        case .failed(let error): error.code.rawValue
        case .notWritten(let error), .notRemoved(let error): error.code.rawValue
        default: "done"
        }
    }
}
