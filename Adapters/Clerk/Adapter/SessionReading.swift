internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives

extension ClerkAPI {
    /// The session that an attempt has made: its user from the snapshot of the client, its token minted.
    func session(_ id: String, in answer: ClerkAnswer) async throws(AuthError) -> Session {
        let listed = (answer.snapshot?["sessions"]?.array ?? []).first { $0["id"]?.string == id }
        guard let user = listed?["user"]?.object else { throw ErrorMapping.incomplete("the session's user") }
        guard let client = answer.client else { throw ErrorMapping.incomplete("the client's token") }
        return try await session(id, user: try User(clerk: user), client: client)
    }

    /// A session with a new token.
    func session(_ id: String, user: User, client: Secret) async throws(AuthError) -> Session {
        let answer = try await token(of: id, client: client)
        guard let token = answer.json["jwt"]?.filled, let claims = CompactToken.unverifiedClaims(of: token) else {
            throw ErrorMapping.incomplete("the session's token")
        }
        guard let issued = claims["iat"]?.double, let expires = claims["exp"]?.double, expires > issued else {
            throw ErrorMapping.incomplete("the token's life")
        }
        // `fva`: minutes since the first and the second factor, -1 for never.
        let isTwoFactor = (claims["fva"]?[1]?.int ?? -1) >= 0
        return Session(
            id: id, provider: ClerkAdapter.name, user: user, accessToken: Secret(token), refreshToken: answer.client ?? client,
            lifetime: TokenLifetime(life: .milliseconds(Int64((expires - issued) * 1000)), serverDate: answer.date, clock: clock),
            assurance: isTwoFactor ? .twoFactors : .oneFactor, claims: claims)
    }

    /// A new token of a session; a client or session that is not there any more has ended.
    private func token(of id: String, client: Secret) async throws(AuthError) -> ClerkAnswer {
        do {
            return try await call(.post, "/client/sessions/\(id)/tokens", client: client)
        } catch  where error.code == .flowNotFound {
            var ended = error
            ended.code = .sessionRevoked
            ended.message = "The session has ended at the backend."
            ended.remedies = [.signIn]
            throw ended
        }
    }
}
