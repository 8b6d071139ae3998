internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts that apply to every call of the client.
    public static let everyCall: [Contract<World>] = [
        Contract(
            "session.deadline.every-call",
            "Every call of the client ends by its deadline if the backend hangs, even if the adapter ignores cancellation. "
                + "Other calls get a response in the meantime.",
            appliesTo: .claiming(.password), needs: [.clock],
            buildsOn: entering + [
                "session.deadline", "session.deadline.deaf-adapter", "session.sign-out.local", "account.update.display-name",
                "account.update.metadata", "capability.account-deletion.asked-where-claimed", "verification.link.completes",
                "verification.resend.newest-works", "account.delete", "session.sign-out.offline",
                "session.token.valid-needs-no-request", "account.factor.enrol-and-remove",
            ]
        ) { w in
            func ends<C: ClientCall>(_ type: C.Type) async throws {
                let (gate, isHanging) = (Gate(), Switch())
                let client = w.device().launch { changes in
                    changes.before = { if isHanging.isOn { await gate.pass() } }
                }
                guard let call = try await C.sample(on: client, in: w) else { return }
                isHanging.turn(on: true)
                let task = Task { await call.result(on: client) }
                w.expect(try await w.comes { gate.arrivals > 0 }, "\(C.name) did not reach the point where it hangs")
                if C.isAboutUser {
                    let token = await w.soon { await ValidToken().result(on: client) }
                    w.expect(
                        token.map { $0.refusal == nil } == true,
                        "while \(C.name) hangs, a token request is \(token.map(named) ?? "still waiting")")
                }
                let isSignOut = C.self == SignOut.self
                let result = try await w.ended(task, C.name, at: gate, isEarly: isSignOut)
                gate.open()
                if isSignOut {
                    w.expect(client.state.kind == "signedOut(requested)", "after a sign-out the state is \(client.state.kind)")
                } else {
                    w.expect(result.refusal?.code == .timedOut, "\(C.name): expected timedOut, got \(named(result))")
                }
            }
            for call in ClientCalls.all { try await ends(call) }
        }
    ]
}
