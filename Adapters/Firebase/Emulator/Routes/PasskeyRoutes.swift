internal import LockstepEmulation
internal import LockstepPrimitives

/// The routes of passkeys: enrollment and sign-in.
struct PasskeyRoutes {
    let context: RequestContext

    static let enrolmentBody: BodySchema = ["idToken": .text, "tenantId": .text]

    /// `passkeyEnrollment:start`: the options with which a browser creates a passkey.
    func startEnrolment() throws -> JSON {
        try context.passkeys.requireOpen()
        let user = try context.tokens.requireHolder().user
        let party = JSON.string(context.settings.passkeys.relyingParty)
        return [
            "credentialCreationOptions": [
                "rp": ["name": party, "id": party],
                "user": [
                    "id": .string(Base64.encode(user.localID.utf8)), "name": .string(user.email ?? "user@example.com"),
                    "displayName": .string(user.displayName ?? "User"),
                ],
                "challenge": try context.passkeys.newChallenge(for: user),
                "pubKeyCredParams": [["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257]],
                "timeout": PasskeyService.timeout, "attestation": "none",
            ]
        ]
    }

    static let enrolmentProofBody: BodySchema = [
        "idToken": .text, "tenantId": .text, "authenticatorRegistrationResponse": .object, "name": .text,
        "displayName": .text,
    ]

    /// Firebase's `passkeyEnrollment:finalize`.
    func finishEnrolment() throws -> JSON {
        let body = context.body
        try context.passkeys.requireOpen()
        let token = try context.require(body.given("idToken"), .missingIDToken)
        let response = try context.require(body.nested("authenticatorRegistrationResponse"), .missingAuthenticatorResponse)
        var user = try context.tokens.holder(of: token).user
        user.passkeys = (user.passkeys ?? []) + [try context.passkeys.made(response, for: user)]
        let tokens = try context.tokens.issue(to: &user, Grant(provider: ProviderID.passkey))
        try context.users.update(user)
        return [
            "localId": .string(user.localID), "idToken": tokens["idToken"] ?? .null,
            "refreshToken": tokens["refreshToken"] ?? .null,
        ]
    }

    static let signInBody: BodySchema = ["tenantId": .text]

    /// Firebase's `passkeySignIn:start`.
    func startSignIn() throws -> JSON {
        try context.passkeys.requireOpen()
        var options: JSONObject = [
            "challenge": try context.passkeys.newChallenge(for: nil),
            "rpId": .string(context.settings.passkeys.relyingParty), "userVerification": "required",
        ]
        // A challenge expires only in strict mode.
        if context.isStrict { options["timeout"] = PasskeyService.timeout }
        return ["credentialRequestOptions": .object(options)]
    }

    static let signInProofBody: BodySchema = [
        "tenantId": .text, "authenticatorAuthenticationResponse": .object, "name": .text, "displayName": .text,
    ]

    /// Firebase's `passkeySignIn:finalize`.
    func finishSignIn() throws -> JSON {
        try context.passkeys.requireOpen()
        let response = try context.require(
            context.body.nested("authenticatorAuthenticationResponse"), .missingAuthenticatorResponse)
        var user = try context.passkeys.user(of: response)
        user.lastLoginAt = context.now.milliseconds
        let tokens = try context.tokens.issue(to: &user, Grant(provider: ProviderID.passkey))
        try context.users.update(user, identitiesChanged: false)
        return ["idToken": tokens["idToken"] ?? .null, "refreshToken": tokens["refreshToken"] ?? .null]
    }
}
