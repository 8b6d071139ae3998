public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Codes and links of messages for the control routes.
extension GoTrueAdministrator {
    /// Returns whether the code and the link of a message still work.
    ///
    /// - Throws: An error of the emulator's database.
    public func standing(of message: MessageProof) throws -> MessageStanding {
        guard let code = message.code else { return .spent }
        let hash = CodeHash.of(message.recipient, code)
        let isMail = message.recipient.utf8.contains(UInt8(ascii: "@"))
        let settings = state.settings
        let (now, life) = (state.environment.now, isMail ? settings.mail.codeLife : settings.sms.codeLife)
        return try state.database.read { db in
            // An email has one hash for its code and its link.
            let pending: SQL = "token_hash IN (\(hash), \(CodeHash.proofPrefix + hash))"
            if let token = try db.find(OneTimeToken.self, pending) { return now < token.createdAt + life ? .open : .expired }
            let challenges = try isMail ? [] : db.all(FactorChallenge.self, "otp_code = \(code) AND verified_at IS NULL")
            guard let last = challenges.map(\.createdAt).max() else { return .spent }
            return now < last + settings.factors.challengeLife ? .open : .expired
        }
    }
}
