internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

extension GoTrueAPI {
    /// Whether an answer holds a session: a sign-up returns a session or only a user, by the project's settings.
    func holdsSession(_ response: JSONResponse) -> Bool { response.object["access_token"] != nil }

    /// Reads a session.
    ///
    /// - Throws: `invalidResponse` where a part is missing or of another type.
    func session(from response: JSONResponse) throws(AuthError) -> Session {
        guard let access = response.object["access_token"]?.filled else { throw ErrorMapping.incomplete("the access token") }
        guard TokenType.isBearer(response.object["token_type"]) else {
            throw ErrorMapping.incomplete("a token of the type bearer")
        }
        guard let refresh = response.object["refresh_token"]?.filled else { throw ErrorMapping.incomplete("the refresh token") }
        guard let life = TokenLife.told(response.object["expires_in"]) else { throw ErrorMapping.incomplete("the token's life") }
        guard let user = response.object["user"]?.object else { throw ErrorMapping.incomplete("the user") }
        let claims = CompactToken.unverifiedClaims(of: access) ?? [:]
        return Session(
            id: claims["session_id"]?.filled, provider: GoTrueAdapter.name, user: try User(goTrue: user),
            accessToken: Secret(access), refreshToken: Secret(refresh),
            lifetime: TokenLifetime(life: life, serverDate: response.date, clock: clock),
            assurance: claims["aal"]?.string == "aal2" ? .twoFactors : .oneFactor, claims: claims)
    }

    /// A session with a newer user object; its token is refreshed at the next use because its claims are outdated.
    func outdated(_ session: Session, user: User) -> Session {
        var copy = session
        copy.user = user
        copy.lifetime = TokenLifetime(life: .zero, clock: clock)
        return copy
    }
}
