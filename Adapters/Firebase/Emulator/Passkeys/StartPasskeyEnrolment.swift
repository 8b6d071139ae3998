internal import LockstepPrimitives
internal import LockstepSQLite

/// `passkeyEnrollment:start`: the options with which a browser creates a passkey.
///
/// Firebase's emulator has passkeys as a mock by credential id.
struct StartPasskeyEnrolment: Operation {
    let shape = Shape.passkeyEnrolmentStart
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        let token = try call.require(call.body.given("idToken"), .missingIDToken)
        let user = try call.reading { db in try call.holder(of: token, &db).user }
        return [
            "credentialCreationOptions": [
                "rp": ["name": "localhost", "id": "localhost"],
                "user": [
                    "id": .string(Base64.encode(user.localID.utf8)), "name": .string(user.email ?? "user@example.com"),
                    "displayName": .string(user.displayName ?? "User"),
                ],
                "challenge": .string(Base64.encode(call.backend.newID(32).utf8)),
                "pubKeyCredParams": [["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257]],
                "timeout": 60000, "attestation": "none",
            ]
        ]
    }
}
