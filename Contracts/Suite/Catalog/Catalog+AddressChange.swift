internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about changing the email address of an account.
    public static let addressChange: [Contract<World>] = [
        Contract(
            "account.email.needs-proof",
            "A new address is valid only after its verification. Until then the old address signs the user in, and afterwards the new one "
                + "does.",
            appliesTo: .claiming([.password, .emailChange]), needs: [.mailbox, .clock],
            buildsOn: entering + ["session.restore.expired-is-not-signed-out"],
            declares: Declaration("sessionAfterAddressChange")
        ) { w in
            let person = try await w.member()
            var moved = person
            moved.email = w.stranger().email
            let device = w.device()
            let client = device.launch()
            let session = try await w.enter(client, person)
            // Backends compare times in whole seconds.
            try await w.advance(by: .seconds(2))
            var step = try await client.changeEmail(to: moved.email)
            w.expect(step.session == nil, "the change completed before the verification")
            w.expect(step.flow?.kind == .emailChange, "the kind of the flow is \(step.flow?.kind.rawValue ?? "none")")
            w.expect(try await client.refreshUser().email == person.email, "the user has the new address before its verification")
            try await w.enter(w.client(), person)
            let early = moved.credential
            await w.refused(.invalidCredentials, .userNotFound, of: "the new address before its verification") {
                () async throws(AuthError) in
                try await w.client().signIn(with: early)
            }
            // Some backends also require a verification of the old address.
            do {
                for address in [moved.email, person.email] where step.session == nil {
                    let challenge = try w.require(step.challenge, "the change returned \(step.kind)")
                    step = try await w.give(client, challenge, to: address)
                }
                w.expect(client.state.session?.user.email == moved.email, "the user does not have the new address")
            } catch let error as AuthError where error.code == .sessionRevoked {
                w.expect(w.behavior.sessionAfterAddressChange == .revoked, "the change ended the session")
            }
            if client.state.session != nil {
                try await w.outliveToken(of: session)
                try await w.expectNextRefresh(of: client, on: device, session, w.behavior.sessionAfterAddressChange)
            } else {
                w.expect(client.state.kind == "signedOut(revoked)", "the state is \(client.state.kind)")
            }
            let again = try await w.enter(w.client(), moved)
            w.expect(again.user.id == session.user.id, "the new address signs in another user")
            let former = person.credential
            await w.refused(.invalidCredentials, .userNotFound, of: "the old address") { () async throws(AuthError) in
                try await w.client().signIn(with: former)
            }
        },

        Contract(
            "account.email.taken",
            "A change to another account's address is rejected, or has the same result as for any other address, as declared. In both "
                + "cases nothing changes.",
            appliesTo: .claiming([.password, .emailChange]), needs: [.mailbox],
            buildsOn: entering + ["account.email.needs-proof"],
            declares: Declaration("takenAddressAtChange")
        ) { w in
            let (person, other) = (try await w.member(), try await w.member())
            let client = w.client()
            let session = try await w.enter(client, person)
            let before = try await w.messages(to: other.email).count
            if w.behavior.takenAddressAtChange == .refused {
                await w.refused(.emailAlreadyInUse, of: "another account's address") { () async throws(AuthError) in
                    try await client.changeEmail(to: other.email)
                }
            } else {
                let step = try await client.changeEmail(to: other.email)
                w.expect(step.session == nil && step.flow?.kind == .emailChange, "a taken address returned \(step.kind)")
            }
            w.expect(try await w.messages(to: other.email).count == before, "the other account received a message")
            w.expect(try await client.refreshUser().email == person.email, "the user's address has changed")
            for (one, id) in [(person, session.user.id), (other, nil)] {
                let entered = try await w.enter(w.client(), one).user
                w.expect(
                    id == nil ? entered.id != session.user.id : entered.id == id, "one of the addresses now signs in another user"
                )
            }
        },
    ]
}
