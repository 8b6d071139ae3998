internal import LockstepPrimitives
internal import LockstepSQLite

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
