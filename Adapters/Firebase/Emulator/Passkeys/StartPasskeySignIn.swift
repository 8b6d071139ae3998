internal import LockstepPrimitives

/// Firebase's `passkeySignIn:start`.
struct StartPasskeySignIn: Operation {
    let shape = Shape.passkeySignInStart
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        return [
            "credentialRequestOptions": [
                "challenge": .string(Base64.encode(call.backend.newID(32).utf8)), "rpId": "localhost",
                "userVerification": "required",
            ]
        ]
    }
}
