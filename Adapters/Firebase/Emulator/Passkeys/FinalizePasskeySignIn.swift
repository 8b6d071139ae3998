internal import LockstepPrimitives
internal import LockstepSQLite

/// Firebase's `passkeySignIn:finalize`.
struct FinalizePasskeySignIn: Operation {
    let shape = Shape.passkeySignInFinalize
    let effort = Effort.tokens

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        let response = try call.require(
            call.body.message("authenticatorAuthenticationResponse"), .missingAuthenticatorResponse)
        let credential = try call.require(response.given("id"), .invalidCredentialID)
        return try call.transaction { db in
            var user = try call.require(try db.user(passkey: credential, in: call.space), .passkeyNotFound)
            try call.require(user.isDisabled != true, .userDisabled)
            user.lastLoginAt = call.now.milliseconds
            let tokens = try call.issue(to: &user, Grant(provider: ProviderID.passkey), &db)
            try db.touch(user, in: call.space)
            return ["idToken": tokens["idToken"] ?? .null, "refreshToken": tokens["refreshToken"] ?? .null]
        }
    }
}
