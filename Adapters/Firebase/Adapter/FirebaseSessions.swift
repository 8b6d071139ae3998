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
        // The project's own claims may override the user's. A new token also contains them, so only a change of the
        // user matters.
        guard current.user.hasChangeOutsideToken(since: session.user, claims: session.claims) else { return current }
        return try await api.renewed(current)
    }

    /// Ends all sessions with the function on the app's own server, if there is one.
    ///
    /// For this session alone, there is nothing to do. Firebase has no such call, and the refresh token stays valid.
    ///
    /// - Throws: `accessTokenRefused` if the token has expired, so that the function could not verify it;
    ///   `invalidResponse` if the response does
    ///   not come from the function; `invalidConfiguration` if the function does not exist. The error contains the
    ///   function's URL.
    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {
        switch scope {
        case .local: break
        case .others: throw .unsupported(.signOutOthers, by: FirebaseAdapter.name)
        case .everywhere:
            guard let url = api.configuration.sessionEnding else {
                throw .unsupported(.signOutEverywhere, by: FirebaseAdapter.name)
            }
            guard session.lifetime.remaining(on: api.clock) > .zero else {
                throw AuthError(.accessTokenRefused, "The access token has expired.", remedies: [.signIn])
            }
            let function = AppFunction(url, setting: "sessionEnding")
            let response = try await function.named { url async throws(AuthError) in
                try await api.callFunction(url, as: session.accessToken)
            }
            // JSON from a gateway does not mean that sessions have ended.
            guard response.status == 204 || (try? response.json())?["ended"]?.bool == true else {
                throw function.named(FunctionErrors.unexpected(response, #"status 204 or {"ended": true} was expected"#))
            }
        }
    }
}

extension FirebaseAPI {
    /// Returns the session with a token whose claims match the current user.
    func renewed(_ session: Session) async throws(AuthError) -> Session {
        var copy = session.renewed(by: try await refresh(session.refreshToken))
        copy.user = session.user
        return copy
    }
}
