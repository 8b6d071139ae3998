import LockstepPrimitives

/// The rules of a sign-up, for every route (https://clerk.com/docs/reference/frontend-api).
struct SignUpService {
    let context: RequestContext

    private var settings: ClerkSettings { context.settings }

    /// Creates a sign-up, which replaces the client's current one when it is stored.
    func make() throws -> SignUpRecord {
        SignUpRecord(
            id: context.id(.signUp), clientID: try context.clientOrNew().id, locale: context.form["locale"],
            abandonAt: context.now + settings.attemptLifetime, createdAt: context.now)
    }

    /// Returns the sign-up in the path.
    func current() throws -> SignUpRecord {
        let id = context.piece("sign_up_id")
        guard let client = context.client, let signUp = try context.db.find(SignUpRecord.self, "id = \(id)"),
            signUp.clientID.exact == client.id.exact, signUp.abandonAt > context.now
        else { throw ClerkError.notFound(id) }
        guard signUp.id.exact == client.signUpID?.exact || signUp.status == .complete else { throw ClerkError.notFound(id) }
        return signUp
    }

    /// Rejects a sign-up if the instance is closed and the caller has no invitation.
    ///
    /// Addresses that an extension reserves are accepted even in a restricted instance, because companies add their
    /// users (https://clerk.com/docs/guides/secure/restricting-access).
    ///
    /// - `hasTicket`: Whether the caller has an invitation.
    /// - `address`: The address of the sign-up.
    func checkMode(hasTicket: Bool, address: String?) throws {
        guard !hasTicket else { return }
        switch settings.signUpMode {
        case .open: return
        case .restricted:
            if try !context.extensions.reserve(address) { throw ClerkError.signUpRestricted }
        case .waitlist: throw ClerkError.signUpWaitlisted
        }
    }

    /// Stores the sign-up, and completes it if nothing is missing; its ticket is then used up.
    func settle(_ signUp: inout SignUpRecord, staysCurrent: Bool = false) throws {
        let own = signUp.profile.flatMap(Extensions.strategy(of:))
        try checkMode(
            hasTicket: signUp.ticketID != nil, address: signUp.emailAddress ?? (own == nil ? nil : signUp.profile?.email))
        try context.restrictions.checkNew(
            [signUp.emailAddress, signUp.phoneNumber], isInvited: signUp.ticketID != nil)
        var client = try context.clientOrNew()
        guard try SignUpRequirements(context: context, signUp: signUp).isMet else {
            try context.db.save(signUp)
            client.signUpID = signUp.id
            return try context.save(client)
        }
        let ticket = try signUp.ticketID.map { try context.tickets.open(id: $0, asksTime: true) }
        var user = try makeUser(signUp)
        signUp.createdUserID = user.id
        try context.extensions.complete(signUp)
        if let ticket { try context.tickets.spend(ticket, for: user) }
        let strategy =
            own?.name ?? signUp.externalVerification?.strategy
            ?? (signUp.passwordDigest == nil ? proofStrategy(signUp) : "password")
        let session = try context.sessions.begin(
            &user, on: &client, strategy: strategy, hasSecondFactor: false, userAgent: context.sender.userAgent)
        signUp.createdSessionID = session.id
        signUp.status = .complete
        try context.db.save(signUp)
        client.signUpID = staysCurrent ? signUp.id : nil
        try context.save(client)
    }

    private func proofStrategy(_ signUp: SignUpRecord) -> String {
        signUp.emailVerification?.strategy ?? signUp.phoneVerification?.strategy ?? "ticket"
    }

    private func makeUser(_ signUp: SignUpRecord) throws -> UserRecord {
        try context.users.checkQuota()
        var user = UserRecord(id: context.id(.user), at: context.now)
        user.username = signUp.username
        user.externalID = signUp.externalID
        user.firstName = signUp.firstName
        user.lastName = signUp.lastName
        user.locale = signUp.locale
        user.passwordDigest = signUp.passwordDigest
        user.passwordHasher = signUp.passwordDigest == nil ? nil : "bcrypt"
        user.passwordUpdatedAt = signUp.passwordDigest == nil ? nil : context.now
        user.publicMetadata = signUp.publicMetadata
        user.unsafeMetadata = signUp.unsafeMetadata
        user.legalAcceptedAt = signUp.legalAcceptedAt
        if let name = user.username, try context.users.find(identifier: .username(name)) != nil {
            throw ClerkError.taken("username")
        }
        // In the meantime, a user of the Backend API may also have received the id.
        if let id = user.externalID, try context.db.count(UserRecord.self, "external_id = \(id)") > 0 {
            throw ClerkError.taken("external_id")
        }
        try context.db.save(user)
        // In the meantime, another sign-up may have used the address; add(…) checks again.
        var email: IdentificationRecord?
        if let address = signUp.emailAddress {
            email = try context.users.add(.email, address, to: &user, verification: signUp.emailVerification)
        }
        if let number = signUp.phoneNumber {
            try context.users.add(.phone, number, to: &user, verification: signUp.phoneVerification)
        }
        try context.users.announce(user)
        if let profile = signUp.profile {
            try context.accounts(of: profile).connect(
                newUser: &user, profile, email: email, strategy: signUp.externalVerification?.strategy)
        }
        return user
    }
}
