internal import LockstepPrimitives

/// `GET /v2/passwordPolicy`: absent from Firebase's emulator.
struct GetPasswordPolicy: Operation {
    let shape = Shape.empty
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        guard call.settings.mode == .strict else {
            throw APIError.notImplemented("identitytoolkit.getPasswordPolicy is not implemented in the Auth Emulator.")
        }
        return call.rules.passwordPolicy.json
    }
}
