internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:revokeToken`: revokes an identity provider's grant, as apps that use Apple must before they delete an account.
///
/// Firebase's emulator lacks it. This emulator does not call the provider: it validates the call and answers as production does.
struct RevokeToken: Endpoint {
    let shape = Shape.revokeToken
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        guard request.settings.mode == .strict else {
            throw APIError.notImplemented("identitytoolkit.accounts.revokeToken is not implemented in the Auth Emulator.")
        }
        try request.requireOpen()
        let provider = try request.require(request.body.given("providerId"), .missingProviderID)
        let token = try request.require(request.body.given("idToken"), .missingIDToken)
        try request.require(request.body.given("token") != nil, .invalidResponse, "The token to revoke is missing.")
        try request.require(
            request.settings.identityProviders[provider] != nil, .operationNotAllowed,
            "The identity provider configuration is not found.")
        _ = try request.tokens.holder(of: token).user.localID
        return [:]
    }
}
