internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about secrets that must never be visible.
    public static let privacy: [Contract<World>] = [
        Contract(
            "privacy.canary",
            "No password, token, code or key appears in events, errors, dumps and transcripts, and no address or user id "
                + "in events.",
            appliesTo: .claiming(.password), needs: [.clock], buildsOn: entering
        ) { w in
            let person = try await w.member()
            let client = w.client()
            let session = try await w.enter(client, person)
            let wrong = w.stranger().password
            var shown: [(String, String)] = []
            func show(_ what: String, _ value: Any) { shown += visibleForms(of: value).map { (what, $0) } }
            do throws(AuthError) {
                _ = try await w.client().signIn(with: .password(email: person.email, password: wrong))
            } catch { show("an error", error) }
            try await w.outliveToken(of: session)
            let renewed = try await client.session()
            do throws(AuthError) {
                _ = try await w.client().signIn(with: .idToken(.apple, token: "canary-id-token", nonce: "canary-nonce"))
            } catch { show("an error", error) }
            if w.can(.confirmationCode), w.behavior.signUpProof == .required {
                let newcomer = w.client()
                let step = try await newcomer.signUp(with: w.stranger().credential)
                if let challenge = step.challenge, challenge.accepts.contains(.code) {
                    do throws(AuthError) {
                        _ = try await newcomer.respond(to: challenge.flow, with: .code("canary-code-9"))
                    } catch { show("an error", error) }
                }
            }
            show("the session", renewed)
            show("the state", client.state)
            show("a credential", person.credential)
            show("an answer", ChallengeResponse.newPassword(wrong))
            let tokens = try await w.loseSession(of: client, renewed, person, show)
            let events = w.events.all.map { "\($0)\n\($0.jsonLine)\n\($0.fields)" }.joined(separator: "\n")
            shown.append(("an event", events))
            if let transcript = w.environment.trace?.transcript { shown.append(("the transcript", transcript)) }

            let secrets: [(name: String, secret: Secret)] =
                [
                    ("a password", person.password), ("a password", wrong), ("an access token", session.accessToken),
                    ("a refresh token", session.refreshToken), ("an access token", renewed.accessToken),
                    ("a refresh token", renewed.refreshToken), ("an ID token", "canary-id-token"), ("a nonce", "canary-nonce"),
                    ("a code", "canary-code-9"),
                ] + tokens.map { (name: "a token", secret: $0) }
            let search = SecretSearch(secrets)
            for (what, text) in shown {
                for (name, form) in search.found(in: Array(text.utf8)).sorted(by: { $0.key < $1.key }) {
                    let place = SecretLeak(of: String(decoding: form, as: UTF8.self), in: text)
                    w.found("\(what) shows \(name)\(place?.words ?? "")", line: #line)
                }
            }
            w.expect(!events.contains(person.email), "an event shows the address")
            w.expect(!events.contains(session.user.id), "an event shows the user's id")
            if let id = session.id { w.expect(!events.contains(id), "an event shows the session's id") }
            for event in w.events.all {
                let unknown = event.fields.keys.filter { !event.name.fields.contains(AuthEvent.Field(rawValue: $0)) }
                w.expect(unknown.isEmpty, "\(event.name.rawValue) has undocumented fields: \(unknown)")
            }
        },
        quotations,
        ownSentences,

        Contract(
            "privacy.password-not-stored",
            "No password is ever stored in any encoding, during a pending flow or after it.",
            appliesTo: .claiming(.password), needs: [.mailbox], buildsOn: proving + ["sign-in.password.completes"]
        ) { w in
            var passwords: [Secret] = []
            let device = w.device()
            func look(_ when: String) async throws {
                let search = SecretSearch(passwords.map { ("a password", $0) })
                for (key, bytes) in try await device.contents() {
                    w.expect(search.found(in: bytes).isEmpty, "\(when) the slot \(key.slot.rawValue) contains a password")
                }
            }
            let person = w.stranger()
            passwords.append(person.password)
            let client = device.launch()
            let step = try await client.signUp(with: person.credential, displayName: person.name)
            try await look("after a sign-up")
            _ = try await w.prove(client, step, of: person)
            try await look("after the verification")
            let new = w.stranger().password
            passwords.append(new)
            if w.can(.passwordChange) {
                do throws(AuthError) { _ = try await client.beginPasswordChange(to: new) } catch {}
                try await look("after the start of a change")
            }
            let member = try await w.member()
            passwords.append(member.password)
            _ = try await client.signIn(with: member.credential)
            try await look("after a sign-in")
            if w.can(.passwordReset) {
                let reset = try await client.requestPasswordReset(email: member.email)
                try await look("after a reset request")
                if let challenge = reset.challenge, !challenge.accepts.isEmpty {
                    let proven = try await w.give(client, challenge, to: member.email)
                    if let flow = proven.flow {
                        do throws(AuthError) { _ = try await client.respond(to: flow, with: .newPassword(new)) } catch {}
                    }
                    try await look("after a reset")
                }
            }
        },
    ]
}

extension World {
    /// Takes a session through everything that events report: failed refreshes, an end by an administrator, and a sign-out.
    ///
    /// - Returns: The tokens that the client received.
    fileprivate func loseSession(
        of client: any PortableClient, _ session: Session, _ person: Person, _ show: (String, Any) -> Void
    ) async throws -> [Secret] {
        var session = session
        var tokens: [Secret] = []
        /// Lets the token expire, and requests the session.
        func renew() async throws {
            try await outliveToken(of: session)
            do throws(AuthError) {
                session = try await client.session()
                tokens += [session.accessToken, session.refreshToken]
            } catch { show("an error", error) }
        }
        if environment.faults != nil {
            for fault in [Fault.offline, .garbage(.truncatedJSON), .status(503, retryAfter: nil)] {
                try await fail(with: fault)
                try await renew()
                try await heal()
                try await advance(by: .seconds(600))
            }
            try await renew()
        }
        if let administrator = environment.administrator {
            // On some backends the administrator cannot end sessions.
            do { try await administrator.endSessions(of: session.user.id) } catch is EnvironmentError {}
            try await renew()
        }
        if client.state.session == nil {
            session = try await enter(client, person)
            tokens += [session.accessToken, session.refreshToken]
        }
        do throws(AuthError) {
            try await client.signOut()
        } catch { show("an error", error) }
        return tokens
    }
}
