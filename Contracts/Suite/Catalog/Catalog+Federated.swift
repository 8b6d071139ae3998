internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about sign-in with an identity provider's ID token.
    public static let federated: [Contract<World>] = [
        Contract(
            "sign-in.id-token.new-and-again", "An ID token creates a user, and the same subject later signs in the same user.",
            appliesTo: .claiming(.idToken), needs: [.issuer]
        ) { w in
            let issuer = try w.issuer()
            let (id, address) = (w.environment.randomness.text(12), w.stranger().email)
            let first = try await w.client().signIn(
                with: try await w.idToken(issuer, for: IdentitySubject(id: id, email: address)))
            let user = try w.require(first.session?.user, "the first sign-in returned \(first.kind)")
            w.expect(user.email == address && user.isEmailVerified, "the user does not have the verified address of the token")
            // The same subject with another address is the same user. Another subject is another user.
            let moved = IdentitySubject(id: id, email: w.stranger().email)
            let second = try await w.client().signIn(with: try await w.idToken(issuer, for: moved))
            w.expect(second.session?.user.id == user.id, "the same subject signed in another user")
            let third = try await w.client().signIn(with: try await w.idToken(issuer, for: IdentitySubject(id: id + "x")))
            w.expect(third.session != nil && third.session?.user.id != user.id, "another subject signed in the same user")
        },

        Contract(
            "sign-in.id-token.bad-signature", "A token with a signature of another key is rejected.",
            appliesTo: .claiming(.idToken),
            needs: [.issuer]
        ) { w in
            let client = w.client()
            let subject = IdentitySubject(id: w.environment.randomness.text(12), email: w.stranger().email)
            let credential = try await w.idToken(try w.issuer(), for: subject, flaw: .foreignKey)
            await w.refused(.invalidIDToken, of: "a token signed by another key") { () async throws(AuthError) in
                try await client.signIn(with: credential)
            }
            w.expect(client.state.session == nil, "the state is \(client.state.kind)")
        },

        Contract(
            "sign-in.id-token.nonce", "A missing or different nonce is rejected, as declared.", appliesTo: .claiming(.idToken),
            needs: [.issuer], buildsOn: ["sign-in.id-token.new-and-again", "sign-in.id-token.bad-signature"],
            declares: Declaration("nonce")
        ) { w in
            let issuer = try w.issuer()
            let (right, other) = (
                IDTokenNonce(randomness: w.environment.randomness), IDTokenNonce(randomness: w.environment.randomness)
            )
            let subject = IdentitySubject(id: w.environment.randomness.text(12), nonce: right.hashed)
            func trial(_ nonce: Secret?) async throws -> IDTokenCredential {
                IDTokenCredential(
                    provider: issuer.provider, token: try await issuer.idToken(for: subject, flaw: nil), nonce: nonce)
            }
            _ = try await w.client().signIn(with: try await trial(right.raw))
            let (wrong, missing) = (try await trial(other.raw), try await trial(nil))
            for (what, credential) in [("a different nonce", wrong), ("no nonce", missing)] {
                if w.behavior.nonce == .ignored {
                    _ = try await w.client().signIn(with: credential)
                } else {
                    await w.refused(.invalidIDToken, of: "\(what) with a token that has a nonce") { () async throws(AuthError) in
                        try await w.client().signIn(with: credential)
                    }
                }
            }
            let bare = IDTokenCredential(
                provider: issuer.provider,
                token: try await issuer.idToken(for: IdentitySubject(id: w.environment.randomness.text(12)), flaw: nil))
            if w.behavior.nonce == .required {
                await w.refused(.invalidIDToken, of: "a token without a nonce") { () async throws(AuthError) in
                    try await w.client().signIn(with: bare)
                }
            } else {
                _ = try await w.client().signIn(with: bare)
            }
        },

        Contract(
            "sign-in.id-token.first-name-kept",
            "A name that is sent together with the token (only once) is on the user after the first sign-in.",
            appliesTo: .claiming(.idToken),
            needs: [.issuer], buildsOn: ["sign-in.id-token.new-and-again"]
        ) { w in
            let issuer = try w.issuer()
            let subject = IdentitySubject(id: w.environment.randomness.text(12), email: w.stranger().email)
            let client = w.client()
            let step = try await client.signIn(with: try await w.idToken(issuer, for: subject, name: "Grace Hopper"))
            w.expect(step.session?.user.displayName == "Grace Hopper", "the session's user does not have the name")
            w.expect(try await client.refreshUser().displayName == "Grace Hopper", "the backend does not have the name")
            let again = try await w.client().signIn(with: try await w.idToken(issuer, for: subject))
            w.expect(again.session?.user.displayName == "Grace Hopper", "at the next sign-in the user does not have the name")
            let third = try await w.client().signIn(with: try await w.idToken(issuer, for: subject, name: "Another Name"))
            w.expect(third.session?.user.displayName == "Grace Hopper", "a later name replaced the user's own name")
        },

        Contract(
            "sign-in.federated-is-signed-in", "A user of an identity provider is `signedIn` even without a verified address.",
            appliesTo: .claiming(.idToken), needs: [.issuer], buildsOn: ["sign-in.id-token.new-and-again"]
        ) { w in
            let device = w.device()
            let client = device.launch()
            let subject = IdentitySubject(id: w.environment.randomness.text(12))
            _ = try await client.signIn(with: try await w.idToken(try w.issuer(), for: subject))
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
            _ = try await client.session(requiring: .verified)
            let again = device.launch()
            await again.restore()
            w.expect(again.state.kind == "signedIn", "after a relaunch the state is \(again.state.kind)")
        },

        Contract(
            "sign-in.redirect.page-of-the-web",
            "A redirect opens an https page, or an http page on this machine. If the backend returns another address, the "
                + "call fails with `invalidResponse`, and no flow is pending.",
            appliesTo: .claiming(.oauth), needs: [.identityPage, .faults]
        ) { w in
            let credential = OAuthCredential(provider: try w.identityPage().provider)
            w.expectPage(of: try await w.client().signIn(with: credential), "a sign-in")
            let member = w.can(.linking) && w.can(.password) ? w.client() : nil
            if let member { _ = try await w.enter(member, w.member()) }
            for address in World.addressesOfNoPage {
                try await w.fail(with: .otherAddress(address))
                let client = w.client()
                await w.expectPage(of: client, "a sign-in if the backend returns \(address)") { () async throws(AuthError) in
                    try await client.signIn(with: credential)
                }
                if let member {
                    await w.expectPage(of: member, "linking if the backend returns \(address)", orRefusal: .unsupported) {
                        () async throws(AuthError) in try await member.link(credential)
                    }
                }
                try await w.heal()
            }
        },
    ]
}

extension World {
    /// URLs that must not be opened: a browser would run them as code, read a local file, open an app, or use plain HTTP.
    fileprivate static let addressesOfNoPage = [
        "javascript:alert(document.cookie)", "file:///etc/passwd", "data:text/html,<script>alert(1)</script>",
        "otherapp://open", "http://accounts.example.com/authorize",
    ]

    /// Checks that a step redirects to a page that may be opened.
    fileprivate func expectPage(of step: AuthStep, _ what: String, line: Int = #line) {
        guard case .redirect(let redirect) = step else { return found("\(what) returned \(step.kind)", line: line) }
        let isOfTheWeb = ["https://", "http://127.0.0.1:", "http://localhost:", "http://[::1]:"].contains { start in
            redirect.url.hasPrefix(start)
        }
        expect(isOfTheWeb, "\(what) opens \(redirect.url)", line: line)
    }

    /// Checks that a call returns a page that may be opened, or is rejected and leaves no pending flow.
    ///
    /// A client that builds the page's URL without the backend returns a good page.
    fileprivate func expectPage(
        of client: any PortableClient, _ what: String, orRefusal further: AuthError.Code = .invalidResponse, line: Int = #line,
        by call: () async throws(AuthError) -> AuthStep
    ) async {
        do throws(AuthError) {
            expectPage(of: try await call(), what, line: line)
        } catch {
            expect([.invalidResponse, further].contains(error.code), "\(what) failed with \(error)", line: line)
            expect(client.pending == nil, "\(what) left a pending flow", line: line)
        }
    }
}
