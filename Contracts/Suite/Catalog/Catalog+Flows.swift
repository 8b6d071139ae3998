internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about simultaneous flows, verifications with several requests, and data that a flow leaves behind.
    static let flows: [Contract<World>] = [
        Contract(
            "verification.two-flows",
            "Flows on two devices complete independently with each kind of answer, and cancelling one does not affect the other.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox], buildsOn: messageGrounds
        ) { w in
            for way in [ChallengeResponse.Kind.code, .link, .poll] where way == .code || w.environment.browser != nil {
                for kind in w.journeys() {
                    guard let first = try await w.beginIfPossible(kind) else { continue }
                    guard try first.challenge().accepts.contains(way) else { continue }
                    var journeys = [first, try await w.begin(kind), try await w.begin(kind)]
                    try await journeys[1].client.cancel(try journeys[1].challenge().flow)
                    for place in [2, 0] {
                        try await journeys[place].finish(by: way)
                        try await journeys[place].expectEnd("the \(way) of flow \(place + 1)")
                    }
                    journeys[1].expectNoEntry("after its cancellation")
                    break
                }
            }
        },

        Contract(
            "verification.secrets-wiped",
            "A flow is removed from the store when it has succeeded, was cancelled, or its user signs out.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox],
            buildsOn: ["session.sign-out.wipes-flow"] + messageGrounds + ["sign-in.step.kept"]
        ) { w in
            for end in ["success", "cancellation", "sign-out"] {
                // A user with a session cannot leave a verification (`verification.leave.stays-due`), so cancel another flow.
                var journey = try await w.begin(end == "cancellation" ? try w.leavableFlow() : try w.firstMessageFlow())
                let (device, client, challenge) = (journey.device, journey.client, try journey.challenge())
                let notes = try w.require(
                    try await device.flowNotes(of: challenge.flow), "the store does not contain the flow with its notes")
                switch end {
                case "success": try await journey.finish()
                case "cancellation": try await client.cancel(challenge.flow)
                default: try await client.signOut(discardingAnonymousUser: true)
                }
                // A user with a limited session gets another flow immediately, which has none of these notes.
                let left = String(decoding: try await device.stored(.flow) ?? [], as: UTF8.self)
                w.expect(!left.contains(challenge.flow.id), "after its \(end) the store still contains the flow")
                w.expect(!notes.contains { left.contains($0) }, "after its \(end) the store contains the flow's notes")
                let again = device.launch()
                await again.restore()
                w.expect(again.pending?.flow?.id != challenge.flow.id, "after its \(end) the flow is pending again")
            }
        },

        Contract(
            "verification.proof.resumes",
            "If any request of a verification fails, the same answer can be sent again and completes it. If the response was lost and the "
                + "backend accepts each answer only once, a sign-in with the password continues.",
            appliesTo: .claiming([.password, .confirmationCode]), when: .proofIsRequired, needs: [.mailbox, .faults, .clock],
            buildsOn: proving
        ) { w in
            for fault in [Fault.status(503, retryAfter: nil), .closed, .answerLost] {
                for skipped in 0..<5 {
                    let person = w.stranger()
                    let client = w.client()
                    let challenge = try await w.challenge(of: person, client)
                    guard challenge.accepts.contains(.code) else { throw NotApplicable("a sign-up does not accept a code here") }
                    let code = try await w.code(for: person.email)
                    try await w.fail(with: fault, skipping: skipped, times: 1)
                    let first = await result(of: { () async throws(AuthError) in
                        try await client.respond(to: challenge.flow, with: .code(code))
                    })
                    try await w.heal()
                    guard case .failure(let error) = first else { break }
                    w.expect(error.retry != .never, "request \(skipped + 1) failed, and the error advises never to retry")
                    let again = await result(of: { () async throws(AuthError) in
                        try await client.respond(to: challenge.flow, with: .code(code))
                    })
                    if case .success(let step) = again {
                        w.expect(step.session?.user.email == person.email, "the repeated verification returned \(step.kind)")
                    } else {
                        let isSpent = fault == .answerLost && again.failure?.code.isRefusalOfProof == true
                        w.expect(
                            isSpent,
                            "after \(fault) at request \(skipped + 1), the result of the repeated verification is \(named(again))"
                        )
                        let entered = try await w.enter(w.client(), person)
                        w.expect(entered.user.isEmailVerified, "after a lost response the address is not verified")
                    }
                }
            }
        },

        Contract(
            "sign-up.fault",
            "If the response to any request of a sign-up is lost, a repeated call results in one account and a message "
                + "that completes it.",
            appliesTo: .claiming(.password), needs: [.faults, .mailbox, .administrator, .clock], buildsOn: proving
        ) { w in
            for skipped in 0..<6 {
                let person = w.stranger()
                let client = w.client()
                try await w.fail(with: .answerLost, skipping: skipped, times: 1)
                let first = await result(of: { () async throws(AuthError) in
                    try await client.signUp(with: person.credential, displayName: person.name)
                })
                try await w.heal()
                guard case .failure = first else { break }
                // A backend limits how often it sends messages to one address.
                try await w.advance(by: .seconds(90))
                let again = await result(of: { () async throws(AuthError) in
                    try await client.signUp(with: person.credential, displayName: person.name)
                })
                switch again {
                case .success(let step):
                    let session = try await w.prove(client, step, of: person)
                    w.expect(session.user.email == person.email, "another user was signed in")
                case .failure(let error):
                    w.found(
                        "the response to request \(skipped + 1) was lost, and the repeated sign-up failed with \(error)",
                        line: #line)
                }
                let users = try await w.administrator().users().filter { $0.email == person.email }
                w.expect(
                    users.count == 1, "the response to request \(skipped + 1) was lost, and there are \(users.count) accounts")
            }
        },

        Contract(
            "sign-up.password.repeat-before-proof",
            "A second sign-up before the verification never creates a second account, and the newest message completes it.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox, .administrator, .clock], buildsOn: proving
        ) { w in
            let person = w.stranger()
            let client = w.client()
            _ = try await w.challenge(of: person, client)
            try await w.advance(by: .seconds(90))
            let step: AuthStep
            do throws(AuthError) {
                step = try await client.signUp(with: person.credential, displayName: person.name)
            } catch {
                // If the backend has already created the account, it reports this, and a sign-in with the password continues.
                w.expect(error.code == .emailAlreadyInUse, "the repeated sign-up failed with \(error)")
                step = try await client.signIn(with: person.credential)
            }
            let session = try await w.prove(client, step, of: person)
            w.expect(session.user.email == person.email && session.user.isEmailVerified, "another user was signed in")
            let users = try await w.administrator().users().filter { $0.email == person.email }
            w.expect(users.count == 1, "the address has \(users.count) accounts")
        },
    ]
}

extension Device {
    /// Returns the stored notes of the adapter for a pending flow.
    ///
    /// - Returns: The notes without short texts and times, or `nil` if the flow or such notes are not stored.
    func flowNotes(of flow: Flow) async throws -> [String]? {
        guard let bytes = try await stored(.flow), let memory = try JSON.parse(bytes)["value"]?["pending"]?["memory"],
            memory["flow"]?["id"]?.string == flow.id
        else { return nil }
        let notes = (memory["notes"]?.object ?? [:]).compactMap { $0.value.string }.filter {
            $0.utf8.count >= 8 && Int64($0) == nil
        }
        return notes.isEmpty ? nil : notes
    }
}
