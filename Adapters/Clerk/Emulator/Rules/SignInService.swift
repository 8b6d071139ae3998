import LockstepPrimitives

/// The rules of a sign-in, for every route (https://clerk.com/docs/reference/frontend-api).
struct SignInService {
    let context: RequestContext

    var settings: ClerkSettings { context.settings }

    /// Creates a sign-in that replaces the client's current one.
    func make(identifier: Identifier? = nil, user: UserRecord? = nil) throws -> SignInRecord {
        let client = try context.clientOrNew()
        return SignInRecord(
            id: context.id(.signIn), clientID: client.id, status: identifier == nil ? .needsIdentifier : .needsFirstFactor,
            userID: user?.id, identifier: identifier?.text, identifierKind: identifier?.attribute, locale: context.form["locale"],
            abandonAt: context.now + settings.attemptLifetime, createdAt: context.now)
    }

    /// Stores an unfinished sign-in as the client's current one.
    func keep(_ signIn: SignInRecord) throws {
        try context.db.save(signIn)
        var client = try context.clientOrNew()
        client.signInID = signIn.id
        try context.save(client)
    }

    /// Returns the sign-in in the path; only the newest one can be changed.
    func current() throws -> SignInRecord {
        let id = context.piece("sign_in_id")
        guard let client = context.client, let signIn = try context.db.find(SignInRecord.self, "id = \(id)"),
            signIn.clientID.exact == client.id.exact, signIn.abandonAt > context.now
        else { throw ClerkError.notFound(id) }
        guard signIn.id.exact == client.signInID?.exact || signIn.status == .complete else { throw ClerkError.olderSignIn }
        return signIn
    }

    /// Returns the user of a sign-in.
    ///
    /// The call fails if the user no longer has the address to which the message was sent: a removed address must not
    /// sign in.
    func user(of signIn: SignInRecord) throws -> UserRecord {
        guard let id = signIn.userID, let user = try context.users.find(id) else {
            throw ClerkError.unknownIdentifier
        }
        guard try hasItsAddress(signIn) else { throw ClerkError.signInIdentificationGone }
        return user
    }

    /// Whether the user still has the address that received the sign-in's message; `true` if no message was sent.
    func hasItsAddress(_ signIn: SignInRecord) throws -> Bool {
        guard let userID = signIn.userID, let target = signIn.first?.target else { return true }
        return try context.db.find(IdentificationRecord.self, "id = \(target)")?.userID == userID
    }

    /// Continues after a verified first factor.
    ///
    /// - `isOfLink`: Whether the ticket belongs to a link that was opened.
    func advance(_ signIn: inout SignInRecord, _ user: inout UserRecord, isOfLink: Bool = false) throws {
        let strategy = signIn.first?.strategy ?? ""
        if let refusal = try context.extensions.refusal(of: signIn, user) { throw refusal }
        context.lockout.succeed(&user)
        try context.db.save(user)
        if strategy.hasPrefix("reset_password") {
            signIn.status = .needsNewPassword
            return try keep(signIn)
        }
        if strategy != "ticket" || isOfLink || settings.asksSecondFactorAfterTicket,
            try context.secondFactors.of(user).isEnabled
        {
            signIn.status = .needsSecondFactor
            return try keep(signIn)
        }
        if strategy == "password", try asksForTrust(user) {
            signIn.status = .needsClientTrust
            return try keep(signIn)
        }
        try finish(&signIn, &user)
    }

    /// Completes a sign-in: uses up its ticket, creates the session, and clears the client's sign-in.
    ///
    /// A sign-in that was finished with a link elsewhere stays the client's own, so that polling finds it.
    func complete(_ signIn: inout SignInRecord, _ user: inout UserRecord, actor: JSON? = nil, staysCurrent: Bool = false) throws {
        if let refusal = try context.extensions.refusal(of: signIn, user) { throw refusal }
        try finish(&signIn, &user, actor: actor, staysCurrent: staysCurrent)
    }

    private func finish(_ signIn: inout SignInRecord, _ user: inout UserRecord, actor: JSON? = nil, staysCurrent: Bool = false)
        throws
    {
        try checkRestrictions(signIn, user)
        var organizationID: String?
        if let id = signIn.ticketID {
            let ticket = try context.tickets.open(id: id, asksTime: false)
            try context.tickets.spend(ticket, for: user)
            if ticket.kind == .signInToken, let id = ticket.organizationID {
                organizationID = try context.organizations.membership(of: user.id, in: id)?.organizationID
            }
        }
        var client = try context.clientOrNew()
        let session = try context.sessions.begin(
            &user, on: &client, strategy: strategy(of: signIn), hasSecondFactor: signIn.second?.isVerified ?? false,
            demandsNewPassword: signIn.demandsNewPassword || user.isPasswordCompromised, actor: actor,
            userAgent: context.sender.userAgent, organizationID: organizationID)
        signIn.status = .complete
        signIn.createdSessionID = session.id
        try context.db.save(signIn)
        client.signInID = staysCurrent ? signIn.id : nil
        try context.save(client)
    }

    private func strategy(of signIn: SignInRecord) -> String {
        Extensions.strategies.first { $0.hasProven(signIn) }?.name ?? signIn.first?.strategy ?? ""
    }

    /// Checks the identifier of the sign-in, the address from a provider, or else the user's primary addresses.
    private func checkRestrictions(_ signIn: SignInRecord, _ user: UserRecord) throws {
        let restrictions = context.restrictions
        if signIn.first?.strategy.hasPrefix("oauth_") == true, let address = signIn.profile?.email {
            try restrictions.checkSignIn(address)
        }
        if let identifier = signIn.identifier {
            try restrictions.checkSignIn(identifier)
            if signIn.identifierKind != "username" { return }
        }
        for row in try context.users.identifications(of: user)
        where row.id.exact == user.primaryEmailID?.exact || row.id.exact == user.primaryPhoneID?.exact {
            try restrictions.checkSignIn(row.value)
        }
    }

    /// Rejects the call if the client is signed in and may not have a second session.
    func checkRoom(for user: UserRecord? = nil) throws {
        guard let client = context.client else { return }
        let live = try context.clients.sessions(of: client).filter(\.isLive)
        if settings.isSingleSession, !live.isEmpty { throw ClerkError.sessionExists }
        if let user, let session = live.first(where: { $0.userID.exact == user.id.exact }) {
            throw ClerkError.alreadySignedIn(session.id)
        }
    }

    private func asksForTrust(_ user: UserRecord) throws -> Bool {
        guard settings.asksNewClients, !user.bypassesClientTrust, let client = context.client else { return false }
        return try !client.trustedUsers.contains(user.id) && !FactorList(context: context, user: user).clientTrust().isEmpty
    }
}

/// Prepares and checks first factors of a sign-in.
struct FirstFactorService {
    let context: RequestContext

    private var service: SignInService { context.signIns }

    /// The factors that first require a message.
    static let codes: Set<String> = ["email_code", "phone_code", "reset_password_email_code", "reset_password_phone_code"]

    /// Sends the message of `strategy`; changes the sign-in without storing it.
    func prepare(_ signIn: inout SignInRecord, strategy: String) throws {
        try context.extensions.checkNotReserved(signIn.identifier)
        guard let userID = signIn.userID else {
            context.unsentReason = "no user has this identifier, and the instance hides that"
            if strategy == "email_link" { _ = try context.links.make(.signIn, attempt: signIn.id) }
            signIn.first = try PretendedFactors(settings: context.settings, signIn: signIn).proof(strategy, context)
            return
        }
        guard let user = try context.users.find(userID) else { throw ClerkError.unknownIdentifier }
        try context.lockout.check(user)
        if strategy == "passkey" {
            signIn.first = try context.passkeys.request(of: user.id)
            return
        }
        let row = try address(for: strategy, of: user, identifier: signIn)
        try context.extensions.checkNotReserved(row.value)
        let address: Identifier = row.kind == .email ? .email(row.value) : .phone(row.value)
        let previous = signIn.first?.strategy == strategy && signIn.first?.target?.exact == row.id.exact ? signIn.first : nil
        if strategy == "email_link" {
            let (link, url) = try context.links.make(.signIn, attempt: signIn.id)
            signIn.first = try context.proofs.sendLink(
                to: row.value, target: row.id, after: previous, link, url: url)
        } else {
            signIn.first = try context.proofs.sendCode(strategy, to: address, target: row.id, after: previous)
        }
    }

    /// Checks a password: a correct one continues the sign-in, and a wrong one is rejected and counted.
    func tryPassword(_ signIn: inout SignInRecord, _ password: String) throws {
        guard context.settings.password.isEnabled, context.settings.signsInByPassword else {
            throw ClerkError.disabledStrategy("password")
        }
        try context.extensions.checkNotReserved(signIn.identifier)
        guard signIn.userID != nil else {
            // An unknown identifier must not be faster than a known one.
            try context.passwordService.spend()
            throw ClerkError.wrongPasswordOrIdentifier
        }
        var user = try service.user(of: signIn)
        try context.lockout.check(user)
        guard let isRight = try context.matches(password, user) else {
            // A user without a password must not be faster either.
            try context.passwordService.spend()
            throw ClerkError.strategyInvalidForUser
        }
        guard isRight else {
            let refusal = context.settings.hidesAccounts ? ClerkError.wrongPasswordOrIdentifier : ClerkError.wrongPassword
            throw try context.lockout.refusal(refusal, countedFor: user)
        }
        if user.isPasswordCompromised { throw ClerkError.compromisedPassword }
        try context.hashers.upgrade(&user, password)
        signIn.first = .password
        try service.advance(&signIn, &user)
    }

    /// Checks a code: a correct one continues the sign-in, and a wrong one is rejected and counted.
    func tryCode(_ signIn: inout SignInRecord, strategy: String, code: String?) throws {
        if let userID = signIn.userID, let user = try context.users.find(userID) {
            try context.lockout.check(user)
        }
        let refusal = context.proofs.attempt(&signIn.first, strategy: strategy, code: code)
        if let refusal {
            guard refusal.code == ClerkError.wrongCode.code else { throw refusal }
            try context.db.save(signIn)
            guard signIn.userID != nil else { throw refusal.keepingChanges() }
            throw try context.lockout.refusal(refusal, countedFor: try service.user(of: signIn))
        }
        var user = try service.user(of: signIn)
        try markProven(signIn.first)
        try service.advance(&signIn, &user)
    }

    /// Marks an address as verified after a correct code that was sent to it.
    private func markProven(_ proof: Verification?) throws {
        guard let target = proof?.target, var row = try context.db.find(IdentificationRecord.self, "id = \(target)"),
            !row.isVerified
        else { return }
        row.verification = proof
        row.isReserved = false
        row.updatedAt = context.now
        try context.db.save(row)
    }

    /// Returns the address in the request, or the factor's default address.
    private func address(for strategy: String, of user: UserRecord, identifier signIn: SignInRecord) throws
        -> IdentificationRecord
    {
        let factors = try FactorList(context: context, user: user)
        let offered = factors.first(identifierKind: signIn.identifierKind).filter { $0["strategy"]?.string == strategy }
        let field = strategy.contains("phone") ? "phone_number_id" : "email_address_id"
        guard !offered.isEmpty else { throw ClerkError.strategyInvalidForUser }
        let id: String
        if let asked = context.form.text(field) {
            guard offered.contains(where: { $0[field]?.string == asked }) else { throw ClerkError.notFound(asked) }
            id = asked
        } else {
            let own = factors.rows.first { $0.value == signIn.identifier }?.id
            id = own ?? offered.first { $0["primary"] == true }?[field]?.string ?? offered.first?[field]?.string ?? ""
        }
        guard let row = factors.rows.first(where: { $0.id.exact == id.exact }) else { throw ClerkError.notFound(id) }
        return row
    }
}
