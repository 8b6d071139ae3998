internal import LockstepPrimitives
internal import LockstepSQLite

extension Call {
    /// Refuses a malformed number, and a number that another user has.
    func requireFree(phoneNumber number: String, _ db: inout SQLiteConnection) throws {
        try require(Formats.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
        try require(try db.user(phoneNumber: number, in: space) == nil, .phoneNumberExists)
    }

    /// Sends a code to a number, and returns its session info.
    func sendTextCode(to number: String, _ db: inout SQLiteConnection) throws -> String {
        let code = TextCode(
            session: Base64.encode(backend.randomness.bytes(169), .url), code: backend.randomness.text(6, of: "0123456789"),
            phoneNumber: number, createdAt: now)
        try db.insert(code, in: space)
        try backend.text(code)
        return code.session
    }

    /// The number that a code proves; the code is used up.
    func number(provenBy code: String, session: String, _ db: inout SQLiteConnection) throws -> String {
        let sent = try require(try db.textCode(session: session, in: space), .invalidSessionInfo)
        if let lifetime = settings.lifetimes.textMessage { try require(now - sent.createdAt <= lifetime, .sessionExpired) }
        try require(sent.code == code, .invalidCode)
        try db.remove(sent, in: space)
        return sent.phoneNumber
    }
}
