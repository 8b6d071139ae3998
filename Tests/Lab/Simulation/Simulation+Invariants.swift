import Lockstep
import LockstepPrimitives

extension Simulation {
    private func mustHold(_ holds: Bool, _ otherwise: @autoclosure () -> String) {
        if !holds, violation == nil { violation = otherwise() }
    }

    /// Checks the invariants after every move.
    func check() {
        // Rules 1 and 2: no token is sent twice, unless the client could not learn of its use.
        mustHold(mayReuse || backend.reusesSeen == 0, "the backend has seen a token twice")
        if let session = store.value?.session {
            let token = TokenName(of: session)
            // Rule 5: a signed-out session never comes back.
            mustHold(!buried.contains(token.family), "a session that was signed out is stored again: \(name(session))")
            // Rule 6: an older token never replaces a newer one.
            mustHold(
                token.number >= storedNumbers[token.family] ?? 0, "an older token is stored over a newer one: \(name(session))")
            storedNumbers[token.family] = token.number
        }
        for place in processes.indices { check(place) }
    }

    private func check(_ place: Int) {
        if let session = processes[place].machine.session {
            let token = TokenName(of: session)
            let newest = processes[place].newest[token.family] ?? 0
            mustHold(token.number >= newest, "process \(place) has gone back to an older token: \(name(session))")
            processes[place].newest[token.family] = token.number
            // Rule "never confused": user and tokens belong together.
            mustHold(
                session.user.id == "user \(backend.families[token.family].user)",
                "process \(place) shows a user with another's tokens")
        }
        // Rules 3 and 4: a session ends only by an error for exactly the known token, or by a sign-out.
        for note in processes[place].machine.notes {
            guard case .ended(let reason, let verdict, let session) = note else { continue }
            tell("process \(place) is signed out: \(reason.rawValue)")
            let family = backend.families[TokenName(of: session).family]
            mustHold(
                verdict == nil || !family.isAlive,
                "process \(place) ended a session that the backend holds good: \(name(session))")
            mustHold(verdict != nil || reason == .endedElsewhere, "process \(place) ended a session for no reason")
        }
        processes[place].machine.notes = []
    }

    /// A caller gets a valid token of the shown user.
    func checkServed(_ session: Session, by operation: SessionOperation, _ place: Int) {
        guard case .refresh = operation.purpose else { return }
        // The caller renews a token that expired while it was being stored.
        let token = TokenName(of: session)
        mustHold(
            session.lifetime.remaining(on: clock) > .zero || token.number == backend.families[token.family].current,
            "process \(place) has given out a dead token")
        if operation.generation == processes[place].machine.generation {
            mustHold(
                session.user.id == processes[place].machine.session?.user.id,
                "process \(place) has given out another user's token")
        }
    }

    /// Checks the invariants when nothing is running and nothing is broken.
    func checkPeace() {
        mustHold(processes.allSatisfy(\.jobs.isEmpty), "an operation does not end")
        mustHold(store.lock == nil, "the exclusive lock is held without a running operation")
        for place in processes.indices {
            mustHold(processes[place].machine.pendingWrite == nil, "process \(place) still has something to write")
            guard let session = processes[place].machine.session else { continue }
            guard processes[place].machine.revision == store.value?.revision else { continue }
            mustHold(store.value?.session == session, "process \(place) and the store differ: \(name(session))")
            // Never lost: the backend accepts the stored tokens.
            let token = TokenName(of: session)
            mustHold(
                mayReuse || token.number == backend.families[token.family].current, "the newest tokens are lost: \(name(session))"
            )
        }
    }
}
