internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension ClerkAPI {
    /// The session of a finished attempt: its user and its first token come from the snapshot of the client.
    func session(_ id: String, in response: ClerkResponse) async throws(AuthError) -> Session {
        let listed = response.session(id)
        guard let object = listed?["user"]?.object else { throw ErrorMapping.incomplete("the session's user") }
        guard let client = response.client else { throw ErrorMapping.incomplete("the client's token") }
        let user = try User(clerk: object)
        if let token = listed?["last_active_token"]?["jwt"]?.filled, let date = response.date,
            let issued = CompactToken.unverifiedClaims(of: token)?["iat"]?.double,
            abs(Double(date.seconds) - issued) < Self.freshness
        {
            return try session(id, user: user, client: client, token: token, date: date)
        }
        return try await session(id, user: user, client: client)
    }

    /// The maximum age, in seconds, of a token that counts as new; the dates of answers have whole seconds.
    private static let freshness = 3.0

    /// A session with a new token.
    func session(_ id: String, user: User, client: Secret) async throws(AuthError) -> Session {
        let response = try await token(of: id, client: client)
        guard let token = response.json["jwt"]?.filled else { throw ErrorMapping.incomplete("the session's token") }
        return try session(id, user: user, client: response.client ?? client, token: token, date: response.date)
    }

    private func session(_ id: String, user: User, client: Secret, token: String, date: Instant?) throws(AuthError) -> Session {
        guard BackendPath.isSegment(id) else { throw ErrorMapping.incomplete("a session's id that can stand in an address") }
        guard let claims = CompactToken.unverifiedClaims(of: token) else { throw ErrorMapping.incomplete("the session's token") }
        guard let life = TokenLife.written(in: claims) else { throw ErrorMapping.incomplete("the token's life") }
        // `fva`: minutes since the first and the second factor, -1 for never.
        let isTwoFactor = (claims["fva"]?[1]?.int ?? -1) >= 0
        return Session(
            id: id, provider: ClerkAdapter.name, user: user, accessToken: Secret(token), refreshToken: client,
            lifetime: TokenLifetime(life: life, serverDate: date, clock: clock),
            assurance: isTwoFactor ? .twoFactors : .oneFactor, claims: claims)
    }

    /// The error for an unknown session.
    static func ended(_ error: AuthError) -> AuthError {
        var ended = error
        ended.code = .sessionRevoked
        ended.message = "The session has ended at the backend."
        ended.remedies = [.signIn]
        return ended
    }

    /// A new token of a session; a client or session that no longer exists has ended.
    private func token(of id: String, client: Secret) async throws(AuthError) -> ClerkResponse {
        do {
            return try await call(.post, "/client/sessions/\(id)/tokens", client: client)
        } catch  where error.code == .flowNotFound {
            throw Self.ended(error)
        }
    }
}
