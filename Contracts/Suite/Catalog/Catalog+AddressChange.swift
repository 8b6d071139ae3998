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

        /// Cases: B16.
        Contract(
            "account.email.taken-meanwhile",
            "An address that another account has taken after the request is refused at the verification. Both accounts keep their "
                + "addresses.",
            appliesTo: .claiming([.password, .emailChange]), needs: [.mailbox, .administrator],
            buildsOn: entering + ["account.email.needs-proof", "account.email.taken"]
        ) { w in
            var journey = try await w.begin(.emailChange)
            var other = w.stranger()
            other.email = journey.newAddress
            let otherID = try await w.administrator().create(
                email: other.email, password: other.password.reveal(), isEmailVerified: true, displayName: other.name)
            let end: Result<AuthStep, AuthError>
            do {
                try await journey.finish()
                end = .success(journey.step)
            } catch let error as AuthError {
                end = .failure(error)
            }
            w.expect(!end.isSuccess && !journey.hasEnded, "the verification of an address that is taken returned \(named(end))")
            w.expect(end.failure?.code != .unknown, "the verification of an address that is taken failed with `unknown`")
            w.expect(
                journey.client.state.session?.user.email != other.email, "after the refused verification the user has the address"
            )
            for (person, id) in [(other, otherID), (journey.person, try w.require(journey.userID, "the user's id is unknown"))] {
                let entered = try await w.enter(w.client(), person).user
                w.expect(entered.id == id && entered.email == person.email, "one of the addresses now signs in another user")
            }
        },

        Contract(
            "account.email.former-messages",
            "After a change of address, the codes and links that were sent to the former address before do not sign the user in, and set no "
                + "password.",
            appliesTo: .claiming([.password, .emailChange]), needs: [.mailbox, .clock],
            buildsOn: messageGrounds, declares: Declaration("sessionAfterAddressChange")
        ) { w in
            var count = 0
            for kind in w.journeys(among: [.reset, .emailCode, .emailLink]) {
                count += 1
                let person = try await w.member()
                let owner = w.client()
                let userID = try await w.enter(owner, person).user.id
                // A backend limits how often it sends messages to one address.
                try await w.advance(by: .seconds(61))
                let former = try await w.begin(kind, like: person)
                let message = try await w.newestMessage(to: person.email)
                try await w.advance(by: .seconds(61))
                let moved = try await w.move(owner, person)
                guard let way = [ChallengeResponse.Kind.code, .link].first(where: former.step.accepts.contains) else { continue }
                let late = await former.settled(try await former.prove(with: message, by: way))
                // The former address may get an account of its own.
                w.expect(
                    late.success?.session?.user.id != userID && former.client.state.session?.user.id != userID,
                    "\(kind): the \(way) from before the change signs the user in")
                let entered = try await w.enter(w.client(), moved)
                w.expect(entered.user.id == userID, "\(kind): after the \(way) the new address signs in another user")
            }
            if count == 0 { throw NotApplicable("no other flow of this backend sends a message") }
        },
    ]
}

extension World {
    /// Begins a flow that sends a message to a person's address, on a new device.
    fileprivate func begin(_ kind: Journey.Kind, like person: Person) async throws -> Journey {
        let device = device()
        let client = device.launch()
        var person = person
        let step: AuthStep
        switch kind {
        case .reset:
            step = try await client.requestPasswordReset(email: person.email)
            person.password = stranger().password
        case .emailCode: step = try await client.signIn(with: .emailCode(person.email))
        default: step = try await client.signIn(with: .emailLink(person.email))
        }
        return Journey(world: self, kind: kind, device: device, client: client, step: step, person: person, addresses: [])
    }

    /// Changes the address of a signed-in person, and returns the person with the new address.
    fileprivate func move(_ client: any PortableClient, _ person: Person, line: Int = #line) async throws -> Person {
        var moved = person
        moved.email = stranger().email
        var step = try await client.changeEmail(to: moved.email)
        do {
            for address in [moved.email, person.email] where step.session == nil {
                let challenge = try require(step.challenge, "the change returned \(step.kind)", line: line)
                step = try await give(client, challenge, to: address, line: line)
            }
        } catch let error as AuthError where error.code == .sessionRevoked {
            expect(behavior.sessionAfterAddressChange == .revoked, "the change ended the session", line: line)
        }
        return moved
    }
}
