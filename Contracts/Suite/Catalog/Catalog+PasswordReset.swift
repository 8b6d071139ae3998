internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about forgotten passwords.
    public static let passwordReset: [Contract<World>] = [
        Contract(
            "reset.completes",
            "The link or code of the message lets the user set a new password. Then the new password signs in, and the old one does not.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox],
            buildsOn: entering + ["verification.no-dead-end"]
        ) { w in
            var person = try await w.member()
            let old = person.credential
            person.password = w.stranger().password
            let client = w.client()
            let step = try await client.requestPasswordReset(email: person.email)
            let challenge = try w.require(step.challenge, "the request returned \(step.kind)")
            let proven = try await w.give(client, challenge, to: person.email)
            guard case .newPassword(let entry) = proven else {
                w.found("the code or link returned \(proven.kind)", line: #line)
                return
            }
            let end = try await client.respond(to: entry.flow, with: .newPassword(person.password))
            let session = try await w.enter(w.client(), person)
            w.expect(
                end.session?.user.id == session.user.id, "the new password returned \(end.kind), or another user was signed in")
            w.expect(client.state.session?.user.id == session.user.id, "then the state is \(client.state.kind)")
            w.expect(try await client.refreshUser().id == session.user.id, "the reset signed in another user")
            await w.refused(.invalidCredentials, of: "the old password") { () async throws(AuthError) in
                try await w.client().signIn(with: old)
            }
        },

        Contract(
            "reset.unknown-address", "A reset for an unknown address has the declared result, and sends no message.",
            appliesTo: .claiming(.passwordReset),
            needs: [.mailbox], declares: Declaration("unknownAddressAtReset")
        ) { w in
            let address = w.stranger().email
            let client = w.client()
            if w.behavior.unknownAddressAtReset == .told {
                await w.refused(.userNotFound, of: "an unknown address") { () async throws(AuthError) in
                    try await client.requestPasswordReset(email: address)
                }
            } else {
                let step = try await client.requestPasswordReset(email: address)
                w.expect(step.challenge?.flow.kind == .passwordReset, "the step \(step.kind) reveals an unknown address")
            }
            w.expect(try await w.messages(to: address).isEmpty, "a message was sent")
        },

        Contract(
            "reset.single-use", "A used link or code is rejected.", appliesTo: .claiming([.password, .passwordReset]),
            needs: [.mailbox],
            buildsOn: ["verification.survives-relaunch"] + ["reset.completes", "sign-in.step.kept"]
        ) { w in
            let person = try await w.member()
            let (device, thief) = (w.device(), w.stranger().password)
            let client = device.launch()
            let step = try await client.requestPasswordReset(email: person.email)
            let challenge = try w.require(step.challenge, "the request returned \(step.kind)")
            let message = try await w.newestMessage(to: person.email)
            let twin = device.launch()
            await twin.restore()
            let proven = try await w.give(client, challenge, by: message)
            guard case .newPassword(let entry) = proven else { try w.end("the code or link returned \(proven.kind)") }
            _ = try await client.respond(to: entry.flow, with: .newPassword(w.stranger().password))
            do {
                let again = try await w.give(twin, challenge, by: message)
                // Some backends accept the code or link only together with the new password.
                if case .newPassword(let entry) = again {
                    _ = try await twin.respond(to: entry.flow, with: .newPassword(thief))
                }
                w.found("a used code or link was accepted", line: #line)
            } catch let error as AuthError {
                // The error code depends on what the backend still knows about the code or link.
                w.expect(error.code.isRefusalOfProof, "the used code or link failed with \(error)")
            }
            await w.refused(.invalidCredentials, of: "the password that the used code or link tried to set") {
                () async throws(AuthError) in
                try await w.client().signIn(with: .password(email: person.email, password: thief))
            }
        },
    ]
}
