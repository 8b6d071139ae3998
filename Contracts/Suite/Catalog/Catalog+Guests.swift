internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    private static let guest = ["sign-in.anonymous.state"]

    /// Contracts about anonymous users and linking.
    public static let guests: [Contract<World>] = [
        Contract(
            "sign-in.anonymous.state", "An anonymous sign-in results in the state `anonymous`, no address, and a working token.",
            appliesTo: .claiming(.anonymous), buildsOn: ["capability.anonymous.asked-where-claimed"]
        ) { w in
            let client = w.client()
            let step = try await client.signIn(with: .anonymous)
            let session = try w.require(step.session, "the sign-in returned \(step.kind)")
            w.expect(client.state.kind == "anonymous", "the state is \(client.state.kind)")
            w.expect(session.user.isAnonymous && session.user.email == nil, "the user is not anonymous")
            w.expect(!(try await client.accessToken()).isEmpty, "the token is empty")
            w.expect(try await client.refreshUser().id == session.user.id, "the token does not work")
        },

        Contract(
            "sign-in.anonymous.kept-and-renewed",
            "After a relaunch, the same anonymous user is signed in. After a sign-out with `discardingAnonymousUser`, an anonymous "
                + "sign-in creates another user.",
            appliesTo: .claiming(.anonymous), buildsOn: guest
        ) { w in
            let device = w.device()
            let first = try w.require(
                try await device.launch().signIn(with: .anonymous).session, "the anonymous sign-in did not complete")
            let client = device.launch()
            await client.restore()
            w.expect(client.state.session?.user.id == first.user.id, "after a relaunch another anonymous user is signed in")
            try await client.signOut(discardingAnonymousUser: true)
            w.expect(client.state.kind == "signedOut(requested)", "the state is \(client.state.kind)")
            let second = try w.require(
                try await client.signIn(with: .anonymous).session, "the anonymous sign-in did not complete")
            w.expect(second.user.id != first.user.id, "the discarded anonymous user is signed in again")
        },

        Contract(
            "sign-in.anonymous.sign-out-asks",
            "Signing out an anonymous user without `discardingAnonymousUser` is rejected, and the anonymous user stays.",
            appliesTo: .claiming(.anonymous), needs: [.trace], buildsOn: guest
        ) { w in
            let device = w.device()
            let client = device.launch()
            let guest = try w.require(try await client.signIn(with: .anonymous).session, "the anonymous sign-in did not complete")
            try await w.expectRequests(0...0, "the rejected sign-out") {
                await w.refused(.anonymousUserWouldBeLost, of: "an anonymous user's sign-out") { () async throws(AuthError) in
                    try await client.signOut()
                }
            }
            w.expect(client.state.session?.user.id == guest.user.id, "the state is \(client.state.kind)")
            w.expect(try await device.hasStoredSession(), "the store no longer contains the session")
        },

        Contract(
            "linking.anonymous.keeps-id",
            "An anonymous user who links a credential keeps the user id and is no longer anonymous.",
            appliesTo: .claiming([.anonymous, .password]), needs: [.mailbox], buildsOn: guest + proving
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let guest = try w.require(try await client.signIn(with: .anonymous).session, "the anonymous sign-in did not complete")
            let session = try await w.prove(client, client.link(person.credential), of: person)
            w.expect(session.user.id == guest.user.id, "the user has another id")
            w.expect(!session.user.isAnonymous && session.user.email == person.email, "the user is still anonymous")
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
            w.expect(try await w.enter(w.client(), person).user.id == guest.user.id, "the credential signs in another user")
        },

        Contract(
            "linking.anonymous.conflict-keeps-user",
            "An anonymous user who links another user's credential gets an error and stays signed in, with a working and renewable "
                + "session, even if the app is killed during the call.",
            appliesTo: .claiming([.anonymous, .password]), needs: [.clock, .faults],
            buildsOn: guest + ["sign-in.password.completes", "linking.anonymous.keeps-id"]
        ) { w in
            let taken = try await w.member()
            let device = w.device()
            let client = device.launch()
            let guest = try w.require(try await client.signIn(with: .anonymous).session, "the anonymous sign-in did not complete")
            do throws(AuthError) {
                // The step is a conflict. If known addresses are not revealed, it is a verification that only the other user can complete.
                let step = try await client.link(taken.credential)
                let isOpen = step.challenge != nil || step.kind == "identityConflict"
                w.expect(isOpen, "linking another user's credential returned \(step.kind)")
            } catch {
                w.expect([.emailAlreadyInUse, .identityAlreadyInUse].contains(error.code), "linking failed with \(error)")
            }
            w.expect(client.state.session?.user.id == guest.user.id, "the state is \(client.state.kind)")
            try await w.expectUsableGuest(client, guest, "after the conflict")

            // The app is killed after the backend rejects the call and before the app reacts.
            try await w.fail(with: .hang, times: 1)
            let dying = Task { await result(of: { () async throws(AuthError) in try await client.link(taken.credential) }) }
            try await w.untilHanging(1)
            let relaunched = device.launch()
            let state = await relaunched.restore()
            w.expect(state.kind == "anonymous", "after a relaunch the state is \(state.kind)")
            try await w.heal()
            try await w.expectUsableGuest(relaunched, guest, "after a relaunch")
            try await w.release()
            _ = await w.soon { await dying.value }
            w.expect(try await device.hasStoredSession(), "the store no longer contains the session")
            let last = device.launch()
            await last.restore()
            try await w.expectUsableGuest(last, guest, "after the late rejection")
        },

        Contract(
            "linking.anonymous.copies-display-name",
            "Linking an identity sets an empty display name to the name of that identity, and keeps an existing name.",
            appliesTo: .claiming([.anonymous, .idToken, .displayName]), needs: [.issuer],
            buildsOn: guest + ["sign-in.id-token.first-name-kept", "account.update.display-name"]
        ) { w in
            let issuer = try w.issuer()
            for (before, after) in [(nil, "Grace Hopper"), ("Amazing Grace", "Amazing Grace")] as [(String?, String)] {
                let client = w.client()
                _ = try await client.signIn(with: .anonymous)
                if let before { _ = try await client.update(displayName: before, photoURL: nil) }
                let subject = IdentitySubject(id: w.environment.randomness.text(12), email: w.stranger().email)
                let step = try await client.link(try await w.idToken(issuer, for: subject, name: "Grace Hopper"))
                w.expect(step.session != nil, "linking returned \(step.kind)")
                w.expect(try await client.refreshUser().displayName == after, "the name is not \(after)")
            }
        },

        Contract(
            "linking.anonymous.sign-in-links",
            "A sign-in on an anonymous user's session links if the adapter can link identities, and may be rejected otherwise. It "
                + "never silently drops the anonymous user, even if the credential belongs to another user.",
            appliesTo: .claiming([.anonymous, .idToken]), needs: [.issuer], buildsOn: guest + ["sign-in.id-token.new-and-again"]
        ) { w in
            let client = w.client()
            let guest = try w.require(try await client.signIn(with: .anonymous).session, "the anonymous sign-in did not complete")
            let subject = IdentitySubject(id: w.environment.randomness.text(12), email: w.stranger().email)
            let credential = try await w.idToken(try w.issuer(), for: subject)
            do throws(AuthError) {
                let step = try await client.signIn(with: credential)
                w.expect(step.session?.user.id == guest.user.id, "the anonymous user was lost")
                w.expect(client.state.session?.user.isAnonymous == false, "the user is still anonymous")
            } catch {
                w.expect(error.code == .anonymousUserWouldBeLost && !w.can(.linking), "the sign-in failed with \(error)")
            }
            w.expect(
                client.state.session?.user.id == guest.user.id, "the state is \(client.state.kind), or another user is signed in")

            let taken = w.subject()
            _ = try await w.client().signIn(with: try await w.idToken(try w.issuer(), for: taken))
            let other = w.client()
            let second = try w.require(try await other.signIn(with: .anonymous).session, "the anonymous sign-in did not complete")
            let theirs = try await w.idToken(try w.issuer(), for: taken)
            do throws(AuthError) {
                let step = try await other.signIn(with: theirs)
                w.expect(step.kind == "identityConflict", "another user's credential returned \(step.kind)")
            } catch {
                w.expect(
                    [.identityAlreadyInUse, .emailAlreadyInUse, .anonymousUserWouldBeLost].contains(error.code),
                    "another user's credential failed with \(error)")
            }
            w.expect(
                other.state.session?.user.id == second.user.id,
                "after another user's credential the state is \(other.state.kind), or another user is signed in")
        },

        Contract(
            "linking.only-by-intent", "A sign-in by a signed-in user never links to that user.",
            appliesTo: .claiming(.password), buildsOn: ["sign-in.password.completes", "sign-in.replaces-session"]
        ) { w in
            let person = try await w.member()
            let client = w.client()
            let first = try await w.enter(client, person)
            if w.can(.idToken), let issuer = w.environment.issuer {
                let subject = IdentitySubject(id: w.environment.randomness.text(12), email: w.stranger().email)
                let step = try await client.signIn(with: try await w.idToken(issuer, for: subject))
                w.expect(
                    step.session != nil && step.session?.user.id != first.user.id, "the identity was linked to the signed-in user"
                )
            } else {
                let second = try await w.enter(client, try await w.member())
                w.expect(second.user.id != first.user.id, "the second sign-in returned the first user")
            }
            let again = try await w.enter(w.client(), person)
            w.expect(again.user.identities.count == first.user.identities.count, "the first user now has different identities")
        },

        Contract(
            "linking.anonymous.sign-up-interrupted",
            "An interrupted sign-up of an anonymous user always ends with the same user, even if it is repeated. It never becomes an "
                + "ordinary sign-up.",
            appliesTo: .claiming([.anonymous, .password, .displayName]), needs: [.faults, .mailbox],
            buildsOn: ["linking.anonymous.keeps-id"]
        ) { w in
            for skipped in 0...6 {
                let person = w.stranger()
                let client = w.client()
                let guest = try w.require(
                    try await client.signIn(with: .anonymous).session, "the anonymous sign-in did not complete")
                try await w.fail(with: .status(503, retryAfter: nil), skipping: skipped, times: 1)
                let first = await result(of: { () async throws(AuthError) in
                    try await client.signUp(with: person.credential, displayName: person.name)
                })
                try await w.heal()
                let step: AuthStep
                switch first {
                case .success(let done): step = done
                case .failure: step = try await client.signUp(with: person.credential, displayName: person.name)
                }
                let session = try await w.prove(client, step, of: person)
                w.expect(session.user.id == guest.user.id, "request \(skipped + 1) failed, and another account was created")
                w.expect(!session.user.isAnonymous, "request \(skipped + 1) failed, and the user is still anonymous")
            }
        },
    ]
}

extension World {
    /// Checks that an anonymous user can still be used: the token works, and is renewed after it expires.
    fileprivate func expectUsableGuest(
        _ client: any PortableClient, _ guest: Session, _ when: String, line: Int = #line
    ) async throws {
        let user = try await client.refreshUser()
        expect(user.id == guest.user.id && user.isAnonymous, "\(when) another anonymous user is signed in", line: line)
        try await outliveToken(of: guest)
        let token = try await client.accessToken()
        expect(token != guest.accessToken, "\(when) the anonymous user's session cannot be renewed", line: line)
        expect(client.state.session?.user.id == guest.user.id, "\(when) the state is \(client.state.kind)", line: line)
    }
}
