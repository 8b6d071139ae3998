internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Codes by text message, and the numbers that they prove.
struct PhoneNumberService {
    let request: AuthorizedRequest

    /// Refuses a malformed number, and a number that another user has.
    func requireFree(_ number: String) throws {
        try request.require(Formats.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
        try request.require(try request.db.user(phoneNumber: number, in: request.scope) == nil, .phoneNumberExists)
    }

    /// Sends a code to a number, and returns its session info.
    func sendCode(to number: String) throws -> String {
        let code = TextCode(
            session: request.newToken("text session", bytes: 169),
            code: request.context.nextID(of: "text code") { $0.text(6, of: "0123456789") }, phoneNumber: number,
            createdAt: request.now)
        try request.db.insert(code, in: request.scope)
        let text = "\(code.code) is your verification code for \(request.state.project)."
        request.context.send(.text(to: number, text: text, code: code.code), failure: APIError.outboxUnreachable)
        return code.session
    }

    /// The number that a code proves; the code is used up.
    func number(provenBy code: String, session: String) throws -> String {
        let sent = try request.require(try request.db.textCode(session: session, in: request.scope), .invalidSessionInfo)
        if let lifetime = request.settings.lifetimes.textMessage {
            try request.require(request.now - sent.createdAt <= lifetime, .sessionExpired)
        }
        try request.require(sent.code == code, .invalidCode)
        try request.db.remove(sent, in: request.scope)
        return sent.phoneNumber
    }
}
