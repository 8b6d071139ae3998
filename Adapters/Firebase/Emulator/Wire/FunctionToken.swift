internal import LockstepEmulation
internal import LockstepPrimitives

/// The content of the token that a blocking function gets: the account, the sign-in, and the caller.
///
/// In strict mode, the address, agent and locale come from the caller's request. Firebase's emulator writes constants.
struct FunctionToken {
    let context: RequestContext
    let event: BlockingFunctions.Event
    let address: String
    let id: String
    let user: User
    let signIn: BlockingFunctions.SignIn

    var claims: JSONObject {
        let now = context.now.seconds
        let forwarded = context.rules.functions.forwarded
        return JSONObject(given: [
            "iss": IDTokenClaims.issuer(of: context.scope.project), "aud": address, "iat": now, "exp": now + 600, "event_id": id,
            "event_type": event.rawValue,
            "user_agent": context.isStrict ? header("user-agent") : "NotYetSupportedInFirebaseAuthEmulator",
            "ip_address": context.isStrict ? context.request.remoteAddress : "127.0.0.1",
            "locale": context.isStrict ? locale : "en", "user_record": record, "sub": user.localID,
            "sign_in_method": signIn.method, "sign_in_second_factor": signIn.secondFactor,
            // Both are texts that contain JSON.
            "sign_in_attributes": signIn.profile?.attributes?.text(), "raw_user_info": signIn.profile?.raw,
            "tenant_id": context.scope.tenant,
            // Clients send no refresh token of the provider, so there is none to forward.
            "oauth_access_token": forwarded.contains("accessToken") ? signIn.accessToken : nil,
            "oauth_id_token": forwarded.contains("idToken") ? signIn.idToken : nil,
        ])
    }

    private var locale: String { header("x-firebase-locale").isEmpty ? "en" : header("x-firebase-locale") }

    private func header(_ name: String) -> String { context.request.headers[name] ?? "" }

    private var record: JSONObject {
        JSONObject(given: [
            "uid": user.localID, "email": user.email, "email_verified": user.emailVerified, "display_name": user.displayName,
            "photo_url": user.photoURL, "disabled": user.isDisabled, "phone_number": user.phoneNumber,
            "custom_claims": user.customAttributes.flatMap { try? JSON.parse($0) } ?? [:], "tenant_id": context.scope.tenant,
            "provider_data": JSON.list((user.identities ?? []).map(Self.provider)),
            "multi_factor": user.factors.map { JSONObject(given: ["enrolled_factors": JSON.list($0.map(Self.factor))]) },
            "metadata": metadata,
        ])
    }

    private static func provider(_ identity: Identity) -> JSONObject {
        JSONObject(given: [
            "provider_id": identity.providerID, "display_name": identity.displayName, "photo_url": identity.photoURL,
            "email": identity.email, "uid": identity.rawID, "phone_number": identity.phoneNumber,
        ])
    }

    private static func factor(_ factor: Factor) -> JSONObject {
        JSONObject(given: [
            "uid": factor.id, "display_name": factor.displayName, "enrollment_time": factor.enrolledAt,
            "phone_number": factor.phone, "factor_id": factor.secret == nil ? ProviderID.phone : "totp",
        ])
    }

    /// The times in milliseconds.
    private var metadata: JSONObject? {
        guard user.lastLoginAt != nil || user.createdAt != nil else { return nil }
        return JSONObject(given: ["last_sign_in_time": user.lastLoginAt, "creation_time": user.createdAt])
    }
}
