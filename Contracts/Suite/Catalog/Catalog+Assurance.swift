internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the assurance level of a session with a second factor, and about the messages with its codes.
    static let assurance: [Contract<World>] = [
        Contract(
            "sign-in.second-factor.assurance",
            "A session reports whether the user signed in with a second factor, also after a refresh, a reload and a relaunch.",
            appliesTo: .claiming([.secondFactor, .password]), needs: [.administrator, .mailbox, .clock],
            buildsOn: ["sign-in.second-factor.required", "session.restore.same-user"]
        ) { w in
            let device = w.device()
            let client = device.launch()
            let (_, userID, factor, step) = try await w.memberAtSecondFactor(client)
            let flow = try await w.choose(client, factor.kind, of: step)
            let end = try await client.respond(to: flow, with: .code(try await w.code(of: factor)))
            let session = try await w.expectGenuine(end, of: userID, client, "the second factor")
            w.expect(
                session.assurance == .twoFactors,
                "after two factors the assurance of the session is \(session.assurance.rawValue)")
            func expectTwo(_ client: any PortableClient, _ when: String, line: Int = #line) {
                let assurance = client.state.session?.assurance.rawValue ?? "none"
                w.expect(
                    client.state.session?.assurance == .twoFactors, "\(when) the assurance of the session is \(assurance)",
                    line: line)
            }
            expectTwo(client, "after the second factor")
            try await w.outliveToken(of: session)
            _ = try await client.accessToken()
            expectTwo(client, "after a refresh")
            _ = try await client.refreshUser()
            expectTwo(client, "after a reload")
            let relaunched = device.launch()
            await relaunched.restore()
            expectTwo(relaunched, "after a relaunch")
            try await w.outliveToken(of: session)
            _ = try await relaunched.accessToken()
            expectTwo(relaunched, "after a relaunch and a refresh")

            // A backend may treat the verification of a new device as a second factor.
            guard w.behavior.newDevice == .trusted else { return }
            let plain = try await w.signedIn().1
            w.expect(
                plain.assurance == .oneFactor, "after one factor the assurance of the session is \(plain.assurance.rawValue)")
        },

        Contract(
            "account.reauthenticate.second-factor",
            "A user with a second factor must pass both factors to sign in again for a sensitive call. Until then the "
                + "session stays the same, and the call does not run.",
            appliesTo: .claiming([.reauthentication, .passwordChange, .secondFactor, .password]),
            needs: [.administrator, .mailbox, .clock],
            buildsOn: ["sign-in.second-factor.required", "account.sensitive.factor", "sign-in.second-factor.wrong-then-right"]
        ) { w in
            let client = w.client()
            let (person, userID, factor, step) = try await w.memberAtSecondFactor(client)
            let flow = try await w.choose(client, factor.kind, of: step)
            _ = try await client.respond(to: flow, with: .code(try await w.code(of: factor)))
            let before = try w.require(client.state.session, "after the second factor no user is signed in")
            try await w.makeOld(client)

            var changed = person
            changed.password = w.stranger().password
            let renewed = try await client.reauthenticate(
                with: person.credential, thenRetry: .changePassword(to: changed.password, current: person.password))
            guard case .secondFactor(let again) = renewed else {
                try w.end("signing in again with only the password returned \(renewed.kind)")
            }
            let state = client.state
            w.expect(state.session?.user.id == before.user.id, "before the second factor the state is \(state.kind)")
            let next = try await w.choose(client, factor.kind, of: again)
            let code = try await w.code(of: factor)
            await w.refused(.invalidCode, of: "a wrong code") { () async throws(AuthError) in
                try await client.respond(to: next, with: .code(code.wrong))
            }
            let other = w.client()
            await w.refused(.invalidCredentials, of: "the new password before the second factor") {
                [changed] () async throws(AuthError) in
                try await other.signIn(with: changed.credential)
            }
            let end = try await client.respond(to: next, with: .code(code))
            let session = try await w.expectGenuine(end, of: userID, client, "the second factor")
            w.expect(
                session.assurance == .twoFactors,
                "after both factors the assurance of the session is \(session.assurance.rawValue)")
            let entry = await result(of: { [changed] () async throws(AuthError) in
                try await other.signIn(with: changed.credential)
            })
            w.expect(entry.failure == nil, "after both factors the new password was rejected with \(named(entry))")
        },

        Contract(
            "sign-in.second-factor.resend",
            "Sending the code of a second factor again keeps the step with the same choices, and the newest code completes it. "
                + "An expired code does not.",
            appliesTo: .claiming([.secondFactor, .password]), needs: [.administrator, .mailbox, .clock],
            buildsOn: ["sign-in.second-factor.required"]
        ) { w in
            let (person, userID, phone) = try await w.memberWithPhoneFactor()
            let client = w.client()
            let step = try await w.secondFactor(client, of: person)
            let flow = try await w.choose(client, .phone, of: step)
            let sent = try w.require(client.pending?.challenge, "the step after the choice has no challenge")
            guard case .secondFactor(let chosen)? = client.pending else {
                try w.end("after the choice the step is \(client.pending?.kind ?? "none")")
            }
            w.expect(chosen.choices == step.choices, "after the choice, different factors are offered")
            let again = try await w.sendAgain(client, sent)
            w.expect(
                again.channel == .sms && again.accepts == sent.accepts,
                "the message that was sent again has another kind or recipient")
            guard case .secondFactor(let resent)? = client.pending else {
                try w.end("after the resend the step is \(client.pending?.kind ?? "none")")
            }
            w.expect(resent.choices == step.choices, "after the resend, different factors are offered")
            w.expect(resent.challenge == again, "after the resend the pending challenge is different")
            await w.expectSignedOut(client, "after the resend")
            let end = try await client.respond(to: flow, with: .code(try await w.code(for: phone)))
            try await w.expectGenuine(end, of: userID, client, "the newest code")

            try await w.advance(by: .seconds(90))
            let late = w.client()
            let waiting = try await w.choose(late, .phone, of: try await w.secondFactor(late, of: person))
            let code = try await w.code(for: phone)
            let expiry = late.pending?.challenge?.expiresAt ?? w.clock.now + .seconds(3600)
            try await w.advance(by: expiry - w.clock.now + .seconds(1))
            let given = await result(of: { () async throws(AuthError) in try await late.respond(to: waiting, with: .code(code)) })
            w.expect(!given.isSuccess, "an expired code completed the sign-in")
            await w.expectSignedOut(late, "after an expired code")
        },
    ]
}

extension World {
    /// Returns a member whose second factor is a phone, which the administrator or the member adds.
    fileprivate func memberWithPhoneFactor(line: Int = #line) async throws -> (person: Person, userID: String, phone: String) {
        let person = try await member()
        let userID = try await userID(of: person, line: line)
        guard client().factorKinds.contains(.phone) else {
            let factor = try await administrator().addPhoneFactor(to: userID)
            return (person, userID, try require(factor.phone, "the factor has no number", line: line))
        }
        let (client, phone) = (client(), number())
        try await enter(client, person, line: line)
        _ = try await administrator().allowPhones()
        let enrolment = try await client.addFactor(.phone(phone))
        let end = try await client.respond(
            to: enrolment.challenge.flow, with: .code(try await code(for: phone, line: line)))
        expect(end.session != nil, "the first code of the phone returned \(end.kind)", line: line)
        // A backend limits how often it sends messages to one number.
        try await advance(by: .seconds(90))
        return (person, userID, phone)
    }
}
