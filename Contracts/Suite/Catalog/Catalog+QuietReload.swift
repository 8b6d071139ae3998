internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// A contract about reloads of an unchanged user, which must not need new access tokens.
    static let quietReload: [Contract<World>] = [
        Contract(
            "session.reload.quiet",
            "Repeated reloads of an unchanged user use the same access token, even if the token's claims differ from the "
                + "user, such as a project's own claims.",
            needs: [.clock], buildsOn: ["session.refresh.once-a-life"]
        ) { w in
            for isOverridden in [false, true] {
                let client = w.device().launch { changes in
                    changes.answering = { _, _, _, response throws(AuthError) in
                        isOverridden ? response.withForeignClaims : response
                    }
                }
                try await w.signIn(client)
                // The first reload may load changes that the sign-in has made.
                _ = try await client.refreshUser()
                let token = try await client.accessToken()
                for number in 1...3 {
                    try await w.advance(by: .seconds(2))
                    _ = try await client.refreshUser()
                    let isSame = try await client.accessToken() == token
                    w.expect(
                        isSame,
                        "reload \(number) returned another token\(isOverridden ? ", whose claims differ from the user" : "")")
                }
            }
        }
    ]
}

extension Session {
    /// The session with token claims that differ from its user.
    fileprivate var withForeignClaims: Session {
        var copy = self
        for name in ["email", "phone", "phone_number", "name", "picture", "user_metadata", "app_metadata", "email_verified"] {
            switch claims[name] {
            case .string?: copy.claims[name] = "somebody else's"
            case .bool(let isTrue)?: copy.claims[name] = .bool(!isTrue)
            case .object?: copy.claims[name] = ["plan": "of the project's own"]
            default: break
            }
        }
        return copy
    }
}
