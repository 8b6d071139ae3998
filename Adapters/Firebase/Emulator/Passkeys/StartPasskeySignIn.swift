internal import LockstepPrimitives

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
