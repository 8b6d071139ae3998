internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:revokeToken`: revokes an identity provider's grant, as apps that use Apple must before they delete an account.
///
/// Firebase's emulator lacks it. This emulator does not call the provider: it validates the call and answers as production does.
struct RevokeToken: Operation {
    let shape = Shape.revokeToken
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        guard call.settings.mode == .strict else {
            throw APIError.notImplemented("identitytoolkit.accounts.revokeToken is not implemented in the Auth Emulator.")
        }
        try call.requireOpen()
        let provider = try call.require(call.body.given("providerId"), .missingProviderID)
        let token = try call.require(call.body.given("idToken"), .missingIDToken)
        try call.require(call.body.given("token") != nil, .invalidResponse, "The token to revoke is missing.")
        try call.require(
            call.settings.identityProviders[provider] != nil, .operationNotAllowed,
            "The identity provider configuration is not found.")
        _ = try call.reading { db in try call.holder(of: token, &db).user.localID }
        return [:]
    }
}
