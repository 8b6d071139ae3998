package import Lockstep
package import LockstepPrimitives
internal import LockstepWire

extension GoTrueAPI {
    /// Whether a response contains a session: a sign-up returns a session or only a user, depending on the project's
    /// settings.
    func holdsSession(_ response: JSONResponse) -> Bool { response.object["access_token"] != nil }

    /// Reads a session.
    ///
    /// - Throws: `invalidResponse` if a part is missing or has another type.
    func session(from response: JSONResponse) throws(AuthError) -> Session {
        guard let access = response.object["access_token"]?.filled else { throw ErrorMapping.incomplete("the access token") }
        guard TokenType.isBearer(response.object["token_type"]) else {
            throw ErrorMapping.incomplete("a token of type bearer")
        }
        guard let refresh = response.object["refresh_token"]?.filled else { throw ErrorMapping.incomplete("the refresh token") }
        guard let life = TokenLife.told(response.object["expires_in"]) else {
            throw ErrorMapping.incomplete("the token's lifetime")
        }
        guard let user = response.object["user"]?.object else { throw ErrorMapping.incomplete("the user") }
        let claims = CompactToken.unverifiedClaims(of: access) ?? [:]
        return Session(
            id: claims["session_id"]?.filled, provider: GoTrueAdapter.name, user: try User(goTrue: user),
            accessToken: Secret(access), refreshToken: Secret(refresh),
            lifetime: TokenLifetime(life: life, serverDate: response.date, clock: clock),
            assurance: claims["aal"]?.string == "aal2" ? .twoFactors : .oneFactor, claims: claims)
    }

    /// Returns a session with a newer user object.
    ///
    /// Its claims are outdated, so its token is refreshed at the next use.
    func outdated(_ session: Session, user: User) -> Session {
        var copy = session
        copy.user = user
        copy.lifetime = TokenLifetime(life: .zero, clock: clock)
        return copy
    }
}

extension User {
    /// Reads GoTrue's user object.
    ///
    /// - Throws: `invalidResponse` for any other object.
    package init(goTrue object: JSONObject) throws(AuthError) {
        guard let id = object["id"]?.string, !id.isEmpty else { throw ErrorMapping.incomplete("the user's id") }
        let metadata = object["user_metadata"]
        self.init(
            id: id, email: object["email"]?.filled, isEmailVerified: object["email_confirmed_at"]?.filled != nil,
            phone: object["phone"]?.phone,
            displayName: Self.nameMembers.lazy.compactMap { metadata?[$0]?.filled }.first,
            photoURL: Self.photoMembers.lazy.compactMap { metadata?[$0]?.filled }.first,
            isAnonymous: object["is_anonymous"]?.bool ?? false,
            identities: object["identities"]?.array?.compactMap(Identity.init(goTrue:)) ?? [],
            createdAt: object["created_at"]?.instant, metadata: metadata?.object, fields: object)
    }

    /// The members that may contain a name, the adapter's own first; identity providers send `full_name` and `name`.
    package static let nameMembers = ["display_name", "full_name", "name"]
    /// The members that may contain the URL of a photo.
    package static let photoMembers = ["avatar_url", "picture"]

    /// The second factors that the user has verified.
    var goTrueFactors: [FactorChoice] {
        goTrue.factors.filter(\.isVerified).compactMap { factor in
            switch factor.type {
            case "totp": FactorChoice(id: factor.id, kind: .authenticatorApp, label: factor.friendlyName)
            case "phone":
                FactorChoice(
                    id: factor.id, kind: .phone, label: factor.phone.map(PhoneCodeCredential.masked) ?? factor.friendlyName)
            case "webauthn": FactorChoice(id: factor.id, kind: .passkey, label: factor.friendlyName)
            default: nil
            }
        }
    }
}

extension Identity {
    /// Reads one of a user's identities.
    ///
    /// Its id is the id of the row, which is needed to remove the identity.
    init?(goTrue object: JSON) {
        guard let provider = object["provider"]?.string, let id = object["identity_id"]?.string ?? object["id"]?.string else {
            return nil
        }
        self.init(
            id: id, provider: IdentityProvider(rawValue: provider),
            email: object["email"]?.filled ?? object["identity_data"]?["email"]?.filled)
    }
}

extension GoTrueAPI {
    /// Returns the step for a session that a verification has created.
    ///
    /// GoTrue creates the session before a second factor and before a new password, so the session may not end the
    /// flow.
    func step(for session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        if flow.requiresAnotherUser(than: session) {
            await leave(session)
            guard flow.flow.kind == .reauthentication else { throw ErrorMapping.incomplete("the expected user") }
            throw AuthError(
                .userMismatch,
                "The verification belongs to a different user than the signed-in user. The session was not changed.")
        }
        let factors = session.user.goTrueFactors
        if session.assurance == .oneFactor, !factors.isEmpty {
            flow[.unfinishedSession] = session
            return .secondFactor(SecondFactor(api: self).step(factors, in: flow))
        }
        if flow.flow.kind == .passwordReset {
            flow[.unfinishedSession] = session
            return .newPassword(NewPasswordStep(flow: flow.flow, reason: .reset))
        }
        return .complete(session)
    }

    /// Sends a request with the session that an earlier step of the flow has created, and renews the session if its token has
    /// expired.
    ///
    /// The user may answer the step hours later.
    ///
    /// - Throws: `codeExpired` if the session no longer exists, so that the user must start again.
    func asUnfinished<Value>(
        _ session: Session, in flow: FlowMemory, _ request: (Session) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        do throws(AuthError) {
            guard !session.lifetime.needsRefresh(on: clock) else { return try await request(renewed(session, in: flow)) }
            do throws(AuthError) {
                return try await request(session)
            } catch  where error.code == .accessTokenRefused {
                return try await request(renewed(session, in: flow))
            }
        } catch  where Self.endings.contains(error.code) {
            var expired = error
            (expired.code, expired.remedies) = (.codeExpired, [.startAgain])
            expired.message = "This step has expired. Start again."
            throw expired
        }
    }

    private static let endings: Set<AuthError.Code> = [
        .accessTokenRefused, .sessionRevoked, .sessionExpired, .refreshTokenUnknown, .refreshTokenReused,
    ]

    private func renewed(_ session: Session, in flow: FlowMemory) async throws(AuthError) -> Session {
        let fresh = try await refresh(session.refreshToken)
        guard fresh.user.id.exact == session.user.id.exact else { throw ErrorMapping.incomplete("the expected user") }
        // The old refresh token is used up, even if the rest of the call fails.
        flow[.unfinishedSession] = fresh
        return fresh
    }

    /// Tries to end a session that the client does not keep.
    func leave(_ session: Session) async {
        try? await end(session, scope: .local)
    }
}
