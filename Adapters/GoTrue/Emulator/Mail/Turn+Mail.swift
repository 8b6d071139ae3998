internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    /// Asks whether a mail of a kind may go out already.
    func waitForInterval(since sentAt: Instant?) throws {
        guard let sentAt, settings.mail.interval > .milliseconds(1) else { return }
        let end = sentAt + settings.mail.interval
        guard end > now else { return }
        throw GoTrueError.tooMany(.overEmailRate, Self.patience(until: end, now))
    }

    static func patience(until end: Instant, _ now: Instant) -> String {
        "For security purposes, you can only request this after \((end - now).components.seconds) seconds."
    }

    /// The mail that confirms a sign-up.
    mutating func sendConfirmation(to user: inout User, _ proof: ProofKey?, _ db: inout SQLiteConnection) throws {
        try waitForInterval(since: user.confirmation.sentAt)
        let code = code("confirmation", length: settings.mail.codeLength)
        user.confirmation = User.Slot(hash: Self.hash(user.email, code, proof), sentAt: now)
        try send(.confirmation, to: user, code, user.confirmation.hash)
        try save(&user, &db)
        try db.setOneTimeToken(.confirmation, user.confirmation.hash, of: user, for: user.email, at: now)
    }

    mutating func sendInvite(to user: inout User, _ db: inout SQLiteConnection) throws {
        let code = code("confirmation", length: settings.mail.codeLength)
        user.confirmation = User.Slot(hash: CodeHash.of(user.email, code), sentAt: now)
        user.invitedAt = now
        try send(.invite, to: user, code, user.confirmation.hash)
        try save(&user, &db)
        try db.setOneTimeToken(.confirmation, user.confirmation.hash, of: user, for: user.email, at: now)
    }

    /// The mail of a forgotten password, or of a magic link: both use the same slot.
    mutating func sendRecovery(
        _ purpose: Letter.Purpose, to user: inout User, _ proof: ProofKey?, _ db: inout SQLiteConnection
    ) throws {
        try waitForInterval(since: user.recovery.sentAt)
        let code = code("recovery", length: settings.mail.codeLength)
        user.recovery = User.Slot(hash: Self.hash(user.email, code, proof), sentAt: now)
        try send(purpose, to: user, code, user.recovery.hash)
        try save(&user, &db)
        try db.setOneTimeToken(.recovery, user.recovery.hash, of: user, for: user.email, at: now)
    }

    mutating func sendReauthentication(to user: inout User, _ db: inout SQLiteConnection) throws {
        try waitForInterval(since: user.reauthentication.sentAt)
        let code = code("reauthentication", length: settings.mail.codeLength)
        user.reauthentication = User.Slot(hash: CodeHash.of(user.email, code), sentAt: now)
        try post(
            Letter(purpose: .reauthentication, address: user.email, code: code, values: values(for: user, code, "", nil)), user)
        try save(&user, &db)
        try db.setOneTimeToken(.reauthentication, user.reauthentication.hash, of: user, for: user.email, at: now)
    }

    /// The mails of a change of address: to the new one, and to the old one where the change is secured.
    mutating func sendEmailChange(
        to address: String, of user: inout User, _ proof: ProofKey?, _ db: inout SQLiteConnection
    ) throws {
        try waitForInterval(since: user.emailChangeSentAt)
        let code = code("email_change_new", length: settings.mail.codeLength)
        user.emailChange = address
        user.emailChangeNewHash = Self.hash(address, code, proof)
        user.emailChangeStatus = 0
        user.emailChangeSentAt = now
        let isSecured = settings.mail.securesChange && !user.email.isEmpty
        if isSecured {
            let current = self.code("email_change_current", length: settings.mail.codeLength)
            user.emailChangeCurrentHash = Self.hash(user.email, current, proof)
            try send(.emailChange, to: user, current, user.emailChangeCurrentHash)
        }
        try send(.emailChange, to: user, code, user.emailChangeNewHash, address: address)
        try save(&user, &db)
        if isSecured {
            try db.setOneTimeToken(.emailChangeCurrent, user.emailChangeCurrentHash, of: user, for: user.email, at: now)
        }
        try db.setOneTimeToken(.emailChangeNew, user.emailChangeNewHash, of: user, for: address, at: now)
    }

    static func hash(_ address: String, _ code: String, _ proof: ProofKey?) -> String {
        (proof == nil ? "" : CodeHash.proofPrefix) + CodeHash.of(address, code)
    }

    private mutating func send(
        _ purpose: Letter.Purpose, to user: User, _ code: String, _ hash: String, address: String? = nil
    ) throws {
        let link = ActionLink(core: core).text(type: purpose.linkType, hash: hash, target: target, purpose: purpose)
        let letter = Letter(
            purpose: purpose, address: address ?? user.email, code: code, link: link, values: values(for: user, code, hash, link))
        try post(letter, user)
    }

    private func values(for user: User, _ code: String, _ hash: String, _ link: String?) -> [String: String] {
        [
            "SiteURL": settings.siteURL, "ConfirmationURL": link ?? "", "Email": user.email, "NewEmail": user.emailChange,
            "SendingTo": user.emailChange, "Token": code, "TokenHash": hash, "RedirectTo": target,
        ]
    }

    /// Counts a mail and puts it with those that go out at the end.
    private mutating func post(_ letter: Letter, _ user: User) throws {
        if !settings.mail.confirmsByItself, let limiter = core.limits.mails, limiter.admit("all") != nil {
            throw GoTrueError.tooMany(.overEmailRate, "email rate limit exceeded")
        }
        if let hook = settings.hooks.sendEmail { return try callEmailHook(hook, letter, user) }
        letters.append(letter)
    }

    /// Hands the mails to the outbox, as the last thing of a transaction.
    mutating func post() throws {
        for letter in letters {
            do {
                let subject = MailTemplate(settings.mail.subjects[letter.purpose.rawValue] ?? "").filled(letter.values)
                try core.environment.outbox.mail(
                    to: letter.address, subject: subject, text: letter.link ?? letter.code, html: MailTemplate.page(letter),
                    code: letter.code, link: letter.link, from: settings.mail.sender)
            } catch {
                throw GoTrueError.failure(letter.purpose.failure)
            }
        }
        letters = []
    }
}
