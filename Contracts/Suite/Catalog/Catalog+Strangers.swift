internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about a person who signed up with someone else's address, and about the owner who proves it later.
    static let strangers: [Contract<World>] = [
        Contract(
            "sign-in.message.strangers-password",
            "A person signs up with someone else's address. After the owner signs in by a code or a link, the person's password "
                + "has the declared result. If it is declared to die, the person's session and flow open nothing either.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox, .clock], buildsOn: entering + proving,
            declares: Declaration("strangersPassword")
        ) { w in
            let kinds = w.journeys(among: [.emailCode, .emailLink])
            if kinds.isEmpty { throw NotApplicable("no code or link signs in") }
            for kind in kinds {
                let mallory = w.stranger()
                let hers = w.client()
                _ = try await hers.signUp(with: mallory.credential)
                try await w.advance(by: .seconds(90))
                let (owner, sent) = (w.client(), try await w.messages(to: mallory.email).count)
                let begun = await result(of: { () async throws(AuthError) in
                    kind == .emailCode
                        ? try await owner.signIn(with: .emailCode(mallory.email))
                        : try await owner.signIn(with: .emailLink(mallory.email))
                })
                let session: Session
                if let step = begun.success, try await w.messages(to: mallory.email).count > sent {
                    session = try await w.prove(owner, step, of: mallory)
                } else {
                    // An unverified sign-up is no account on some backends, so the owner is told to sign up.
                    w.expect(
                        begun.failure.map { $0.code == .userNotFound } ?? (w.behavior.unknownAddressAtLink == .likeKnown),
                        "the owner's sign-in by \(kind) returned \(named(begun)), and no message was sent")
                    session = try await w.signUp(owner, withAddressOf: mallory)
                }
                let late = w.client()
                let thief = await result(of: { () async throws(AuthError) in try await late.signIn(with: mallory.credential) })
                if let error = thief.failure {
                    w.expect(error.code == .invalidCredentials, "the stranger's password failed with \(error)")
                }
                let declared = w.behavior.strangersPassword
                w.expect(
                    (thief.failure == nil) == (declared == .works),
                    "after the owner's \(kind), the stranger's password returned \(named(thief)), declared is \(declared.rawValue)"
                )
                if declared == .dies {
                    try await w.expectNoEntry(of: mallory, hers, to: session.user.id, "the owner's \(kind)")
                }
            }
        },

        Contract(
            "reset.unverified-account",
            "A reset of an account whose address was never verified ends in a session or a step that can be completed. The new "
                + "password signs in, and the first one does not.",
            appliesTo: .claiming([.password, .passwordReset]), when: .proofIsRequired,
            needs: [.mailbox, .administrator, .clock], buildsOn: proving + ["reset.completes"]
        ) { w in
            let mallory = w.stranger()
            _ = try await w.client().signUp(with: mallory.credential)
            try await w.advance(by: .seconds(90))
            var owner = mallory
            owner.password = w.stranger().password
            let client = w.client()
            let session: Session
            let begun = await result(of: { () async throws(AuthError) in
                try await client.requestPasswordReset(email: mallory.email)
            })
            if try await w.administrator().users().contains(where: { $0.email == mallory.email }) {
                var step = try begun.get()
                for _ in 0..<4 where step.session == nil {
                    switch step {
                    case .verify(let challenge): step = try await w.give(client, challenge, to: owner.email)
                    case .newPassword(let entry):
                        step = try await client.respond(to: entry.flow, with: .newPassword(owner.password))
                    default: try w.end("the reset returned \(step.kind)")
                    }
                }
                session = try w.require(step.session, "the reset ended with \(step.kind)")
                w.expect(client.state.kind == "signedIn", "after the reset the state is \(client.state.kind)")
            } else {
                // An unverified sign-up is no account on some backends.
                w.expect(
                    begun.failure?.code == .userNotFound || begun.success?.challenge?.flow.kind == .passwordReset,
                    "the reset returned \(named(begun))")
                session = try await w.signUp(client, withAddressOf: owner, password: owner.password)
            }
            let entered = try await w.enter(w.client(), owner)
            w.expect(entered.user.id == session.user.id, "the new password signs in another user")
            await w.refused(.invalidCredentials, of: "the password of the unverified sign-up") { () async throws(AuthError) in
                try await w.client().signIn(with: mallory.credential)
            }
        },
    ]
}

extension World {
    /// Signs the owner of an address up, with a password of the owner.
    fileprivate func signUp(
        _ client: any PortableClient, withAddressOf person: Person, password: Secret? = nil, line: Int = #line
    ) async throws -> Session {
        var owner = person
        owner.password = password ?? stranger().password
        return try await prove(client, client.signUp(with: owner.credential, displayName: owner.name), of: owner, line: line)
    }
}
