import LockstepPrimitives

/// The rules of a sign-in, for every route (reference, sections 3.3 and 4.2).
struct SignInService {
    let call: FrontendCall

    var context: RequestContext { call.context }
    var settings: ClerkSettings { call.settings }

    /// A new sign-in in place of the client's current one.
    func make(identifier: Identifier? = nil, user: UserRecord? = nil) throws -> SignInRecord {
        let client = try call.clientOrNew()
        return SignInRecord(
            id: context.id(.signIn), clientID: client.id, status: identifier == nil ? .needsIdentifier : .needsFirstFactor,
            userID: user?.id, identifier: identifier?.text, identifierKind: identifier?.attribute, locale: call.form["locale"],
            abandonAt: context.now + settings.attemptLifetime, createdAt: context.now)
    }

    /// Stores an unfinished sign-in as the client's current one.
    func keep(_ signIn: SignInRecord) throws {
        try context.db.save(signIn)
        var client = try call.clientOrNew()
        client.signInID = signIn.id
        try call.save(client)
    }

    /// The sign-in that the path names; only the newest one can be changed.
    func current() throws -> SignInRecord {
        let id = call.request.piece("sign_in_id")
        guard let client = call.client, let signIn = try context.db.find(SignInRecord.self, "id = \(id)"),
            signIn.clientID == client.id, signIn.abandonAt > context.now
        else { throw ClerkError.notFound(id) }
        guard signIn.id == client.signInID || signIn.status == .complete else { throw ClerkError.olderSignIn }
        return signIn
    }

    /// The user of a sign-in.
    ///
    /// Refused where the user no longer has the address that the message went to: a removed address must not sign in.
    func user(of signIn: SignInRecord) throws -> UserRecord {
        guard let id = signIn.userID, let user = try UserRepository(context: context).find(id) else {
            throw ClerkError.unknownIdentifier
        }
        guard try hasItsAddress(signIn) else { throw ClerkError.signInIdentificationGone }
        return user
    }

    /// Whether the user still has the address that the sign-in's message went to; `true` where none was sent.
    func hasItsAddress(_ signIn: SignInRecord) throws -> Bool {
        guard let userID = signIn.userID, let target = signIn.first?.target else { return true }
        return try context.db.find(IdentificationRecord.self, "id = \(target)")?.userID == userID
    }

    /// Continues after a proven first factor.
    func advance(_ signIn: inout SignInRecord, _ user: inout UserRecord) throws {
        let strategy = signIn.first?.strategy ?? ""
        Lockout(context: context).succeed(&user)
        try context.db.save(user)
        if strategy.hasPrefix("reset_password") {
            signIn.status = .needsNewPassword
            return try keep(signIn)
        }
        if strategy != "ticket" || settings.asksSecondFactorAfterTicket, try SecondFactors(context: context).of(user).isEnabled {
            signIn.status = .needsSecondFactor
            return try keep(signIn)
        }
        if strategy == "password", try asksForTrust(user) {
            signIn.status = .needsClientTrust
            return try keep(signIn)
        }
        try complete(&signIn, &user)
    }

    /// Completes a sign-in: creates the session, and clears the client's sign-in.
    ///
    /// One that was finished by a link elsewhere stays the client's own, so that polling sees it.
    func complete(_ signIn: inout SignInRecord, _ user: inout UserRecord, actor: JSON? = nil, staysCurrent: Bool = false) throws {
        var client = try call.clientOrNew()
        let session = try SessionRepository(context: context).begin(
            &user, on: &client, strategy: signIn.first?.strategy ?? "", hasSecondFactor: signIn.second?.isVerified ?? false,
            demandsNewPassword: signIn.demandsNewPassword || user.isPasswordCompromised, actor: actor,
            userAgent: call.request.userAgent)
        signIn.status = .complete
        signIn.createdSessionID = session.id
        try context.db.save(signIn)
        client.signInID = staysCurrent ? signIn.id : nil
        try call.save(client)
    }

    /// Refuses where the client is signed in and may hold no second session.
    func checkRoom(for user: UserRecord? = nil) throws {
        guard let client = call.client else { return }
        let live = try ClientRepository(context: context).sessions(of: client).filter(\.isLive)
        if settings.isSingleSession, !live.isEmpty { throw ClerkError.sessionExists }
        if let user, let session = live.first(where: { $0.userID == user.id }) { throw ClerkError.alreadySignedIn(session.id) }
    }

    private func asksForTrust(_ user: UserRecord) throws -> Bool {
        guard settings.asksNewClients, !user.bypassesClientTrust, let client = call.client else { return false }
        let isKnown = try context.db.exists(
            "SELECT 1 FROM trusted_clients WHERE client_id = \(client.id) AND user_id = \(user.id)")
        return try !isKnown && !FactorList(context: context, user: user).clientTrust().isEmpty
    }
}
