internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Firebase's sessions: refresh tokens do not rotate, and only administrators can end a session.
struct FirebaseSessions: SessionAuthority {
    let api: FirebaseAPI

    func refresh(_ session: Session) async throws(AuthError) -> Session {
        session.renewed(by: try await api.refresh(session.refreshToken))
    }

    func reload(_ session: Session) async throws(AuthError) -> Session {
        var current = session
        current.user = try await api.user(as: session.accessToken, claims: session.claims)
        // The team's own claims may override the user's. A new token has them as well, so only a change of the user counts.
        guard current.user.hasUntoldChange(since: session.user, claims: session.claims) else { return current }
        return try await api.renewed(current)
    }

    /// Ends all sessions by the team's own server function, where there is one.
    ///
    /// There is nothing to do for this session alone: Firebase has no call for it, and the refresh token lives on.
    ///
    /// - Throws: `accessTokenRefused` where the token has ended, which the function could not verify; `invalidResponse` where the
    ///   answer is not the function's, `invalidConfiguration` where it is not there: the error names the function's address.
    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {
        switch scope {
        case .local: break
        case .others: throw .unsupported(.signOutOthers, by: FirebaseAdapter.name)
        case .everywhere:
            guard let url = api.configuration.sessionEnding else {
                throw .unsupported(.signOutEverywhere, by: FirebaseAdapter.name)
            }
            guard session.lifetime.remaining(on: api.clock) > .zero else {
                throw AuthError(.accessTokenRefused, "The access token has ended.", remedies: [.signIn])
            }
            let function = AppFunction(url, setting: "sessionEnding")
            let response = try await function.named { url async throws(AuthError) in
                try await api.callFunction(url, as: session.accessToken)
            }
            // The JSON of a gateway has ended no session.
            guard response.status == 204 || (try? response.json())?["ended"]?.bool == true else {
                throw function.named(FunctionErrors.unexpected(response, #"204 or {"ended": true} was expected"#))
            }
        }
    }
}

extension FirebaseAPI {
    /// The session with a token whose claims match the user as it is now.
    func renewed(_ session: Session) async throws(AuthError) -> Session {
        var copy = session.renewed(by: try await refresh(session.refreshToken))
        copy.user = session.user
        return copy
    }
}
