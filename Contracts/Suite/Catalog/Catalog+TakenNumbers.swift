internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about phone numbers that belong to another account.
    static let takenNumbers: [Contract<World>] = [
        Contract(
            "linking.taken-number",
            "A user who links another account's number gets `identityConflict`, and signs in there with a single code, "
                + "also after a relaunch. After a sign-out or a cancelled conflict, the number requires a new code.",
            appliesTo: .claiming([.linking, .phoneCode, .password]), needs: [.mailbox, .administrator, .clock],
            buildsOn: entering + ["sign-in.phone-code.completes"]
        ) { w in
            let phone = w.number()
            let owner = try await w.administrator().create(phone: phone)
            let person = try await w.member()
            for end in ["a conflict", "a relaunch", "a sign-out", "a cancelled conflict"] {
                try await w.advance(by: .seconds(90))
                let device = w.device()
                var client = device.launch()
                let session = try await w.enter(client, person)
                guard client.linkMethods.contains(.phoneCode) else { throw NotApplicable("the user cannot add a number") }
                let sent = try await w.messages(to: phone).count
                var step = try await client.link(.phoneCode(phone))
                if let challenge = step.challenge {
                    step = try await client.respond(to: challenge.flow, with: .code(try await w.code(for: phone)))
                }
                guard case .identityConflict(let conflict) = step else { try w.end("linking returned \(step.kind)") }
                w.expect(conflict.currentUserID == session.user.id, "the conflict contains another user")
                w.expect(
                    conflict.signInMethods.contains(.phoneCode),
                    "the conflict lists the ways to sign in \(conflict.signInMethods)")
                w.expect(client.pending == nil, "after the conflict the step is \(client.pending?.kind ?? "none")")
                w.expect(client.state.session?.user.id == session.user.id, "after the conflict the state is \(client.state.kind)")

                let proofIsLeft = ["a sign-out", "a cancelled conflict"].contains(end)
                switch end {
                case "a relaunch":
                    client = try device.relaunch()
                    await client.restore()
                case "a sign-out": try await client.signOut()
                case "a cancelled conflict":
                    // This call fails if the conflict has no flow to cancel.
                    _ = await result(of: { [client] () async throws(AuthError) in try await client.cancel(conflict.flow) })
                default: break
                }
                if proofIsLeft { try await w.advance(by: .seconds(90)) }
                step = try await client.signIn(with: .phoneCode(phone))
                if proofIsLeft { w.expect(step.challenge != nil, "after \(end) the number returned \(step.kind)") }
                if let challenge = step.challenge {
                    step = try await client.respond(to: challenge.flow, with: .code(try await w.code(for: phone)))
                }
                try await w.expectGenuine(step, of: owner, client, "the number after \(end)")
                guard !proofIsLeft else { continue }
                let messages = try await w.messages(to: phone).count - sent
                w.expect(messages == 1, "after \(end) the sign-in required \(messages) messages in total")
            }
        }
    ]
}
