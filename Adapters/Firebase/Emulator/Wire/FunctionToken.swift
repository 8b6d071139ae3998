internal import LockstepEmulation
internal import LockstepPrimitives

/// The content of the token that a blocking function gets: the account, the sign-in, and the caller.
///
/// In strict mode the caller's address, agent and locale are the request's; Firebase's emulator writes constants.
struct FunctionToken {
    let context: RequestContext
    let event: BlockingFunctions.Event
    let address: String
    let id: String
    let user: User
    let signIn: BlockingFunctions.SignIn

    var claims: JSONObject {
        let now = context.now.seconds
        var claims: JSONObject = [
            "iss": .string(IDTokenClaims.issuer(of: context.scope.project)), "aud": .string(address), "iat": .int(now),
            "exp": .int(now + 600), "event_id": .string(id), "event_type": .string(event.rawValue),
        ]
        claims["user_agent"] = .string(isStrict ? header("user-agent") : "NotYetSupportedInFirebaseAuthEmulator")
        claims["ip_address"] = .string(isStrict ? context.request.remoteAddress : "127.0.0.1")
        claims["locale"] = .string(isStrict ? locale : "en")
        claims["user_record"] = .object(record)
        claims["sub"] = .string(user.localID)
        claims["sign_in_method"] = .string(signIn.method)
        claims["sign_in_second_factor"] = signIn.secondFactor.map(JSON.string)
        // Both are texts that hold JSON.
        claims["sign_in_attributes"] = signIn.profile?.attributes.map { .string($0.text()) }
        claims["raw_user_info"] = signIn.profile?.raw.map(JSON.string)
        claims["tenant_id"] = context.scope.tenant.map(JSON.string)
        // Clients send no refresh token of the provider, so there is none to forward.
        let forwarded = context.rules.functions.forwarded
        if forwarded.contains("accessToken") { claims["oauth_access_token"] = signIn.accessToken.map(JSON.string) }
        if forwarded.contains("idToken") { claims["oauth_id_token"] = signIn.idToken.map(JSON.string) }
        return claims
    }

    private var isStrict: Bool { context.isStrict }

    private var locale: String { header("x-firebase-locale").isEmpty ? "en" : header("x-firebase-locale") }

    private func header(_ name: String) -> String { context.request.headers[name] ?? "" }

    private var record: JSONObject {
        var record: JSONObject = ["uid": .string(user.localID)]
        record["email"] = user.email.map(JSON.string)
        record["email_verified"] = user.emailVerified.map(JSON.bool)
        record["display_name"] = user.displayName.map(JSON.string)
        record["photo_url"] = user.photoURL.map(JSON.string)
        record["disabled"] = user.isDisabled.map(JSON.bool)
        record["phone_number"] = user.phoneNumber.map(JSON.string)
        record["custom_claims"] = user.customAttributes.flatMap { try? JSON.parse($0) } ?? [:]
        record["tenant_id"] = context.scope.tenant.map(JSON.string)
        record["provider_data"] = .array((user.identities ?? []).map(Self.provider))
        record["multi_factor"] = user.factors.map { ["enrolled_factors": .array($0.map(Self.factor))] }
        record["metadata"] = metadata.map(JSON.object)
        return record
    }

    private static func provider(_ identity: Identity) -> JSON {
        var entry: JSONObject = ["provider_id": .string(identity.providerID)]
        entry["display_name"] = identity.displayName.map(JSON.string)
        entry["photo_url"] = identity.photoURL.map(JSON.string)
        entry["email"] = identity.email.map(JSON.string)
        entry["uid"] = .string(identity.rawID)
        entry["phone_number"] = identity.phoneNumber.map(JSON.string)
        return .object(entry)
    }

    private static func factor(_ factor: Factor) -> JSON {
        var entry: JSONObject = ["uid": .string(factor.id)]
        entry["display_name"] = factor.displayName.map(JSON.string)
        entry["enrollment_time"] = factor.enrolledAt.map(JSON.string)
        entry["phone_number"] = factor.phone.map(JSON.string)
        entry["factor_id"] = .string(factor.secret == nil ? ProviderID.phone : "totp")
        return .object(entry)
    }

    /// The times in milliseconds.
    private var metadata: JSONObject? {
        guard user.lastLoginAt != nil || user.createdAt != nil else { return nil }
        var metadata: JSONObject = [:]
        metadata["last_sign_in_time"] = user.lastLoginAt.map(JSON.int)
        metadata["creation_time"] = user.createdAt.map(JSON.int)
        return metadata
    }
}
