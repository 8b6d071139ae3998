internal import LockstepPrimitives
internal import LockstepSQLite

/// Whether a user may set a new password now.
struct PasswordChange {
    var password: String
    var current: String
    var nonce: String

    func check(_ user: inout User, _ turn: inout Turn, _ db: inout SQLiteConnection) throws {
        if turn.settings.passwords.requiresReauthentication { try reauthenticate(&user, turn, &db) }
        // A nonce is used up even if a later check fails.
        if turn.settings.passwords.requiresCurrent { try checkCurrent(user, turn) }
        if let hash = user.passwordHash, try turn.isRight(password, for: hash) {
            throw GoTrueError.unprocessable(.samePassword, "New password should be different from the old password.").kept
        }
    }

    /// A session of less than a day needs no nonce.
    private func reauthenticate(_ user: inout User, _ turn: Turn, _ db: inout SQLiteConnection) throws {
        if let session = turn.caller?.session, turn.now <= session.createdAt + .seconds(86_400) { return }
        guard !nonce.isEmpty else {
            throw GoTrueError.bad(.reauthenticationNeeded, "Password update requires reauthentication")
        }
        let isByMail = !user.email.isEmpty
        let life = isByMail ? turn.settings.mail.codeLife : turn.settings.sms.codeLife
        let hash = CodeHash.of(isByMail ? user.email : user.phone, nonce)
        guard VerifyCode.isGood(hash, user.reauthentication, life: life, at: turn.now) else {
            throw GoTrueError.unprocessable(.reauthenticationNotValid, "Nonce has expired or is invalid")
        }
        user.reauthentication.hash = ""
        try turn.save(&user, &db)
        try db.clearOneTimeTokens(of: user.id)
    }

    private func checkCurrent(_ user: User, _ turn: Turn) throws {
        guard let hash = user.passwordHash else { return }
        if turn.caller?.session?.isProven(by: [.otp, .magicLink, .recovery]) == true { return }
        let message = "Current password required when setting new password."
        guard !current.isEmpty else { throw GoTrueError.bad(.currentPasswordRequired, message).kept }
        guard try turn.isRight(current, for: hash) else { throw GoTrueError.bad(.currentPasswordInvalid, message).kept }
    }
}
