internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about users whom an administrator has disabled, deleted or signed out, for every sign-in method and call.
    static let disabled: [Contract<World>] = [
        Contract(
            "sign-in.disabled.every-way",
            "A disabled user cannot sign in with any method: ID token, page, link, code, SMS, ticket or passkey. A reset that a user had "
                + "begun before does not sign in either.",
            appliesTo: .claimingAny([.idToken, .oauth, .emailLinkSignIn, .emailCodeSignIn, .phoneCode, .ticket, .passkey]),
            needs: [.administrator, .mailbox, .clock],
            buildsOn: [
                "sign-in.id-token.new-and-again", "sign-in.oauth.round-trip", "sign-in.link.completes",
                "sign-in.email-code.completes", "sign-in.phone-code.completes", "sign-in.ticket.single-use",
                "sign-in.passkey.completes", "sign-in.password.disabled",
            ]
        ) { w in
            for way in Capability.all where w.can(way) {
                guard let attempt = try await w.attempt(by: way) else { continue }
                try await w.administrator().disable(attempt.userID)
                let client = w.client()
                let outcome = await result(of: { () async throws(AuthError) in try await attempt.enter(client) })
                switch outcome {
                case .success(let step): w.expect(step.session == nil, "a disabled user was signed in by \(way)")
                case .failure(let error):
                    w.expect(error.code == .userDisabled, "a disabled user's sign-in by \(way) failed with \(error)")
                }
                await w.expectSignedOut(client, "after a disabled user has tried \(way)")
            }
            // Whether Clerk completes such a reset has not been seen.
            for kind in w.journeys(among: [.reset]) where w.behavior.sessionOfDisabledUser == .userDisabled {
                var journey = try await w.begin(kind)
                for _ in 0..<3 {
                    guard case .verify = journey.step else { break }
                    try await journey.answer()
                }
                try await w.administrator().disable(try w.require(journey.userID, "the user's id is unknown"))
                // How the backend rejects it depends on the step that it has reached.
                _ = try? await journey.finish()
                w.expect(journey.step.session == nil, "a user who was disabled during a reset was signed in")
                await w.expectSignedOut(journey.client, "after a reset of a disabled user")
            }
        },

        Contract(
            "session.end.at-reload",
            "A reload of the user reports the end of the session in the same way as a refresh. A user who was deleted, "
                + "disabled or signed out elsewhere is signed out immediately or at the next refresh, with the declared reason, "
                + "and a deleted user is not returned.",
            needs: [.clock, .administrator],
            buildsOn: ["session.end.deleted", "session.end.disabled", "session.end.revoked", "session.user.refresh"]
        ) { w in
            let occasions:
                [(String, ProviderBehavior.NextRefresh, @Sendable (any BackendAdministrator, String) async throws -> Void)] =
                    [
                        ("deleted", w.behavior.sessionOfDeletedUser, { try await $0.delete($1) }),
                        ("disabled", w.behavior.sessionOfDisabledUser, { try await $0.disable($1) }),
                        ("signed out", w.behavior.endedSession, { try await $0.endSessions(of: $1) }),
                    ]
            for (what, declared, act) in occasions {
                let device = w.device()
                let (client, session) = try await w.signedIn(on: device)
                // Backends compare times in whole seconds.
                try await w.advance(by: .seconds(2))
                try await act(try w.administrator(), session.user.id)
                let read = await result(of: { () async throws(AuthError) in try await client.refreshUser() })
                // A disabled user's token may work until it expires. A deleted user has no data to read.
                if what == "deleted" { w.expect(!read.isSuccess, "reading a user who is \(what) succeeded") }
                guard client.state.session == nil else {
                    try await w.outliveToken(of: session)
                    try await w.expectNextRefresh(of: client, on: device, session, declared)
                    continue
                }
                let reason = declared.reason?.rawValue ?? "none"
                // A reload of the user may report a more exact reason than a refresh.
                let truth = what == "deleted" ? "userDeleted" : what == "disabled" ? "userDisabled" : reason
                w.expect(!read.isSuccess, "reading a user who is \(what) succeeded, although the client signed out")
                w.expect(
                    ["signedOut(\(reason))", "signedOut(\(truth))"].contains(client.state.kind),
                    "reading a user who is \(what) left the state \(client.state.kind), declared is \(reason)")
                w.expect(try await !device.hasStoredSession(), "the store still contains a user who is \(what)")
            }
        },
    ]
}

/// A user of the backend, and a complete sign-in of that user with one method.
struct SignInAttempt: Sendable {
    let userID: String
    let enter: @Sendable (any PortableClient) async throws(AuthError) -> AuthStep
}

extension World {
    /// Creates a user who can sign in with this method.
    ///
    /// Returns `nil` if the capability is not a sign-in method, or if a control is missing.
    func attempt(by way: Capability, line: Int = #line) async throws -> SignInAttempt? {
        switch way {
        case .idToken:
            guard let issuer = environment.issuer else { return nil }
            let subject = subject()
            let session = try require(
                try await client().signIn(with: try await idToken(issuer, for: subject)).session, "no user was created",
                line: line)
            let next = try await idToken(issuer, for: subject)
            return SignInAttempt(userID: session.user.id) { client throws(AuthError) in try await client.signIn(with: next) }
        case .oauth:
            guard let page = environment.identityPage else { return nil }
            let (subject, maker) = (subject(), client())
            let made = await maker.handle(try await consent(to: try await self.page(maker, line: line), as: subject, line: line))
            let user = try require(made.session?.user.id, "no user was created", line: line)
            return SignInAttempt(userID: user) { client throws(AuthError) in
                guard case .redirect(let redirect) = try await client.signIn(with: .oauth(page.provider)) else {
                    throw .cancelled
                }
                return try await client.step(try? await page.approve(redirect.url, as: subject))
            }
        case .emailLinkSignIn, .emailCodeSignIn:
            let person = try await member()
            return SignInAttempt(userID: try await userID(of: person, line: line)) { [self] client throws(AuthError) in
                let step =
                    way == .emailCodeSignIn
                    ? try await client.signIn(with: .emailCode(person.email))
                    : try await client.signIn(with: .emailLink(person.email))
                // If the backend hides that the user cannot sign in, it sends no message.
                guard let challenge = step.challenge, let message = try? await messages(to: person.email).last else {
                    return step
                }
                if way == .emailCodeSignIn, let code = message.code {
                    return try await client.respond(to: challenge.flow, with: .code(Secret(code)))
                }
                return try await client.step(try? await url(of: message, line: line))
            }
        case .phoneCode:
            let phone = number()
            let userID = try await administrator().create(phone: phone)
            return SignInAttempt(userID: userID) { [self] client throws(AuthError) in
                let step = try await client.signIn(with: .phoneCode(phone))
                guard let challenge = step.challenge, let code = try? await messages(to: phone).last?.code else { return step }
                return try await client.respond(to: challenge.flow, with: .code(Secret(code)))
            }
        case .ticket:
            guard can(.password) else { return nil }
            let userID = try await userID(of: try await member(), line: line)
            let ticket = try await administrator().ticket(for: userID)
            return SignInAttempt(userID: userID) { client throws(AuthError) in try await client.signIn(with: .ticket(ticket)) }
        case .passkey:
            guard can(.password), let sheet = environment.passkeys else { return nil }
            let (person, adder) = (try await member(), client())
            let userID = try await userID(of: person, line: line)
            try await enter(adder, person, line: line)
            let adding = try require((try await adder.link(.passkey)).challenge, "the harness cannot add a passkey", line: line)
            _ = try await adder.respond(
                to: adding.flow, with: .passkey(try await sheet.create(adding.passkeyOptions ?? .null, of: userID)))
            return SignInAttempt(userID: userID) { client throws(AuthError) in
                let step = try await client.signIn(with: .passkey)
                guard let challenge = step.challenge,
                    let signed = try? await sheet.sign(challenge.passkeyOptions ?? .null, as: userID)
                else { return step }
                return try await client.respond(to: challenge.flow, with: .passkey(signed))
            }
        default: return nil
        }
    }
}

extension PortableClient {
    /// Handles a URL that opens the app, and returns the next step.
    ///
    /// Throws `cancelled` if `url` is `nil`.
    fileprivate func step(_ url: String?) async throws(AuthError) -> AuthStep {
        guard let url else { throw .cancelled }
        switch await handle(url) {
        case .step(let step): return step
        case .refused(let error): throw error
        case .notOurs: throw .cancelled
        }
    }
}
