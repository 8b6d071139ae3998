internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// Issues a project's tokens and reads its ID tokens: unsigned in emulator mode, RS256 in strict mode.
struct TokenService {
    let context: RequestContext

    /// Returns the user of the ID token in the body, if the token has not expired.
    ///
    /// - Throws: In this order: `INVALID_ID_TOKEN`, `TENANT_ID_MISMATCH`, `USER_NOT_FOUND`, `TOKEN_EXPIRED`,
    ///   `USER_DISABLED`.
    func holder(of token: String) throws -> Holder {
        guard let claims = try claims(of: token), let firebase = claims["firebase"]?.object else {
            throw APIError.refused(.invalidIDToken)
        }
        if let tenant = firebase["tenant"]?.string, !tenant.isEmpty {
            guard context.scope.tenant != nil else {
                throw APIError.refused(sentence: "((Parsed token that belongs to tenant in a non-tenant project.))")
            }
            try context.require(tenant == context.scope.tenant, .tenantMismatch)
        }
        let user = try context.require(
            try context.users.find(claims["user_id"]?.string ?? ""), .userNotFound)
        if let validSince = user.validSince { try context.require(claims["iat"]?.int ?? 0 >= validSince, .tokenExpired) }
        try context.require(user.isDisabled != true, .userDisabled)
        context.userID = user.localID
        return Holder(user: user, provider: firebase["sign_in_provider"]?.string ?? ProviderID.custom, claims: claims)
    }

    /// Returns the user of the ID token that the body must contain.
    func requireHolder() throws -> Holder {
        try holder(of: try context.require(context.body.given("idToken"), .missingIDToken))
    }

    /// Returns the user of the ID token in the body, if there is one.
    func holderIfGiven() throws -> Holder? { try context.body.given("idToken").map(holder) }

    /// Rejects a sign-in that is too old for the call; anonymous users are exempt, because they cannot sign in again.
    func requireRecentSignIn(_ holder: Holder) throws(APIError) {
        guard let limit = context.settings.recentSignIn, holder.provider != ProviderID.anonymous else { return }
        let signedIn = Instant(seconds: holder.claims["auth_time"]?.int ?? 0)
        try context.require(context.now - signedIn <= limit, .tooOld)
    }

    /// Returns new tokens; the user must be stored afterwards.
    func issue(
        to user: inout User, _ grant: Grant, attributes: JSON? = nil, keeping refreshToken: String? = nil
    ) throws -> JSONObject {
        context.userID = user.localID
        user.lastRefreshAt = context.now
        let authTime = self.authTime(of: user, grant)
        let claims = IDTokenClaims.compose(
            user: user, grant: grant, project: context.scope.project, attributes: attributes, authTime: authTime,
            now: context.now)
        return [
            "idToken": .string(try sign(claims)),
            "refreshToken": .string(try refreshToken ?? newRefreshToken(of: user, grant, authTime: authTime)),
            "expiresIn": .string(String(IDTokenClaims.lifetime)),
        ]
    }

    /// A token with these claims.
    func sign(_ claims: JSONObject) throws -> String {
        switch context.settings.mode {
        case .emulator: TokenWriter.unsigned(claims)
        case .strict: try TokenWriter.sign(claims, with: context.value(of: context.state.signingKey))
        }
    }

    /// Returns the claims of the ID token in the body.
    ///
    /// In strict mode, the result is `nil` unless this server issued the token and it has not expired.
    private func claims(of token: String) throws -> JSONObject? {
        guard let unverified = context.call.idToken else { return nil }
        guard context.isStrict else { return unverified.claims }
        // A token of another server on the same folder may arrive before this server has the key.
        let key = try context.value(of: context.state.signingKey)
        let project = context.scope.project
        let rules = TokenRules(issuers: [IDTokenClaims.issuer(of: project)], audiences: [project])
        return (try? TokenVerifier(keys: [key.verificationKey], rules: rules).verify(token, at: context.now))?.claims
    }

    /// Returns the time of the session's sign-in in production, or of the user's last sign-in anywhere in Firebase's
    /// emulator.
    private func authTime(of user: User, _ grant: Grant) -> Int64 {
        switch context.settings.mode {
        case .strict: grant.authTime ?? context.now.seconds
        case .emulator: user.lastLoginAt.map { Instant(milliseconds: $0).seconds } ?? context.now.seconds
        }
    }

    private func newRefreshToken(of user: User, _ grant: Grant, authTime: Int64) throws -> String {
        let scope = context.scope
        switch context.settings.mode {
        case .emulator:
            return OpenToken.refresh(
                Session(project: scope.project, tenant: scope.tenant, localID: user.localID, grant: grant, createdAt: nil))
        case .strict:
            let token = "AMf-" + context.newToken("refresh token", bytes: 96)
            try context.db.insert(
                SessionRow(
                    token: token, space: scope.id, localID: user.localID, provider: grant.provider, claims: grant.claims,
                    factorID: grant.secondFactor?.id, factorKind: grant.secondFactor?.kind, authTime: authTime,
                    createdAt: context.now))
            return token
        }
    }
}

/// The claims of an ID token.
enum IDTokenClaims {
    /// The lifetime of an ID token in seconds; Firebase has no setting for it.
    static let lifetime: Int64 = 3600

    /// Composes the claims.
    ///
    /// Later claims override earlier ones: name and picture, the user's custom attributes, the session's claims,
    /// Firebase's own.
    static func compose(
        user: User, grant: Grant, project: String, attributes: JSON?, authTime: Int64, now: Instant
    ) -> JSONObject {
        var claims: JSONObject = [:]
        claims["name"] = user.displayName.map(JSON.string)
        claims["picture"] = user.photoURL.map(JSON.string)
        if let text = user.customAttributes, let custom = (try? JSON.parse(text))?.object {
            for (name, value) in custom { claims[name] = value }
        }
        for (name, value) in grant.claims { claims[name] = value }
        claims["email"] = user.email.map(JSON.string)
        claims["email_verified"] = user.emailVerified.map(JSON.bool)
        claims["phone_number"] = user.phoneNumber.map(JSON.string)
        claims["provider_id"] = grant.provider == ProviderID.anonymous ? .string(grant.provider) : nil
        claims["auth_time"] = .int(authTime)
        claims["user_id"] = .string(user.localID)
        claims["firebase"] = .object(firebase(user: user, grant: grant, attributes: attributes))
        claims["iat"] = .int(now.seconds)
        claims["exp"] = .int(now.seconds + lifetime)
        claims["aud"] = .string(project)
        claims["iss"] = .string(issuer(of: project))
        claims["sub"] = .string(user.localID)
        return claims
    }

    static func issuer(of project: String) -> String { "https://securetoken.google.com/\(project)" }

    private static func firebase(user: User, grant: Grant, attributes: JSON?) -> JSONObject {
        var identities: JSONObject = [:]
        if let email = user.email { identities["email"] = [.string(email)] }
        for identity in user.identities ?? [] where identity.providerID != ProviderID.password {
            identities[identity.providerID] = [.string(identity.rawID)]
        }
        return JSONObject(given: [
            "identities": identities, "sign_in_provider": grant.provider, "second_factor_identifier": grant.secondFactor?.id,
            "sign_in_second_factor": grant.secondFactor?.kind, "tenant": user.tenantID, "sign_in_attributes": attributes,
        ])
    }
}

/// The holder of an ID token.
struct Holder {
    var user: User
    /// Firebase's `sign_in_provider`.
    let provider: String
    let claims: JSONObject

    /// The second factor of that sign-in.
    var secondFactor: Grant.SecondFactor? {
        guard let firebase = claims["firebase"], let id = firebase["second_factor_identifier"]?.string,
            let kind = firebase["sign_in_second_factor"]?.string
        else { return nil }
        return Grant.SecondFactor(id: id, kind: kind)
    }
}

/// The result of a sign-in: the part of a session that its tokens contain and a refresh keeps.
struct Grant: Sendable, Equatable {
    /// A second factor that the user has completed.
    struct SecondFactor: Sendable, Equatable {
        let id: String
        /// `phone` or `totp`.
        let kind: String
    }

    /// Firebase's `sign_in_provider`.
    var provider: String
    /// The claims of a custom token.
    var claims: JSONObject = [:]
    var secondFactor: SecondFactor?
    /// The time of the sign-in, in seconds since 1970; `nil` for the current time.
    var authTime: Int64?

    init(provider: String, claims: JSONObject = [:], secondFactor: SecondFactor? = nil, authTime: Int64? = nil) {
        self.provider = provider
        self.claims = claims
        self.secondFactor = secondFactor
        self.authTime = authTime
    }
}
