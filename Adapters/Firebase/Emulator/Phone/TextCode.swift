internal import LockstepPrimitives

/// A code that was sent by text message, under its session info.
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
