internal import LockstepPrimitives

/// One entry of `passkeyInfo`.
struct Passkey: Sendable, Equatable {
    let credentialID: String
    let name: String

    var json: JSON { ["credentialId": .string(credentialID), "name": .string(name)] }
}
