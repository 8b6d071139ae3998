internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// A contract about sessions that a sign-in replaces.
    static let replaced: [Contract<World>] = [
        Contract(
            "session.replaced.behind",
            "A sign-in that replaces a session returns before the backend ends the old session. If the process ends first, it leaves a "
                + "note, and the next launch ends the old session.",
            appliesTo: .claiming(.password), when: .sessionsEnd, needs: [.administrator],
            buildsOn: entering + ["session.replaced"],
            unwatched: [.sentOnce: "the next process repeats the request of the process that ended"]
        ) { w in
            let (first, second) = (try await w.member(), try await w.member())
            let (device, gate) = (w.device(), Gate())
            let client = device.launch { changes in
                changes.asking = { call, session in
                    if call == .revoke { await gate.pass() }
                    return session
                }
            }
            let old = try await w.enter(client, first)
            let entered = Slot<Result<Session, any Error>>()
            let work = Task {
                do {
                    var step = try await client.signIn(with: second.credential)
                    for _ in 0..<3 {
                        guard let challenge = step.challenge else { break }
                        step = try await w.give(client, challenge, to: second.email)
                    }
                    entered.fill(.success(try w.require(step.session, "the sign-in returned \(step.kind)")))
                } catch { entered.fill(.failure(error)) }
            }
            let isAnswered = try await w.comes { entered.value != nil }
            w.expect(isAnswered, "the sign-in waited for the end of the old session")
            if !isAnswered { gate.open() }
            await work.value
            let new = try w.require(entered.value, "the sign-in did not end").get()
            w.expect(client.state.session?.user.id == new.user.id, "the state is \(client.state.kind)")
            guard isAnswered else { return }
            let administrator = try w.administrator()
            w.expect(try await administrator.accepts(refreshToken: old.refreshToken), "the old session ended immediately")

            // The first process stays at the gate, before it ends the old session.
            let again = try device.relaunch()
            await again.restore()
            w.expect(again.state.session?.user.id == new.user.id, "after the relaunch the state is \(again.state.kind)")
            let isEnded = try await w.comes { try await !administrator.accepts(refreshToken: old.refreshToken) }
            w.expect(isEnded, "after the relaunch the old session is still valid")
            await again.settle()
            w.expect(try await again.refreshUser().id == new.user.id, "after the relaunch the new session does not work")
            let left = Array(old.refreshToken.reveal().utf8)
            for (key, bytes) in try await device.contents() where bytes.contains(left) {
                w.found("the slot \(key.slot.rawValue) still contains the old session", line: #line)
            }
            gate.open()
            await client.settle()
            w.expect(try await again.refreshUser().id == new.user.id, "the first process ended the new session")
        }
    ]
}
