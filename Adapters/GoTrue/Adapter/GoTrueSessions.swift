internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

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
        try await api.end(session, scope: scope)
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

    /// Ends sessions, with a token of this one.
    ///
    /// GoTrue takes an access token that is alive for it and nothing else: `/logout` refuses a dead one though the refresh token
    /// may live on for weeks, so nothing is asked with one that has ended.
    ///
    /// - Throws: `accessTokenRefused` where the token is dead; what a session that has ended is refused with, unless ending it was
    ///   all that was asked for; `userDisabled`, whose tokens are taken for nothing.
    func end(_ session: Session, scope: SignOutScope) async throws(AuthError) {
        guard session.lifetime.remaining(on: clock) > .zero else { throw ErrorMapping.deadToken }
        do {
            try await signOut(session.accessToken, scope: scope)
        } catch  where error.code.hasEnded(scope) {}
    }

    /// Ends sessions.
    ///
    /// - Throws: `accessTokenRefused` where the token is dead, and what is said of a session that has ended already.
    func signOut(_ token: Secret, scope: SignOutScope) async throws(AuthError) {
        let name =
            switch scope {
            case .local: "local"
            case .others: "others"
            case .everywhere: "global"
            }
        try await wire.send(.post, wire.url + "/logout", query: ["scope": name], as: token)
    }
}

extension AuthError.Code {
    /// Whether there is nothing left to end: a session that is gone can end no others, and their user may still have some.
    fileprivate func hasEnded(_ scope: SignOutScope) -> Bool {
        switch self {
        case .userDeleted: true
        case .sessionRevoked, .sessionExpired, .refreshTokenUnknown, .refreshTokenReused: scope == .local
        default: false
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
