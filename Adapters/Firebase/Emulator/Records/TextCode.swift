internal import LockstepEmulation
internal import LockstepPrimitives

/// A code that was sent by SMS, with its session info.
struct TextCode: Record {
    var space: Int64 = 0
    /// Firebase's `sessionInfo`.
    var session = ""
    var code = ""
    var phoneNumber = ""
    var createdAt = Instant(seconds: 0)

    static let table = Table<TextCode>(
        "text_codes",
        [
            Column("space", \.space, .belongs(to: "spaces (id)")), Column("session", \.session), Column("code", \.code),
            Column("phone_number", \.phoneNumber), Column("created_at", \.createdAt),
        ], key: ["space", "session"], numbered: "id", rules: ["UNIQUE (space, session)"])

    /// The entry of the emulator's list of codes.
    var json: JSON {
        ["code": .string(code), "phoneNumber": .string(phoneNumber), "sessionInfo": .string(session)]
    }
}

/// A verification of a number that another account has.
struct PhoneProof: Record {
    var space: Int64 = 0
    var proof = ""
    var phoneNumber = ""
    var createdAt = Instant(seconds: 0)

    static let table = Table<PhoneProof>(
        "phone_proofs",
        [
            Column("space", \.space, .belongs(to: "spaces (id)")), Column("proof", \.proof),
            Column("phone_number", \.phoneNumber),
            Column("created_at", \.createdAt, .initially("0")),
        ], key: ["space", "proof"], isKeyed: true)
}
