internal import LockstepPrimitives

/// A code that was sent by text message, under the name that the client has for it.
struct TextCode: Sendable, Equatable {
    /// Firebase's `sessionInfo`.
    let session: String
    let code: String
    let phoneNumber: String
    let createdAt: Instant

    /// The entry of the emulator's list of codes.
    var json: JSON {
        ["code": .string(code), "phoneNumber": .string(phoneNumber), "sessionInfo": .string(session)]
    }
}
