internal import LockstepPrimitives

/// The claims of an ID token.
enum IDTokenClaims {
    /// How long an ID token lives, in seconds; Firebase has no setting for it.
    static let lifetime: Int64 = 3600

    /// Composes the claims.
    ///
    /// Later ones win: name and picture, the user's custom attributes, the session's claims, Firebase's own.
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
        var claim: JSONObject = ["identities": .object(identities), "sign_in_provider": .string(grant.provider)]
        claim["second_factor_identifier"] = grant.secondFactor.map { .string($0.id) }
        claim["sign_in_second_factor"] = grant.secondFactor.map { .string($0.kind) }
        claim["tenant"] = user.tenantID.map(JSON.string)
        claim["sign_in_attributes"] = attributes
        return claim
    }
}
