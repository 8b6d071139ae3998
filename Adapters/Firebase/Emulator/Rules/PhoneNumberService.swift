internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Codes by SMS, and the numbers that they verify.
struct PhoneNumberService {
    let context: RequestContext

    /// The lifetime of the verification of another account's number, as the response contains it.
    ///
    /// Firebase's own emulator returns this lifetime, too, but accepts the verification without a limit. This emulator
    /// does the same unless codes by SMS expire.
    static let proofLife = Duration.seconds(3600)

    /// Returns whether a verification of a number was created and has not expired.
    ///
    /// It can be used again.
    func accepts(proof: String, of number: String) throws -> Bool {
        let start = context.settings.lifetimes.textMessage == nil ? Instant(seconds: 0) : context.now - Self.proofLife
        return try context.db.find(
            PhoneProof.self,
            "space = \(context.scope.id) AND proof = \(proof) AND phone_number = \(number) AND created_at >= \(start)") != nil
    }

    /// Creates a verification of a number.
    func prove(_ number: String) throws -> String {
        let proof = context.newToken("phone proof", bytes: 89)
        try context.db.insert(
            PhoneProof(space: context.scope.id, proof: proof, phoneNumber: number, createdAt: context.now))
        return proof
    }

    /// Returns the open codes in the order in which they were created.
    func codes() throws -> [TextCode] { try context.db.all(TextCode.self, "space = \(context.scope.id) ORDER BY id") }

    /// Rejects a malformed number, and a number that another user has.
    func requireFree(_ number: String) throws {
        try context.require(context.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
        try context.require(try context.users.find(phoneNumber: number) == nil, .phoneNumberExists)
    }

    /// Sends a code to a number, and returns its session info.
    func sendCode(to number: String) throws -> String {
        let code = TextCode(
            space: context.scope.id, session: context.newToken("text session", bytes: 169),
            code: context.nextID(of: "text code") { $0.text(6, of: "0123456789") }, phoneNumber: number,
            createdAt: context.now)
        try context.db.insert(code)
        let text = "\(code.code) is your verification code for \(context.state.project)."
        context.send(.text(to: number, text: text, code: code.code), failure: APIError.outboxUnreachable)
        return code.session
    }

    /// Returns the number that the `phoneVerificationInfo` of a second factor verifies; its code is used up.
    func number(provenBy info: Body) throws -> String {
        if info.given("androidVerificationProof") != nil {
            throw APIError.notImplemented("androidVerificationProof is unsupported!")
        }
        let code = try context.require(info.given("code"), .missingCode)
        return try number(provenBy: code, session: try context.require(info.given("sessionInfo"), .missingSessionInfo))
    }

    /// Returns the number that a code verifies; the code is used up.
    func number(provenBy code: String, session: String) throws -> String {
        try context.functions.spend(.textCode(session: session), orRefuse: .invalidSessionInfo) {
            let sent = try context.require(
                try context.db.find(TextCode.self, "space = \(context.scope.id) AND session = \(session)"), .invalidSessionInfo)
            if let lifetime = context.settings.lifetimes.textMessage {
                try context.require(context.now - sent.createdAt <= lifetime, .sessionExpired)
            }
            try context.require(sent.code == code, .invalidCode)
            return sent.phoneNumber
        }
    }
}
