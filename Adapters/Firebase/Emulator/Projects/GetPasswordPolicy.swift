internal import LockstepPrimitives

/// `GET /v2/passwordPolicy`: absent from Firebase's emulator.
struct GetPasswordPolicy: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        guard request.settings.mode == .strict else {
            throw APIError.notImplemented("identitytoolkit.getPasswordPolicy is not implemented in the Auth Emulator.")
        }
        return request.rules.passwordPolicy.json
    }
}
