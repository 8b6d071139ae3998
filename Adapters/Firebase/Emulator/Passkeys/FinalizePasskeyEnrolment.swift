internal import LockstepPrimitives
internal import LockstepSQLite

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
