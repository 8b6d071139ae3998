internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

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

extension SQLiteConnection {
    mutating func insert(_ code: TextCode, in scope: ProjectScope) throws {
        try run(
            """
            INSERT INTO text_codes (space, session, code, phone_number, created_at)
            VALUES (\(scope.id), \(code.session), \(code.code), \(code.phoneNumber), \(code.createdAt))
            """)
    }

    mutating func textCode(session: String, in scope: ProjectScope) throws -> TextCode? {
        try first(
            "SELECT session, code, phone_number, created_at FROM text_codes WHERE space = \(scope.id) AND session = \(session)"
        ) { row throws(SQLiteError) in try TextCode(row) }
    }

    /// The codes that are open, in the order in which they were made.
    mutating func textCodes(in scope: ProjectScope) throws -> [TextCode] {
        try all("SELECT session, code, phone_number, created_at FROM text_codes WHERE space = \(scope.id) ORDER BY id") {
            row throws(SQLiteError) in try TextCode(row)
        }
    }

    mutating func insertPhoneProof(_ proof: String, phoneNumber: String, at now: Instant, in scope: ProjectScope) throws {
        try run(
            """
            INSERT INTO phone_proofs (space, proof, phone_number, created_at)
            VALUES (\(scope.id), \(proof), \(phoneNumber), \(now))
            """)
    }

    /// Whether `proof` was made for that number, at `start` or later.
    mutating func hasPhoneProof(_ proof: String, phoneNumber: String, since start: Instant, in scope: ProjectScope) throws
        -> Bool
    {
        try exists(
            """
            SELECT 1 FROM phone_proofs WHERE space = \(scope.id) AND proof = \(proof) AND phone_number = \(phoneNumber)
            AND created_at >= \(start)
            """)
    }
}

extension TextCode {
    fileprivate init(_ row: borrowing SQLiteRow) throws(SQLiteError) {
        self.init(session: try row[0], code: try row[1], phoneNumber: try row[2], createdAt: try row[3])
    }
}

/// Codes by text message, and the numbers that they prove.
struct PhoneNumberService {
    let context: RequestContext

    /// How long the proof of another account's number is valid, as its answer says.
    ///
    /// Firebase's own emulator says so, too, and accepts it without end; so does this one unless text messages expire.
    static let proofLife = Duration.seconds(3600)

    /// Whether a proof of that number was made, and has not expired.
    ///
    /// It can be used again.
    func accepts(proof: String, of number: String) throws -> Bool {
        let start = context.settings.lifetimes.textMessage == nil ? Instant(seconds: 0) : context.now - Self.proofLife
        return try context.db.hasPhoneProof(proof, phoneNumber: number, since: start, in: context.scope)
    }

    /// Refuses a malformed number, and a number that another user has.
    func requireFree(_ number: String) throws {
        try context.require(context.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
        try context.require(try context.db.user(phoneNumber: number, in: context.scope) == nil, .phoneNumberExists)
    }

    /// Sends a code to a number, and returns its session info.
    func sendCode(to number: String) throws -> String {
        let code = TextCode(
            session: context.newToken("text session", bytes: 169),
            code: context.nextID(of: "text code") { $0.text(6, of: "0123456789") }, phoneNumber: number,
            createdAt: context.now)
        try context.db.insert(code, in: context.scope)
        let text = "\(code.code) is your verification code for \(context.state.project)."
        context.send(.text(to: number, text: text, code: code.code), failure: APIError.outboxUnreachable)
        return code.session
    }

    /// The number that the `phoneVerificationInfo` of a second factor proves; its code is used up.
    func number(provenBy info: Body) throws -> String {
        if info.given("androidVerificationProof") != nil {
            throw APIError.notImplemented("androidVerificationProof is unsupported!")
        }
        let code = try context.require(info.given("code"), .missingCode)
        return try number(provenBy: code, session: try context.require(info.given("sessionInfo"), .missingSessionInfo))
    }

    /// The number that a code proves; the code is used up.
    func number(provenBy code: String, session: String) throws -> String {
        try context.functions.spend(.textCode(session: session), orRefuse: .invalidSessionInfo) {
            let sent = try context.require(try context.db.textCode(session: session, in: context.scope), .invalidSessionInfo)
            if let lifetime = context.settings.lifetimes.textMessage {
                try context.require(context.now - sent.createdAt <= lifetime, .sessionExpired)
            }
            try context.require(sent.code == code, .invalidCode)
            return sent.phoneNumber
        }
    }
}
