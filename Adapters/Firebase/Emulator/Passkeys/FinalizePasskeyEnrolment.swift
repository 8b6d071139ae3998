internal import LockstepPrimitives
internal import LockstepSQLite

/// Firebase's `passkeyEnrollment:finalize`.
struct FinalizePasskeyEnrolment: Operation {
    let shape = Shape.passkeyEnrolmentFinalize
    let effort = Effort.tokens

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        let token = try call.require(body.given("idToken"), .missingIDToken)
        let response = try call.require(body.message("authenticatorRegistrationResponse"), .missingAuthenticatorResponse)
        return try call.transaction { db in
            var user = try call.holder(of: token, &db).user
            let credential = try call.require(response.given("id"), .invalidCredentialID)
            try call.require(try db.user(passkey: credential, in: call.space) == nil, .credentialInUse)
            let name = body.given("name") ?? body.given("displayName") ?? "Unnamed Passkey"
            user.passkeys = (user.passkeys ?? []) + [Passkey(credentialID: credential, name: name)]
            let tokens = try call.issue(to: &user, Grant(provider: ProviderID.passkey), &db)
            try db.update(user, in: call.space)
            return [
                "localId": .string(user.localID), "idToken": tokens["idToken"] ?? .null,
                "refreshToken": tokens["refreshToken"] ?? .null,
            ]
        }
    }
}
