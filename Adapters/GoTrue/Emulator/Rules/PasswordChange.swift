internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Checks whether the signed-in user may set a new password now.
struct PasswordChange {
    let context: RequestContext
    let password: String
    let current: String
    let nonce: String

    func check(_ user: inout User) throws {
        if context.settings.passwords.requiresReauthentication { try reauthenticate(&user) }
        // A nonce is used up even if a later check fails.
        if context.settings.passwords.requiresCurrent { try checkCurrent(user) }
        if let hash = user.passwordHash, try context.passwords.matches(password, for: hash) {
            throw GoTrueError.samePassword.kept
        }
    }

    /// A session that is younger than a day needs no nonce.
    private func reauthenticate(_ user: inout User) throws {
        if let session = context.session, context.now <= session.createdAt + .seconds(86_400) { return }
        guard !nonce.isEmpty else { throw GoTrueError.reauthenticationNeeded }
        let isByMail = !user.email.isEmpty
        let life = isByMail ? context.settings.mail.codeLife : context.settings.sms.codeLife
        let hash = CodeHash.of(isByMail ? user.email : user.phone, nonce)
        guard VerifyCode.isGood(hash, user.reauthentication, life: life, at: context.now) else { throw GoTrueError.badNonce }
        user.reauthentication.hash = ""
        try context.users.save(&user)
        try context.db.clearOneTimeTokens(of: user.id)
    }

    private func checkCurrent(_ user: User) throws {
        guard let hash = user.passwordHash else { return }
        if context.session?.isProven(by: [.otp, .magicLink, .recovery]) == true { return }
        guard !current.isEmpty else { throw GoTrueError.noCurrentPassword.kept }
        guard try context.passwords.matches(current, for: hash) else { throw GoTrueError.wrongCurrentPassword.kept }
    }
}
