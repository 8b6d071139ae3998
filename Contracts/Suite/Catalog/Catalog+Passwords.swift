internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about which passwords are accepted and how exactly they are compared.
    static let passwords: [Contract<World>] = [
        Contract(
            "sign-up.password.exact-bytes",
            "Every character of a password matters in a sign-up and a sign-in: spaces, special characters of forms and "
                + "JSON, emoji, combining marks. An address may have a tag.",
            appliesTo: .claiming(.password), needs: [.mailbox], buildsOn: entering + proving
        ) { w in
            let tag = "Cr-9" + w.environment.randomness.text(10)
            let passwords = [
                " \(tag) ", "\(tag)+& %;\"=?#/\\'<>", "\(tag)🔑👩‍👩‍👧é", "\(tag)e\u{301}\u{1100}\u{1161}", "\(tag)\u{a0}ß",
            ]
            for password in passwords {
                var person = w.stranger()
                person.email = person.email.replacing("@", with: "+tag.b_c-d@")
                person.password = Secret(password)
                let client = w.client()
                let session = try await w.prove(client, client.signUp(with: person.credential), of: person)
                w.expect(session.user.email == person.email, "the user's address is different")
                let again = try await w.enter(w.client(), person)
                w.expect(again.user.id == session.user.id, "the password signs in another user")
                let near = [
                    password.replacing(" ", with: ""), password.replacing("+", with: " "),
                    password.replacing("é", with: "e\u{301}"),
                    password.replacing("e\u{301}", with: "é"), password.replacing("%", with: "%25"),
                    password.replacing("ß", with: "ss"),
                    String(password.dropLast()),
                ]
                for other in near where Array(other.utf8) != Array(password.utf8) {
                    await w.refused(.invalidCredentials, of: "a password that is almost the right one") {
                        () async throws(AuthError) in
                        try await w.client().signIn(with: .password(email: person.email, password: other))
                    }
                }
            }
        },

        Contract(
            "sign-up.password.long",
            "A password of 64 characters works. A longer one works completely or is rejected as `tooLong`, and is never "
                + "truncated.",
            appliesTo: .claiming(.password), needs: [.mailbox], buildsOn: entering + proving
        ) { w in
            for length in [64, 72, 73, 128, 300, 5000] {
                var person = w.stranger()
                let stem = person.password.reveal()
                person.password = Secret(stem + String(repeating: "x", count: length - stem.count))
                let client = w.client()
                let step: AuthStep
                do throws(AuthError) {
                    step = try await client.signUp(with: person.credential)
                } catch {
                    w.expect(length > 64, "a password of \(length) characters failed with \(error)")
                    w.expect(error.code == .weakPassword, "a password of \(length) characters failed with \(error)")
                    w.expect(
                        error.reasons == ["tooLong"], "the reasons for a password of \(length) characters are \(error.reasons)")
                    continue
                }
                _ = try await w.prove(client, step, of: person)
                try await w.enter(w.client(), person)
                let cut = String(person.password.reveal().dropLast())
                await w.refused(.invalidCredentials, of: "\(length - 1) of \(length) characters") { () async throws(AuthError) in
                    try await w.client().signIn(with: .password(email: person.email, password: cut))
                }
            }
        },

        Contract(
            "sign-in.password.no-strength-check",
            "A sign-in sends a password that is too short for the current policy, and the backend decides. The client has "
                + "no policy of its own.",
            appliesTo: .claiming(.password), needs: [.trace]
        ) { w in
            let person = try await w.member()
            for password in ["a", "12345", "password"] {
                try await w.expectRequests(1...2, "a sign-in with a short password") {
                    await w.refused(.invalidCredentials, of: "a short password that is wrong") { () async throws(AuthError) in
                        try await w.client().signIn(with: .password(email: person.email, password: password))
                    }
                }
            }
        },

        Contract(
            "error.weak-password-everywhere",
            "A weak password fails with `weakPassword` and its reasons at a sign-up, a reset, a change and an addition to an anonymous user, "
                + "and nothing changes.",
            appliesTo: .claiming(.password), needs: [.mailbox],
            buildsOn: entering + ["sign-up.password.weak-refused", "reset.completes"]
        ) { w in
            var told: [String: [String]] = [:]
            func refuses(_ what: String, by call: () async throws(AuthError) -> Void) async {
                let error = await w.refused(.weakPassword, of: "a weak password at \(what)", by: call)
                told[what] = error?.reasons ?? []
                let reasons = error?.reasons ?? []
                w.expect(
                    reasons.contains("length") && !reasons.contains("tooLong")
                        && AuthError.passwordReasons.isSuperset(of: reasons),
                    "at \(what) the reasons for a short password are \(reasons)")
            }
            await refuses("a sign-up") { () async throws(AuthError) in
                _ = try await w.client().signUp(with: .password(email: w.stranger().email, password: "abc"))
            }
            let person = try await w.member()
            if w.can(.passwordReset) {
                let client = w.client()
                let step = try await client.requestPasswordReset(email: person.email)
                let proven = try await w.proveWhatIsMailed(client, step, of: person)
                if case .newPassword(let entry) = proven {
                    await refuses("a reset") { () async throws(AuthError) in
                        _ = try await client.respond(to: entry.flow, with: .newPassword("abc"))
                    }
                } else {
                    w.found("the code or link returned \(proven.kind)", line: #line)
                }
            }
            if w.can(.passwordChange) {
                let client = w.client()
                try await w.enter(client, person)
                await refuses("a change") { () async throws(AuthError) in
                    try await client.changePassword(to: "abc", current: person.password)
                }
            }
            if w.can(.anonymous) {
                let client = w.client()
                _ = try await client.signIn(with: .anonymous)
                if client.linkMethods.contains(.password) {
                    await refuses("an addition") { () async throws(AuthError) in
                        _ = try await client.link(.password(email: w.stranger().email, password: "abc"))
                    }
                }
            }
            w.expect(Set(told.values).count == 1, "the reasons differ: \(told)")
            try await w.enter(w.client(), person)
        },

        Contract(
            "error.long-password-everywhere",
            "A password that is too long for a sign-up also fails with `weakPassword` and the reason `tooLong` at a reset "
                + "and a change, and nothing changes.",
            appliesTo: .claiming(.password), needs: [.mailbox],
            buildsOn: entering + ["sign-up.password.long", "reset.completes"]
        ) { w in
            let long = Secret("Cr-9" + String(repeating: "x", count: 5000))
            func refuses(_ what: String, by call: () async throws(AuthError) -> Void) async {
                let reasons = await w.refused(.weakPassword, of: "a long password at \(what)", by: call)?.reasons ?? []
                w.expect(reasons == ["tooLong"], "at \(what) the reasons for a long password are \(reasons)")
            }
            let signUp = await result(of: { () async throws(AuthError) in
                try await w.client().signUp(with: .password(email: w.stranger().email, password: long))
            })
            guard signUp.failure != nil else { throw NotApplicable("the backend accepts passwords of 5,000 characters") }
            let person = try await w.member()
            if w.can(.passwordReset) {
                let client = w.client()
                let step = try await client.requestPasswordReset(email: person.email)
                if case .newPassword(let entry) = try await w.proveWhatIsMailed(client, step, of: person) {
                    await refuses("a reset") { () async throws(AuthError) in
                        _ = try await client.respond(to: entry.flow, with: .newPassword(long))
                    }
                }
            }
            if w.can(.passwordChange) {
                let client = w.client()
                try await w.enter(client, person)
                await refuses("a change") { () async throws(AuthError) in
                    try await client.changePassword(to: long, current: person.password)
                }
            }
            try await w.enter(w.client(), person)
        },
    ]
}
