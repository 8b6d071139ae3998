internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    /// Refuses a mail of a kind that comes too soon.
    func waitForInterval(since sentAt: Instant?) throws {
        guard let sentAt, settings.mail.interval > .milliseconds(1) else { return }
        let end = sentAt + settings.mail.interval
        guard end > now else { return }
        throw GoTrueError.tooMany(.overEmailRate, Self.waitingTime(until: end, now))
    }

    static func waitingTime(until end: Instant, _ now: Instant) -> String {
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
        try send(.reauthentication, to: user, code, user.reauthentication.hash)
        try save(&user, &db)
        try db.setOneTimeToken(.reauthentication, user.reauthentication.hash, of: user, for: user.email, at: now)
    }

    /// The mails of a change of address: to the new one, and to the old one where the change is secured.
    mutating func sendEmailChange(
        to address: String, of user: inout User, _ proof: ProofKey?, _ db: inout SQLiteConnection
    ) throws {
        try waitForInterval(since: user.emailChangeSentAt)
        let newCode = code("email_change_new", length: settings.mail.codeLength)
        user.emailChange = address
        user.emailChangeNewHash = Self.hash(address, newCode, proof)
        user.emailChangeStatus = 0
        user.emailChangeSentAt = now
        var code = ""
        let isSecured = settings.mail.securesChange && !user.email.isEmpty
        if isSecured {
            code = self.code("email_change_current", length: settings.mail.codeLength)
            user.emailChangeCurrentHash = Self.hash(user.email, code, proof)
        }
        try sendEmailChange(of: user, code: code, newCode: newCode, isSecured: isSecured)
        try save(&user, &db)
        if isSecured {
            try db.setOneTimeToken(.emailChangeCurrent, user.emailChangeCurrentHash, of: user, for: user.email, at: now)
        }
        try db.setOneTimeToken(.emailChangeNew, user.emailChangeNewHash, of: user, for: address, at: now)
    }

    private mutating func sendEmailChange(of user: User, code: String, newCode: String, isSecured: Bool) throws {
        try admitMail(to: [user.emailChange] + (isSecured ? [user.email] : []))
        if let hook = settings.hooks.sendEmail {
            return try callEmailHook(
                hook, Letter.Purpose.emailChange.linkType, user, code: isSecured ? code : newCode,
                hash: user.emailChangeNewHash, newCode: isSecured ? newCode : "",
                newHash: isSecured ? user.emailChangeCurrentHash : "")
        }
        if isSecured { letters.append(letter(.emailChange, to: user, code, user.emailChangeCurrentHash)) }
        letters.append(letter(.emailChange, to: user, newCode, user.emailChangeNewHash, address: user.emailChange))
    }

    static func hash(_ address: String, _ code: String, _ proof: ProofKey?) -> String {
        (proof == nil ? "" : CodeHash.proofPrefix) + CodeHash.of(address, code)
    }

    private mutating func send(_ purpose: Letter.Purpose, to user: User, _ code: String, _ hash: String) throws {
        try admitMail(to: [user.email])
        // A mail needs an address.
        guard !user.email.isEmpty || settings.hooks.sendEmail != nil else { throw GoTrueError.failure(purpose.failure) }
        if let hook = settings.hooks.sendEmail {
            return try callEmailHook(hook, purpose.linkType, user, code: code, hash: hash)
        }
        letters.append(letter(purpose, to: user, code, hash))
    }

    private func letter(
        _ purpose: Letter.Purpose, to user: User, _ code: String, _ hash: String, address: String? = nil
    ) -> Letter {
        var values = ["SiteURL": settings.siteURL, "Email": user.email, "Token": code]
        for (name, value) in user.userMetadata ?? [:] { values["Data.\(name)"] = value.string ?? value.text() }
        guard purpose != .reauthentication else {
            return Letter(purpose: purpose, address: user.email, code: code, values: values)
        }
        let link = ActionLink(core: core).text(type: purpose.linkType, hash: hash, target: target, purpose: purpose)
        values["ConfirmationURL"] = link
        values["TokenHash"] = hash
        values["RedirectTo"] = target
        values["NewEmail"] = user.emailChange
        values["SendingTo"] = address ?? user.email
        return Letter(purpose: purpose, address: address ?? user.email, code: code, link: link, values: values)
    }

    /// Refuses mails to other addresses, and mails above the limit; counts once per request.
    mutating func admitMail(to addresses: [String]) throws {
        if let refused = addresses.first(where: { !settings.mail.mayWrite(to: $0) }) {
            throw GoTrueError.bad(
                .emailNotAuthorized, "Email address \(GoText.quoted(refused)) cannot be used as it is not authorized")
        }
        let isLimited = !settings.mail.confirmsByItself || settings.limits.mails?.count == 0
        guard isLimited, !memory.isMailCounted, let limiter = core.limits.mails else { return }
        guard limiter.admit() else { throw GoTrueError.tooMany(.overEmailRate, "email rate limit exceeded") }
        memory.isMailCounted = true
    }
}
