internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the safety of an account: wrong passwords, other users, cancelled calls, failed deletions.
    public static let accountSafety: [Contract<World>] = [
        Contract(
            "account.update.photo",
            "The user has the new photo address immediately, after a reload, after a token refresh, and after a relaunch.",
            appliesTo: .claiming(.photo), needs: [.clock]
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            let photo = "https://example.com/\(w.environment.randomness.text(6)).png"
            let user = try await client.update(displayName: nil, photoURL: photo)
            w.expect(user.photoURL == photo && user.id == session.user.id, "the returned user does not have the new photo")
            w.expect(user.displayName == session.user.displayName, "the name is different")
            w.expect(try await client.refreshUser().photoURL == photo, "the backend does not have the new photo")
            // The change may have returned a new token.
            let changed = try await client.session()
            try await w.outliveToken(of: changed)
            let renewed = try await client.session()
            w.expect(renewed.accessToken != changed.accessToken, "the token was not renewed")
            w.expect(renewed.user.photoURL == photo, "with the new token the user has no photo")
            let again = device.launch()
            await again.restore()
            w.expect(again.state.session?.user.photoURL == photo, "after a relaunch the user has no photo")
        },

        Contract(
            "account.password.wrong-current",
            "A wrong current password fails with `invalidCredentials` and a different sentence than at a sign-in. The "
                + "session and the password stay the same.",
            appliesTo: .claiming([.password, .passwordChange]), buildsOn: entering
        ) { w in
            let person = try await w.member()
            let client = w.client()
            let session = try await w.enter(client, person)
            let (new, wrong) = (w.stranger().password, w.stranger().password)
            let error = await w.refused(.invalidCredentials, of: "a change with a wrong current password") {
                () async throws(AuthError) in
                try await client.changePassword(to: new, current: wrong)
            }
            let usual = await w.refused(.invalidCredentials, of: "a wrong password") { () async throws(AuthError) in
                try await w.client().signIn(with: .password(email: person.email, password: wrong))
            }
            w.expect(error?.message != usual?.message, "the message for a wrong current password is the same as at a sign-in")
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            _ = try await client.refreshUser()
            try await w.enter(w.client(), person)
            await w.refused(.invalidCredentials, of: "the password that was not set") { () async throws(AuthError) in
                try await w.client().signIn(with: .password(email: person.email, password: new))
            }
        },

        Contract(
            "account.password.others",
            "After a password change, the user's other sessions end or continue, as declared: new ones and ones that were renewed before. "
                + "This session continues.",
            appliesTo: .claiming([.password, .passwordChange]), needs: [.clock],
            buildsOn: entering + [
                "account.password.change", "session.restore.expired-is-not-signed-out", "session.end.credential-changed",
            ],
            declares: Declaration("sessionsAfterPasswordChange")
        ) { w in
            let person = try await w.member()
            let old = try await w.renewedSession(of: person)
            let there = w.device()
            let (near, far) = (w.client(), there.launch())
            try await w.enter(near, person)
            let other = try await w.enter(far, person)
            // Backends compare times in whole seconds.
            try await w.advance(by: .seconds(2))
            try await near.changePassword(to: w.stranger().password, current: person.password)
            try await w.outliveToken(of: other)
            w.expect(try await !near.accessToken().isEmpty, "the session of this device did not continue")
            w.expect(near.state.session?.user.id == other.user.id, "on this device the state is \(near.state.kind)")
            try await w.expectNextRefresh(of: far, on: there, other, w.behavior.sessionsAfterPasswordChange)
            try await w.expectNextRefresh(of: old.client, on: old.device, old.session, w.behavior.sessionsAfterPasswordChange)
        },

        Contract(
            "account.reauthenticate.other-user",
            "The right password of another user does not sign the user in again, and the waiting call does not run.",
            appliesTo: .claiming([.password, .reauthentication]),
            buildsOn: entering + ["account.reauthenticate.wrong"]
        ) { w in
            let (person, other) = (try await w.member(), try await w.member())
            let device = w.device()
            let client = device.launch()
            let session = try await w.enter(client, person)
            let call: SensitiveCall? =
                w.can(.passwordChange) ? .changePassword(to: w.stranger().password, current: person.password) : nil
            await w.refused(.userMismatch, .invalidCredentials, of: "another user's password") { () async throws(AuthError) in
                try await client.reauthenticate(with: other.credential, thenRetry: call)
            }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            w.expect(try await client.refreshUser().id == session.user.id, "the session belongs to another user")
            let stored = await device.launch().restore().session
            w.expect(stored?.user.id == session.user.id, "the store contains another user")
            for one in [person, other] { try await w.enter(w.client(), one) }
        },

        Contract(
            "account.reauthenticate.cancelled",
            "A call that waits for a new sign-in is not made if that sign-in fails, or if the user chooses \"forgot "
                + "password\". Nothing changes.",
            appliesTo: .claiming([.password, .reauthentication, .passwordChange, .passwordReset]), needs: [.clock],
            buildsOn: entering + ["account.reauthenticate.wrong", "account.sensitive.asks-again"]
        ) { w in
            let person = try await w.member()
            let client = w.client()
            let session = try await w.enter(client, person)
            try await w.makeOld(client)
            let call = SensitiveCall.changePassword(to: w.stranger().password, current: person.password)
            await w.refused(.invalidCredentials, of: "a wrong password") { () async throws(AuthError) in
                try await client.reauthenticate(
                    with: .password(email: person.email, password: w.stranger().password), thenRetry: call)
            }
            let step = try await client.requestPasswordReset(email: person.email)
            if let flow = step.flow { try await client.cancel(flow) }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            try await w.enter(w.client(), person)
            let renewed = try await client.reauthenticate(with: person.credential)
            w.expect(renewed.session?.user.id == session.user.id, "signing in again returned \(renewed.kind)")
            try await w.enter(w.client(), person)
        },

        Contract(
            "account.delete.fault",
            "If the response to a deletion is a portal's page, a 5xx status or a proxy's error, nothing changes, and a later "
                + "deletion succeeds.",
            appliesTo: .claiming([.password, .accountDeletion]), needs: [.faults, .administrator],
            buildsOn: entering + ["account.delete", "account.delete.offline"],
            unwatched: [.sentOnce: "if the app's own function rejects a deletion with 401, it is sent again with a new token"]
        ) { w in
            let person = try await w.member()
            let device = w.device()
            let client = device.launch()
            let session = try await w.enter(client, person)
            let faults: [Fault] =
                [.garbage(.captivePortal), .garbage(.empty), .garbage(.foreignObject), .status(503, retryAfter: nil), .closed]
                + [401, 403, 404, 451].flatMap { status in ProxyForm.allCases.map { .proxyRefusal(status, $0) } }
            for fault in faults {
                try await w.fail(.delete, with: fault)
                let outcome = await result(of: { () async throws(AuthError) in try await client.deleteAccount() })
                w.expect(!outcome.isSuccess, "\(fault) was treated as a completed deletion")
                w.expect(client.state.session?.user.id == session.user.id, "\(fault): the state is \(client.state.kind)")
                w.expect(try await device.hasStoredSession(), "\(fault): the store no longer contains the session")
                try await w.heal()
                guard client.state.session != nil else { return }
            }
            let users = try await w.administrator().users()
            w.expect(users.contains { $0.id == session.user.id }, "the backend no longer has the user")
            try await client.deleteAccount()
            w.expect(client.state.kind == "signedOut(userDeleted)", "after a deletion the state is \(client.state.kind)")
        },

        Contract(
            "account.update.fault",
            "If the response to a change of the name or the password is a portal's page, another server's JSON or empty, "
                + "the user stays unchanged.",
            appliesTo: .claiming([.password, .displayName, .passwordChange]), needs: [.faults],
            buildsOn: entering + ["account.update.display-name", "account.password.change"]
        ) { w in
            let person = try await w.member()
            let client = w.client()
            let session = try await w.enter(client, person)
            for garbage in [Garbage.captivePortal, .empty, .foreignObject] {
                try await w.fail(.any, with: .garbage(garbage))
                await w.refused(.invalidResponse, of: "a new name, response \(garbage)") { () async throws(AuthError) in
                    try await client.update(displayName: "Mallory", photoURL: nil)
                }
                await w.refused(.invalidResponse, of: "a new password, response \(garbage)") { () async throws(AuthError) in
                    try await client.changePassword(to: w.stranger().password, current: person.password)
                }
                w.expect(client.state.session?.user == session.user, "after \(garbage) the user is different")
                try await w.heal()
            }
            try await w.enter(w.client(), person)
        },

        Contract(
            "account.delete.answer-lost",
            "If the backend has deleted the account but its response was lost, the next contact signs the user out with a "
                + "reason, without a loop.",
            appliesTo: .claiming([.password, .accountDeletion]), needs: [.clock, .faults, .administrator, .trace],
            buildsOn: entering + ["account.delete", "session.end.deleted", "account.delete.offline", "session.user.refresh"]
        ) { w in
            let person = try await w.member()
            let device = w.device()
            let client = device.launch()
            let session = try await w.enter(client, person)
            try await w.fail(.delete, with: .answerLost, times: 1)
            await w.refused(.network, .timedOut, of: "a deletion with a lost response") { () async throws(AuthError) in
                try await client.deleteAccount()
            }
            let users = try await w.administrator().users()
            w.expect(users.allSatisfy { $0.id != session.user.id }, "the backend still has the user")
            try await w.outliveToken(of: session)
            try await w.expectRequests(1...4, "the next contact") {
                let next = await result(of: { () async throws(AuthError) in try await client.refreshUser() })
                w.expect(!next.isSuccess, "reading the deleted user succeeded")
            }
            let reasons = [SignOutReason.userDeleted, w.behavior.sessionOfDeletedUser.reason].compactMap { $0?.rawValue }
            w.expect(reasons.contains { client.state.kind == "signedOut(\($0))" }, "the state is \(client.state.kind)")
            w.expect(try await !device.hasStoredSession(), "the store still contains the session")
            try await w.expectRequests(0...0, "the following contact") {
                for _ in 0..<3 { _ = await result(of: { () async throws(AuthError) in try await client.accessToken() }) }
            }
        },
    ]
}
