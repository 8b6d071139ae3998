internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the account of the signed-in user.
    public static let account: [Contract<World>] = [
        Contract(
            "account.update.display-name",
            "The user has the new name immediately, after a refresh, and after a relaunch: letters of any script and emoji, byte for byte.",
            appliesTo: .claiming(.displayName)
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            for name in ["Grace \(w.environment.randomness.text(6))"] + World.namesInScripts {
                func isIt(_ user: User?) -> Bool { user?.displayName.map { Array($0.utf8) } == Array(name.utf8) }
                let user = try await client.update(displayName: name, photoURL: nil)
                w.expect(isIt(user) && user.id == session.user.id, "the returned user does not have the new name \(name)")
                w.expect(isIt(client.state.session?.user), "the state does not have the new name \(name)")
                w.expect(isIt(try await client.refreshUser()), "the backend does not have the new name \(name)")
                let again = device.launch()
                await again.restore()
                w.expect(isIt(again.state.session?.user), "after a relaunch the user does not have the new name \(name)")
            }
        },

        Contract(
            "account.update.metadata",
            "A change replaces whole members of the user's metadata, removes members that are `null`, and keeps all others: immediately, "
                + "later, and after a relaunch.",
            appliesTo: .claiming(.userMetadata)
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            let first: JSONObject = [
                "lockstep_theme": "dark", "lockstep_place": ["town": "Paris", "at": [1, 2]], "lockstep_n": 3,
            ]
            let user = try await client.update(metadata: first)
            w.expect(user.id == session.user.id, "the call returned another user")
            w.expect(user.has(first), "the returned metadata is \(String(describing: user.metadata))")
            w.expect(try await client.refreshUser().has(first), "the backend does not have the new metadata")
            _ = try await client.update(metadata: ["lockstep_theme": nil, "lockstep_place": ["country": "France"]])
            let second: JSONObject = ["lockstep_place": ["country": "France"], "lockstep_n": 3]
            w.expect(try await client.refreshUser().has(second), "the change did not replace exactly the given members")
            let again = device.launch()
            await again.restore()
            w.expect(again.state.session?.user.has(second) == true, "after a relaunch the metadata is different")
        },

        Contract(
            "account.password.change",
            "After a change with the right current password, the new password signs in and the old one does not.",
            appliesTo: .claiming([.password, .passwordChange]), buildsOn: entering
        ) { w in
            var person = try await w.member()
            let client = w.client()
            try await w.enter(client, person)
            let old = person.credential
            person.password = w.stranger().password
            try await client.changePassword(to: person.password, current: old.password)
            try await w.enter(w.client(), person)
            await w.refused(.invalidCredentials, of: "the old password") { () async throws(AuthError) in
                try await w.client().signIn(with: old)
            }
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
        },

        Contract(
            "account.sensitive.asks-again",
            "A sensitive call on an old session fails with `reauthenticationRequired` and the available methods, and runs "
                + "once after the sign-in. A password change is such a call, or requires only the current password, as declared.",
            appliesTo: .claiming([.password, .reauthentication]), needs: [.clock, .trace],
            buildsOn: entering + ["account.delete"], declares: Declaration("passwordChangeOnOldSession"),
            unwatched: [
                .sentOnce: "the new sign-in and the call after it may both send the same password",
                .tokenIsTaken: "a deletion runs after the new sign-in, and ends the session of that sign-in",
            ]
        ) { w in
            let person = try await w.member()
            let client = w.client()
            try await w.enter(client, person)
            let call = try await w.sensitiveCall(of: client, person)

            // Both parts together may send only as many requests as the two parts send separately. The session that a sign-in
            // replaces ends behind the call, so each count waits for that.
            let trace = try w.need(w.environment.trace, "the harness does not count requests")
            await client.settle()
            let start = trace.totals.requests
            _ = try await client.reauthenticate(with: person.credential)
            await client.settle()
            let renewal = trace.totals.requests - start
            guard case .changePassword(let new, let current) = call.first else {
                try await w.makeOld(client)
                await w.refused(.reauthenticationRequired, of: "the deletion on an old session") { () async throws(AuthError) in
                    try await client.deleteAccount()
                }
                _ = try await client.reauthenticate(with: person.credential, thenRetry: call.first)
                w.expect(
                    client.state.kind == "signedOut(userDeleted)",
                    "the waiting call did not run: the state is \(client.state.kind)")
                await w.refused(.invalidCredentials, .userNotFound, .userDeleted, of: "a deleted user") {
                    () async throws(AuthError) in
                    try await w.client().signIn(with: person.credential)
                }
                return
            }
            try await client.changePassword(to: new, current: current)
            await client.settle()
            let change = trace.totals.requests - start - renewal

            var changed = person
            changed.password = new
            try await w.makeOld(client)
            await client.settle()
            try await w.expectRequests((renewal + change)...(renewal + change), "signing in again with the call after it") {
                _ = try await client.reauthenticate(with: changed.credential, thenRetry: call.second)
                await client.settle()
            }
            guard case .changePassword(let newest, _) = call.second else { return }
            changed.password = newest
            try await w.enter(w.client(), changed)
        },

        Contract(
            "account.sensitive.factor",
            "If signing in again requires another step, the waiting call runs once when that flow completes. If the flow "
                + "is left, the call is dropped.",
            appliesTo: .claiming([.password, .reauthentication, .emailCodeSignIn, .passwordChange]), needs: [.clock, .mailbox],
            buildsOn: entering + ["account.sensitive.asks-again"]
        ) { w in
            let person = try await w.member()
            let device = w.device()
            let client = device.launch()
            try await w.enter(client, person)
            func bind(_ new: Secret) async throws -> Challenge {
                try await w.makeOld(client)
                let call = SensitiveCall.changePassword(to: new, current: person.password)
                let begun = await result(of: { () async throws(AuthError) in
                    try await client.reauthenticate(with: .emailCode(person.email), thenRetry: call)
                })
                if begun.failure?.code == .unsupported {
                    throw NotApplicable("this backend does not accept a code to sign in again")
                }
                let step = try begun.get()
                return try w.require(step.challenge, "signing in again by a code returned \(step.kind)")
            }
            func mustBe(_ password: Secret, _ why: String) async throws {
                let step = try? await w.client().signIn(with: .password(email: person.email, password: password))
                w.expect(step != nil, why)
            }

            let abandoned = try await bind(w.stranger().password)
            try await client.cancel(abandoned.flow)
            let renewed = try await client.reauthenticate(with: person.credential)
            w.expect(renewed.session != nil, "signing in again returned \(renewed.kind)")
            try await mustBe(person.password, "the waiting call ran although its flow was cancelled")

            let new = w.stranger().password
            let challenge = try await bind(new)
            // Read the code before the next sign-in, because a backend may send another code for that sign-in.
            let code = try await w.code(for: person.email)
            try await mustBe(person.password, "the waiting call ran before its flow was completed")
            await w.refused(.invalidCode, of: "a wrong code") { () async throws(AuthError) in
                try await client.respond(to: challenge.flow, with: .code(code.wrong))
            }
            _ = try await client.respond(to: challenge.flow, with: .code(code))
            try await mustBe(new, "the waiting call did not run when its flow was completed")
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
        },

        Contract(
            "account.reauthenticate.wrong", "A wrong password does not sign the user in again, and the session stays.",
            appliesTo: .claiming([.password, .reauthentication]), buildsOn: entering
        ) { w in
            let person = try await w.member()
            let device = w.device()
            let client = device.launch()
            let session = try await w.enter(client, person)
            await w.refused(.invalidCredentials, of: "a wrong password") { () async throws(AuthError) in
                try await client.reauthenticate(with: .password(email: person.email, password: w.stranger().password))
            }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            w.expect(try await device.hasStoredSession(), "the store no longer contains the session")
            _ = try await client.refreshUser()
        },

        Contract(
            "account.delete",
            "After a deletion, the state is signed out, the store is empty, the backend has no such user, and a sign-in is "
                + "rejected.",
            appliesTo: .claiming([.password, .accountDeletion]), needs: [.administrator],
            buildsOn: entering + ["capability.account-deletion.asked-where-claimed"]
        ) { w in
            let person = try await w.member()
            let device = w.device()
            let client = device.launch()
            let session = try await w.enter(client, person)
            let former = try await w.administrator().users()
            w.expect(
                former.contains { $0.id == session.user.id && $0.email == person.email },
                "the backend does not know the user id of the session")
            try await client.deleteAccount()
            w.expect(client.state.kind == "signedOut(userDeleted)", "the state is \(client.state.kind)")
            w.expect(try await !device.hasStoredSession(), "the store still contains the session")
            let users = try await w.administrator().users()
            w.expect(users.allSatisfy { $0.email != person.email }, "the backend still has an account with the address")
            w.expect(users.allSatisfy { $0.id != session.user.id }, "the backend still has the user")
            await w.refused(.invalidCredentials, .userNotFound, .userDeleted, of: "a deleted user") {
                () async throws(AuthError) in
                try await w.client().signIn(with: person.credential)
            }
        },

        Contract(
            "account.delete.offline", "A deletion without a network fails, and nothing changes.",
            appliesTo: .claiming([.password, .accountDeletion]), needs: [.faults, .administrator],
            buildsOn: entering + ["account.delete"]
        ) { w in
            let person = try await w.member()
            let device = w.device()
            let client = device.launch()
            let session = try await w.enter(client, person)
            try await w.fail(with: .offline)
            await w.refused(.network, .timedOut, of: "a deletion without a network") { () async throws(AuthError) in
                try await client.deleteAccount()
            }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            w.expect(try await device.hasStoredSession(), "the store no longer contains the session")
            try await w.heal()
            let users = try await w.administrator().users()
            w.expect(users.contains { $0.id == session.user.id }, "the backend no longer has the user")
            _ = try await client.refreshUser()
        },
    ]
}

extension User {
    /// Whether the metadata members that contracts have set are exactly `members`.
    func has(_ members: JSONObject) -> Bool {
        JSONObject((metadata ?? [:]).filter { $0.name.hasPrefix("lockstep_") }.map { ($0.name, $0.value) }) == members
    }
}

extension World {
    /// Lets enough time pass that a sensitive call needs a new sign-in.
    func makeOld(_ client: any PortableClient) async throws {
        try await advance(by: .seconds(25 * 3600))
        _ = try await client.session()
    }

    /// Checks a password change on an old session, if it is declared to need the current password but no new sign-in.
    private func changesPasswordOnOldSession() async throws {
        let (client, person) = (self.client(), try await member())
        try await enter(client, person)
        try await makeOld(client)
        var changed = person
        changed.password = stranger().password
        await refused(.invalidCredentials, of: "a wrong current password on an old session") { () async throws(AuthError) in
            try await client.changePassword(to: changed.password, current: stranger().password)
        }
        do throws(AuthError) {
            try await client.changePassword(to: changed.password, current: person.password)
        } catch {
            return found("a password change on an old session failed with \(error)", line: #line)
        }
        try await enter(self.client(), changed)
    }

    /// Returns a call that is rejected on an old session, in two versions with different values.
    ///
    /// The client's session is old afterwards.
    func sensitiveCall(of client: any PortableClient, _ person: Person) async throws -> (
        first: SensitiveCall, second: SensitiveCall
    ) {
        if can(.passwordChange), behavior.passwordChangeOnOldSession == .goesOn { try await changesPasswordOnOldSession() }
        try await makeOld(client)
        let (new, newest) = (stranger().password, stranger().password)
        var refusal: AuthError?
        var calls: (SensitiveCall, SensitiveCall)?
        if can(.accountDeletion) {
            refusal = await refused(.reauthenticationRequired, of: "a deletion on an old session") { () async throws(AuthError) in
                try await client.deleteAccount()
            }
            calls = (.deleteAccount, .deleteAccount)
        }
        if can(.passwordChange), behavior.passwordChangeOnOldSession == .asksAgain {
            do throws(AuthError) {
                try await client.changePassword(to: new, current: person.password)
                found("a password change on an old session succeeded", line: #line)
            } catch  where error.code == .reauthenticationRequired {
                refusal = error
                calls = (
                    .changePassword(to: new, current: person.password), .changePassword(to: newest, current: new)
                )
            } catch {
                found("a password change failed with \(error)", line: #line)
            }
        }
        guard let calls else { throw NotApplicable("this backend has no sensitive calls") }
        let names = refusal?.remedies.contains {
            if case .reauthenticate(let ways) = $0 { ways.contains(.password) } else { false }
        }
        expect(names == true, "the error does not list the ways to sign in again")
        return calls
    }
}
