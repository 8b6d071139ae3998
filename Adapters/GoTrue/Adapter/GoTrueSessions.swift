internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// GoTrue's sessions: refresh tokens are valid for one use.
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
    /// Gets a new session with a refresh token.
    func refresh(_ token: Secret) async throws(AuthError) -> Session {
        let body: JSONObject = ["refresh_token": .string(token.reveal())]
        return try session(from: try await call(.post, "/token", query: ["grant_type": "refresh_token"], body: body))
    }

    /// Loads the user from the server.
    func user(as token: Secret) async throws(AuthError) -> User {
        try User(goTrue: try await call(.get, "/user", as: token).object)
    }

    /// Ends sessions with this session's access token.
    ///
    /// `/logout` accepts only an access token that has not expired, although the refresh token may be valid for weeks.
    /// So no request is sent with an expired token.
    ///
    /// - Throws: `accessTokenRefused` if the token has expired; the error of an ended session, unless the scope is this
    ///   session only; `userDisabled`, because GoTrue never accepts the tokens of such a user.
    func end(_ session: Session, scope: SignOutScope) async throws(AuthError) {
        guard session.lifetime.remaining(on: clock) > .zero else { throw ErrorMapping.deadToken }
        do {
            try await signOut(session.accessToken, scope: scope)
        } catch  where error.code.hasEnded(scope) {}
    }

    /// Ends sessions.
    ///
    /// - Throws: `accessTokenRefused` if the token has expired; the error of a session that has already ended.
    func signOut(_ token: Secret, scope: SignOutScope) async throws(AuthError) {
        let name =
            switch scope {
            case .local: "local"
            case .others: "others"
            case .everywhere: "global"
            }
        let response = try await wire.send(.post, wire.url + "/logout", query: ["scope": name], as: token)
        // A portal's page or JSON with status 200 does not mean that a session has ended.
        guard response.status == 204 else {
            throw ErrorMapping.foreign(response, "a sign-out should return status 204")
        }
    }
}

extension AuthError.Code {
    /// Whether there is no session left to end.
    ///
    /// An ended session cannot end the user's other sessions, which may still be active.
    fileprivate func hasEnded(_ scope: SignOutScope) -> Bool {
        switch self {
        case .userDeleted: true
        case .sessionRevoked, .sessionExpired, .refreshTokenUnknown, .refreshTokenReused: scope == .local
        default: false
        }
    }
}

extension Session {
    /// Whether a new token would have other claims: the user has changed since this session last read them.
    ///
    /// A claim that differs from the user is not enough. The project's token hook may have written the claim, and
    /// writes it into every new token.
    fileprivate func isOutdated(by user: User) -> Bool {
        ["email", "phone", "is_anonymous", "app_metadata", "user_metadata"].contains { name in
            let now = user.fields[name]
            return claims[name].map { $0 != now } ?? false && self.user.fields[name] != now
        }
    }
}
