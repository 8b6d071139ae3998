internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives

/// What GoTrue does with a session: refresh tokens are good for one use.
struct GoTrueSessions: SessionAuthority {
    let api: GoTrueAPI

    func refresh(_ session: Session) async throws(AuthError) -> Session {
        try await api.refresh(session.refreshToken)
    }

    func reload(_ session: Session) async throws(AuthError) -> Session {
        let user = try await api.user(as: session.accessToken)
        guard session.isOutdated(by: user) else {
            var copy = session
            copy.user = user
            return copy
        }
        return api.outdated(session, user: user)
    }

    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {
        try await api.signOut(session.accessToken, scope: scope)
    }
}

extension GoTrueAPI {
    /// A new session for a refresh token.
    func refresh(_ token: Secret) async throws(AuthError) -> Session {
        let body: JSONObject = ["refresh_token": .string(token.reveal())]
        return try session(from: try await call(.post, "/token", query: ["grant_type": "refresh_token"], body: body))
    }

    /// The user as the server has them now.
    func user(as token: Secret) async throws(AuthError) -> User {
        try User(goTrue: try await call(.get, "/user", as: token).object)
    }

    /// Ends sessions.
    ///
    /// One that has ended already is ended.
    func signOut(_ token: Secret, scope: SignOutScope) async throws(AuthError) {
        let name =
            switch scope {
            case .local: "local"
            case .others: "others"
            case .everywhere: "global"
            }
        do {
            try await perform(.post, url: configuration.url + "/logout", query: ["scope": name], as: token)
        } catch {
            guard let status = error.provider?.status, [401, 403, 404].contains(status) else { throw error }
        }
    }
}

extension Session {
    /// Whether the token's claims say something else of the user than the server does now.
    fileprivate func isOutdated(by user: User) -> Bool {
        ["email", "phone", "is_anonymous", "app_metadata", "user_metadata"].contains { name in
            claims[name].map { $0 != user.fields[name] } ?? false
        }
    }
}
