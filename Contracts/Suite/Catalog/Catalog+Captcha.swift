internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// A captcha, which a project may ask of those whom it does not know.
    static let captcha: [Contract] = [
        Contract(
            "sign-up.captcha.step",
            "Where the project asks for a captcha, a sign-up leads to a step that takes the app's token, and a wrong token to that step again; "
                + "the right one goes on as without a captcha.",
            appliesTo: .claiming([.captcha, .password]), needs: [.adminAPI, .mailbox], buildsOn: entering
        ) { w in
            let token = try await w.adminAPI().demandCaptcha()
            let person = w.stranger()
            let client = w.client()
            let first = try w.captcha(try await client.signUp(with: person.credential), "the sign-up")
            await w.expectSignedOut(client, "before the captcha")
            w.expect(
                try await w.adminAPI().users().allSatisfy { $0.email != person.email }, "before the captcha there is an account")
            let wrong = try w.captcha(
                try await client.respond(to: first.flow, with: .captcha("not-a-token")), "a wrong token")
            w.expect(client.pending?.accepts == [.captcha], "after a wrong token the step is \(client.pending?.kind ?? "none")")
            let step = try await w.pass(client, try await client.respond(to: wrong.flow, with: .captcha(token)), token)
            var end = step
            for _ in 0..<3 {
                guard case .verify(let challenge) = end else { break }
                end = try await w.pass(client, try await w.give(client, challenge, to: person.email), token)
            }
            let session = try w.require(end.session, "after the captcha the sign-up ends in \(end.kind)")
            w.expect(session.user.email == person.email, "after the captcha another user is signed in")
            w.expect(client.state.kind == "signedIn", "after the captcha the state is \(client.state.kind)")
        },

        Contract(
            "sign-up.captcha.forgotten",
            "What waits for a captcha is in memory only: after a relaunch the step is refused and gone, and a sign-up that the backend refuses "
                + "after the captcha leaves no step.",
            appliesTo: .claiming([.captcha, .password]), needs: [.adminAPI, .mailbox],
            buildsOn: ["sign-up.captcha.step", "sign-up.password.weak-refused"]
        ) { w in
            let token = try await w.adminAPI().demandCaptcha()
            let device = w.device()
            let left = try w.captcha(try await device.launch().signUp(with: w.stranger().credential), "the sign-up")
            let relaunched = device.launch()
            await relaunched.restore()
            await w.refused(.flowNotFound, of: "the captcha after a relaunch") { () async throws(AuthError) in
                try await relaunched.respond(to: left.flow, with: .captcha(token))
            }
            w.expect(relaunched.pending == nil, "after that the step is \(relaunched.pending?.kind ?? "none")")

            var short = w.stranger()
            short.password = "a"
            let client = w.client()
            let begun = await result(of: { [short] () async throws(AuthError) in try await client.signUp(with: short.credential) }
            )
            guard case .success(let step) = begun else {
                // The password is judged before the captcha.
                return w.expect(begun.failure?.code == .weakPassword, "a weak password ends in \(named(begun))")
            }
            let challenge = try w.captcha(step, "the sign-up")
            await w.refused(.weakPassword, of: "a weak password, after the captcha") { () async throws(AuthError) in
                try await client.respond(to: challenge.flow, with: .captcha(token))
            }
            w.expect(client.pending == nil, "after the refusal the step is \(client.pending?.kind ?? "none")")
            await w.expectSignedOut(client, "after the refusal")
        },
    ]
}

extension World {
    /// The challenge of a step that waits for a captcha.
    fileprivate func captcha(_ step: SignInStep, _ what: String, line: Int = #line) throws -> Challenge {
        guard case .verify(let challenge) = step, challenge.accepts == [.captcha], challenge.channel == .captcha else {
            try end("\(what) leads to \(step.kind), and to no captcha", line: line)
        }
        return challenge
    }

    /// Gives the token for as long as one is asked for: a call of several requests may need more than one.
    fileprivate func pass(_ client: any PortableClient, _ first: SignInStep, _ token: Secret) async throws -> SignInStep {
        var step = first
        for _ in 0..<3 {
            guard case .verify(let challenge) = step, challenge.accepts == [.captcha] else { break }
            step = try await client.respond(to: challenge.flow, with: .captcha(token))
        }
        return step
    }
}
