internal import LockstepPrimitives
internal import LockstepSQLite

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
