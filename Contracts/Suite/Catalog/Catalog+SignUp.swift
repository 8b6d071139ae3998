internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// The contracts that every completed sign-up depends on.
    static let proving = [
        "sign-up.password.asks-for-proof", "verification.code.completes", "verification.link.completes",
        "verification.poll.sees-it",
    ]

    /// Contracts about sign-up with a password.
    public static let signUp: [Contract<World>] = [
        Contract(
            "sign-up.password.asks-for-proof",
            "A sign-up with a new address and a good password returns a verification step, and sends one message to "
                + "exactly that address. If the project confirms addresses automatically, the sign-up completes and sends no "
                + "message.",
            appliesTo: .claiming(.password), needs: [.mailbox], declares: Declaration("signUpProof")
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let step = try await client.signUp(with: person.credential)
            let all = try await w.messageCount()
            let theirs = try await w.messages(to: person.email).count
            switch w.behavior.signUpProof {
            case .required:
                let challenge = try w.require(step.challenge, "the sign-up requires no verification, and returned \(step.kind)")
                w.expect(challenge.flow.kind == .confirmation, "the challenge is for \(challenge.flow.kind)")
                w.expect(!challenge.accepts.isEmpty, "the challenge does not accept an answer")
                w.expect(theirs == 1 && all == 1, "\(theirs) messages reached the address, and \(all) were sent")
            case .automatic:
                w.expect(step.session != nil, "the sign-up does not complete, and returned \(step.kind)")
                w.expect(all == 0, "\(all) messages were sent")
            }
        },

        Contract(
            "sign-up.password.not-repeated",
            "A sign-up whose connection is lost fails, and nothing on the way sends it again: there is no account.",
            appliesTo: .claiming(.password), needs: [.faults, .administrator], buildsOn: ["sign-up.password.asks-for-proof"]
        ) { w in
            // Use the connection once first, because some transports repeat a request if a reused connection is lost.
            _ = try await w.signedIn()
            let person = w.stranger()
            let client = w.client()
            try await w.fail(.signUp, with: .closed, times: 1)
            await w.refused(.network, .timedOut, of: "a sign-up without a response") { () async throws(AuthError) in
                try await client.signUp(with: person.credential)
            }
            let users = try await w.administrator().users()
            w.expect(!users.contains { $0.email == person.email }, "the sign-up was sent again")
            let step = try await client.signUp(with: person.credential)
            w.expect(step.session != nil || step.challenge != nil, "the user's second attempt returned \(step.kind)")
        },

        Contract(
            "sign-up.password.unverified-is-not-signed-in",
            "Before the verification, the state is never `signedIn`, and a call that requires a verified session is rejected. If there "
                + "is no session at all, every call that requires one is rejected with the challenge.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox],
            buildsOn: ["sign-up.password.asks-for-proof", "session.required"]
        ) { w in
            let device = w.device()
            let client = device.launch()
            let step = try await client.signUp(with: w.stranger().credential)
            w.expect(client.state.kind == "unverified", "the state is \(client.state.kind)")
            await w.refused(.verificationRequired, of: "a verified session") { () async throws(AuthError) in
                try await client.session(requiring: .verified)
            }
            if client.state.session == nil, let challenge = step.challenge {
                let error = await w.refused(.verificationRequired, of: "a token") { () async throws(AuthError) in
                    try await client.accessToken()
                }
                w.expect(error?.remedies.contains(.verify(challenge)) == true, "the error does not contain the challenge")
            }
            let again = device.launch()
            let state = await again.restore()
            w.expect(state.kind == "unverified", "after a relaunch the state is \(state.kind)")
        },

        Contract(
            "sign-up.password.keeps-display-name",
            "After a completed sign-up, the user has the display name that was given at the sign-up.",
            appliesTo: .claiming(.password), needs: [.mailbox], buildsOn: proving
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let session = try await w.prove(client, client.signUp(with: person.credential, displayName: person.name), of: person)
            w.expect(session.user.displayName == person.name, "the session's user does not have the name")
            if let created = session.user.createdAt {
                let age = w.clock.now - created
                w.expect(age >= .seconds(-5) && age <= .seconds(60), "the age of the new account is \(age)")
            }
            let user = try await client.refreshUser()
            w.expect(user.displayName == person.name, "the backend does not have the name")
        },

        Contract(
            "sign-up.password.keeps-metadata",
            "After a completed sign-up, the user has the given metadata and name. A backend without metadata rejects such a sign-up, and "
                + "creates no account.",
            appliesTo: .claiming(.password), needs: [.mailbox, .administrator],
            buildsOn: proving + ["sign-up.password.keeps-display-name"]
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let metadata: JSONObject = ["lockstep_plan": "team", "lockstep_seats": 3, "lockstep_theme": ["dark": true]]
            guard w.can(.userMetadata) else {
                await w.refused(.unsupported, of: "metadata at a sign-up") { () async throws(AuthError) in
                    try await client.signUp(with: person.credential, displayName: person.name, metadata: metadata)
                }
                let users = try await w.administrator().users()
                w.expect(users.allSatisfy { $0.email != person.email }, "the backend has an account with the address")
                return
            }
            let step = try await client.signUp(with: person.credential, displayName: person.name, metadata: metadata)
            let session = try await w.prove(client, step, of: person)
            w.expect(session.user.has(metadata), "the returned metadata is \(String(describing: session.user.metadata))")
            w.expect(session.user.displayName == person.name, "the session's user does not have the name")
            w.expect(try await client.refreshUser().has(metadata), "the backend does not have the metadata")
        },

        Contract(
            "sign-up.password.weak-refused",
            "A password that violates the backend's policy fails with `weakPassword` and the reason `length`, and no "
                + "account exists.",
            appliesTo: .claiming(.password), needs: [.administrator]
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let error = await w.refused(.weakPassword, of: "a password of three letters") { () async throws(AuthError) in
                try await client.signUp(with: .password(email: person.email, password: "abc"))
            }
            let reasons = error?.reasons ?? []
            w.expect(
                reasons.contains("length") && AuthError.passwordReasons.isSuperset(of: reasons),
                "the reasons for a password of three letters are \(reasons)")
            let users = try await w.administrator().users()
            w.expect(users.allSatisfy { $0.email != person.email }, "the backend has an account with the address")
            w.expect(client.state.kind.hasPrefix("signedOut"), "the state is \(client.state.kind)")
        },

        Contract(
            "sign-up.password.malformed-address-refused",
            "A malformed address fails with `invalidEmail`, and no message is sent.",
            appliesTo: .claiming(.password), needs: [.mailbox]
        ) { w in
            let client = w.client()
            let password = w.stranger().password
            for address in ["nobody", "a@", "@example.com", "a@@example.com", "a b@example.com", "a@example..com"] {
                await w.refused(.invalidEmail, of: "the address \(address)") { () async throws(AuthError) in
                    try await client.signUp(with: .password(email: address, password: password))
                }
            }
            w.expect(try await w.messageCount() == 0, "a message was sent")
        },

        Contract(
            "sign-up.password.known-address",
            "A sign-up with a verified address has the declared result (the same as for a new address, or "
                + "`emailAlreadyInUse`), and the old password still works.",
            appliesTo: .claiming(.password), needs: [.mailbox, .administrator],
            buildsOn: ["sign-up.password.asks-for-proof", "sign-in.password.completes"],
            declares: Declaration("knownAddressAtSignUp")
        ) { w in
            let member = try await w.member()
            let client = w.client()
            let other = PasswordCredential.password(email: member.email, password: w.stranger().password)
            switch w.behavior.knownAddressAtSignUp {
            case .sameAsNew:
                let step = try await client.signUp(with: other)
                w.expect(step.challenge?.flow.kind == .confirmation, "the step \(step.kind) reveals a known address")
            case .refused:
                await w.refused(.emailAlreadyInUse, of: "a known address") { () async throws(AuthError) in
                    try await client.signUp(with: other)
                }
            }
            try await w.enter(w.client(), member)
            await w.refused(.invalidCredentials, of: "the second password") { () async throws(AuthError) in
                try await w.client().signIn(with: other)
            }
        },

        Contract(
            "sign-up.password.address-case",
            "Addresses that differ only in the case of letters belong to one account. Its address has the backend's form, however the "
                + "user types it.",
            appliesTo: .claiming(.password), needs: [.administrator], buildsOn: ["sign-in.password.completes"]
        ) { w in
            let member = try await w.member()
            let first = try await w.enter(w.client(), member)
            let shouting = Person(email: member.email.uppercased(), password: member.password, name: member.name)
            let second = try await w.enter(w.client(), shouting)
            w.expect(first.user.id == second.user.id, "the address in capital letters belongs to another user")
            let users = try await w.administrator().users().filter { $0.email?.lowercased() == member.email }
            w.expect(users.count == 1, "the backend has \(users.count) accounts with the address")
            w.expect(second.user.email == users.first?.email, "the user's address is \(second.user.email ?? "none")")
        },

        Contract(
            "sign-up.send-failed",
            "If the message cannot be sent, the error reports this, the account or the flow stays, and the message can be sent again "
                + "immediately.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.faults, .mailbox], buildsOn: proving
        ) { w in
            let person = w.stranger()
            let client = w.client()
            try await w.fail(with: .messageNotSent, times: 1)
            let error = await w.refused(.messageNotSent, of: "a sign-up whose message was lost") { () async throws(AuthError) in
                try await client.signUp(with: person.credential, displayName: person.name)
            }
            w.expect(error?.retry != .never, "the error advises never to retry")
            w.expect(try await w.messages(to: person.email).isEmpty, "the lost message arrived")
            try await w.heal()
            let step = try await client.signUp(with: person.credential, displayName: person.name)
            w.expect(try await w.messages(to: person.email).count == 1, "the repeated call did not send exactly one message")
            let session = try await w.prove(client, step, of: person)
            w.expect(session.user.email == person.email, "another user was signed in")
        },

        Contract(
            "sign-up.interrupted",
            "If a later request of a sign-up fails, the error reports what was done. A repetition continues there, with "
                + "one account and one message.",
            appliesTo: .claiming(.password), needs: [.faults, .mailbox, .administrator],
            buildsOn: proving + ["sign-up.password.keeps-display-name"]
        ) { w in
            var interruptions = 0
            for skipped in 1...6 {
                let person = w.stranger()
                let client = w.client()
                try await w.fail(with: .status(503, retryAfter: nil), skipping: skipped, times: 1)
                do throws(AuthError) {
                    _ = try await client.signUp(with: person.credential, displayName: person.name)
                    break
                } catch {
                    interruptions += 1
                    w.expect(
                        !error.completed.isEmpty, "request \(skipped + 1) failed, and the error does not report what was done")
                }
                try await w.heal()
                let session = try await w.prove(
                    client, client.signUp(with: person.credential, displayName: person.name), of: person)
                w.expect(session.user.displayName == person.name, "the account does not have the name")
                let messages = try await w.messages(to: person.email).count
                w.expect(messages == (w.behavior.signUpProof == .required ? 1 : 0), "\(messages) messages were sent")
                let users = try await w.administrator().users()
                w.expect(users.filter { $0.email == person.email }.count == 1, "the sign-up did not create exactly one account")
            }
            try await w.heal()
            if interruptions == 0 { throw NotApplicable("a sign-up is a single request on this backend") }
        },
    ]
}
