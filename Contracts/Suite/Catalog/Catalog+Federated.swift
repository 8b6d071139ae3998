internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Sign-in by the ID token of an identity provider.
    public static let federated: [Contract] = [
        /// Cases: D09.
        Contract(
            "sign-in.id-token.new-and-again", "An ID token makes a user, and the same subject comes back as the same user.",
            owedBy: .claiming(.idToken), needs: [.issuer]
        ) { w in
            let issuer = try w.issuer()
            let (id, address) = (w.stage.randomness.text(12), w.stranger().email)
            let first = try await w.client().signIn(
                with: try await w.idToken(issuer, for: IdentitySubject(id: id, email: address)))
            let user = try w.require(first.session?.user, "the first sign-in leads to \(first.kind)")
            // The same person with another address is the same person; another person is not.
            let moved = IdentitySubject(id: id, email: w.stranger().email)
            let second = try await w.client().signIn(with: try await w.idToken(issuer, for: moved))
            w.expect(second.session?.user.id == user.id, "the same subject is another user")
            let third = try await w.client().signIn(with: try await w.idToken(issuer, for: IdentitySubject(id: id + "x")))
            w.expect(third.session != nil && third.session?.user.id != user.id, "another subject is the same user")
        },

        Contract(
            "sign-in.id-token.bad-signature", "A token signed by another key is refused.", owedBy: .claiming(.idToken),
            needs: [.issuer]
        ) { w in
            let client = w.client()
            let subject = IdentitySubject(id: w.stage.randomness.text(12), email: w.stranger().email)
            let credential = try await w.idToken(try w.issuer(), for: subject, flaw: .foreignKey)
            await w.refused(.invalidIDToken, of: "a token signed by another key") { () async throws(AuthError) in
                try await client.signIn(with: credential)
            }
            w.expect(client.state.session == nil, "the state is \(client.state.kind)")
        },

        /// Cases: C09.
        Contract(
            "sign-in.id-token.nonce", "A missing or other nonce is refused, as declared.", owedBy: .claiming(.idToken),
            needs: [.issuer], buildsOn: ["sign-in.id-token.new-and-again", "sign-in.id-token.bad-signature"],
            declares: Declaration("nonce")
        ) { w in
            let issuer = try w.issuer()
            let (right, other) = (IDTokenNonce(randomness: w.stage.randomness), IDTokenNonce(randomness: w.stage.randomness))
            let subject = IdentitySubject(id: w.stage.randomness.text(12), nonce: right.hashed)
            func trial(_ nonce: Secret?) async throws -> IDTokenCredential {
                IDTokenCredential(
                    provider: issuer.provider, token: try await issuer.idToken(for: subject, flaw: nil), nonce: nonce)
            }
            _ = try await w.client().signIn(with: try await trial(right.raw))
            let (wrong, missing) = (try await trial(other.raw), try await trial(nil))
            for (what, credential) in [("another nonce", wrong), ("no nonce", missing)] {
                if w.conduct.nonce == .ignored {
                    _ = try await w.client().signIn(with: credential)
                } else {
                    await w.refused(.invalidIDToken, of: "\(what) beside a token that has one") { () async throws(AuthError) in
                        try await w.client().signIn(with: credential)
                    }
                }
            }
            let bare = IDTokenCredential(
                provider: issuer.provider,
                token: try await issuer.idToken(for: IdentitySubject(id: w.stage.randomness.text(12)), flaw: nil))
            if w.conduct.nonce == .required {
                await w.refused(.invalidIDToken, of: "a token without a nonce") { () async throws(AuthError) in
                    try await w.client().signIn(with: bare)
                }
            } else {
                _ = try await w.client().signIn(with: bare)
            }
        },

        Contract(
            "sign-in.id-token.first-name-kept",
            "A name that comes beside the token (told once) is on the user after the first sign-in.", owedBy: .claiming(.idToken),
            needs: [.issuer], buildsOn: ["sign-in.id-token.new-and-again"]
        ) { w in
            let issuer = try w.issuer()
            let subject = IdentitySubject(id: w.stage.randomness.text(12), email: w.stranger().email)
            let client = w.client()
            let step = try await client.signIn(with: try await w.idToken(issuer, for: subject, name: "Grace Hopper"))
            w.expect(step.session?.user.displayName == "Grace Hopper", "the session's user has not got the name")
            w.expect(try await client.refreshUser().displayName == "Grace Hopper", "the backend has not got the name")
            let again = try await w.client().signIn(with: try await w.idToken(issuer, for: subject))
            w.expect(again.session?.user.displayName == "Grace Hopper", "the name is gone at the next sign-in")
        },

        Contract(
            "sign-in.federated-is-signed-in", "A user of an identity provider is `signedIn` though no address is proven.",
            owedBy: .claiming(.idToken), needs: [.issuer], buildsOn: ["sign-in.id-token.new-and-again"]
        ) { w in
            let device = w.device()
            let client = device.launch()
            let subject = IdentitySubject(id: w.stage.randomness.text(12))
            _ = try await client.signIn(with: try await w.idToken(try w.issuer(), for: subject))
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
            _ = try await client.session(requiring: .verified)
            let again = device.launch()
            await again.restore()
            w.expect(again.state.kind == "signedIn", "after a relaunch the state is \(again.state.kind)")
        },
    ]
}
