internal import LockstepPrimitives
internal import LockstepSQLite

/// One entry of `passkeyInfo`.
struct Passkey: Sendable, Equatable {
    let credentialID: String
    let name: String

    var json: JSON { ["credentialId": .string(credentialID), "name": .string(name)] }
}

/// `passkeyEnrollment:start`: the options with which a browser creates a passkey.
///
/// Firebase's emulator has passkeys as a mock by credential id.
struct StartPasskeyEnrolment: Endpoint {
    let shape = Shape.passkeyEnrolmentStart
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        let token = try request.require(request.body.given("idToken"), .missingIDToken)
        let user = try request.tokens.holder(of: token).user
        return [
            "credentialCreationOptions": [
                "rp": ["name": "localhost", "id": "localhost"],
                "user": [
                    "id": .string(Base64.encode(user.localID.utf8)), "name": .string(user.email ?? "user@example.com"),
                    "displayName": .string(user.displayName ?? "User"),
                ],
                "challenge": .string(Base64.encode(request.newID(32).utf8)),
                "pubKeyCredParams": [["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257]],
                "timeout": 60000, "attestation": "none",
            ]
        ]
    }
}

/// Firebase's `passkeyEnrollment:finalize`.
struct FinalizePasskeyEnrolment: Endpoint {
    let shape = Shape.passkeyEnrolmentFinalize

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        let token = try request.require(body.given("idToken"), .missingIDToken)
        let response = try request.require(body.message("authenticatorRegistrationResponse"), .missingAuthenticatorResponse)
        var user = try request.tokens.holder(of: token).user
        let credential = try request.require(response.given("id"), .invalidCredentialID)
        try request.require(try request.db.user(passkey: credential, in: request.scope) == nil, .credentialInUse)
        let name = body.given("name") ?? body.given("displayName") ?? "Unnamed Passkey"
        user.passkeys = (user.passkeys ?? []) + [Passkey(credentialID: credential, name: name)]
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
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        return [
            "credentialRequestOptions": [
                "challenge": .string(Base64.encode(request.newID(32).utf8)), "rpId": "localhost",
                "userVerification": "required",
            ]
        ]
    }
}

/// Firebase's `passkeySignIn:finalize`.
struct FinalizePasskeySignIn: Endpoint {
    let shape = Shape.passkeySignInFinalize

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        let response = try request.require(
            request.body.message("authenticatorAuthenticationResponse"), .missingAuthenticatorResponse)
        let credential = try request.require(response.given("id"), .invalidCredentialID)
        var user = try request.require(try request.db.user(passkey: credential, in: request.scope), .passkeyNotFound)
        try request.require(user.isDisabled != true, .userDisabled)
        user.lastLoginAt = request.now.milliseconds
        let tokens = try request.tokens.issue(to: &user, Grant(provider: ProviderID.passkey))
        try request.db.touch(user, in: request.scope)
        return ["idToken": tokens["idToken"] ?? .null, "refreshToken": tokens["refreshToken"] ?? .null]
    }
}
