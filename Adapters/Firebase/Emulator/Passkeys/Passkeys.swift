internal import LockstepPrimitives
internal import LockstepSQLite

/// `passkeyEnrollment:start`: the options with which a browser creates a passkey.
struct StartPasskeyEnrolment: Endpoint {
    let shape = Shape.passkeyEnrolmentStart

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.passkeys.requireOpen()
        let token = try request.require(request.body.given("idToken"), .missingIDToken)
        let user = try request.tokens.holder(of: token).user
        let party = JSON.string(request.settings.passkeys.relyingParty)
        return [
            "credentialCreationOptions": [
                "rp": ["name": party, "id": party],
                "user": [
                    "id": .string(Base64.encode(user.localID.utf8)), "name": .string(user.email ?? "user@example.com"),
                    "displayName": .string(user.displayName ?? "User"),
                ],
                "challenge": try request.passkeys.newChallenge(for: user),
                "pubKeyCredParams": [["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257]],
                "timeout": PasskeyService.timeout, "attestation": "none",
            ]
        ]
    }
}

/// Firebase's `passkeyEnrollment:finalize`.
struct FinalizePasskeyEnrolment: Endpoint {
    let shape = Shape.passkeyEnrolmentFinalize

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.passkeys.requireOpen()
        let token = try request.require(body.given("idToken"), .missingIDToken)
        let response = try request.require(body.message("authenticatorRegistrationResponse"), .missingAuthenticatorResponse)
        var user = try request.tokens.holder(of: token).user
        user.passkeys = (user.passkeys ?? []) + [try request.passkeys.made(response, for: user)]
        let tokens = try request.tokens.issue(to: &user, Grant(provider: ProviderID.passkey))
        try request.db.update(user, in: request.scope)
        return [
            "localId": .string(user.localID), "idToken": tokens["idToken"] ?? .null,
            "refreshToken": tokens["refreshToken"] ?? .null,
        ]
    }
}

/// Firebase's `passkeySignIn:start`.
struct StartPasskeySignIn: Endpoint {
    let shape = Shape.passkeySignInStart

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.passkeys.requireOpen()
        var options: JSONObject = [
            "challenge": try request.passkeys.newChallenge(for: nil),
            "rpId": .string(request.settings.passkeys.relyingParty), "userVerification": "required",
        ]
        // Only strict mode ends a challenge.
        if request.settings.mode == .strict { options["timeout"] = PasskeyService.timeout }
        return ["credentialRequestOptions": .object(options)]
    }
}

/// Firebase's `passkeySignIn:finalize`.
struct FinalizePasskeySignIn: Endpoint {
    let shape = Shape.passkeySignInFinalize

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.passkeys.requireOpen()
        let response = try request.require(
            request.body.message("authenticatorAuthenticationResponse"), .missingAuthenticatorResponse)
        var user = try request.passkeys.user(of: response)
        user.lastLoginAt = request.now.milliseconds
        let tokens = try request.tokens.issue(to: &user, Grant(provider: ProviderID.passkey))
        try request.db.update(user, identitiesChanged: false, in: request.scope)
        return ["idToken": tokens["idToken"] ?? .null, "refreshToken": tokens["refreshToken"] ?? .null]
    }
}
