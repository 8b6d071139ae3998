import LockstepPrimitives

/// Verifications with a company's identity provider, strategy `enterprise_sso`: for a sign-in, a sign-up, an address or
/// a session.
///
/// Each sends the browser to the provider, which redirects to `/v1/oauth_callback`, as other providers do (see
/// ``ProviderRedirects``). The response has the same effect on a sign-in and a sign-up.
struct EnterpriseFlow {
    let context: RequestContext

    static let strategy = "enterprise_sso"

    private typealias Purpose = ProviderRedirects.Purpose

    /// Creates a sign-in for an address, whose domain determines the connection.
    ///
    /// With a `redirect_url`, the browser can go to the provider immediately.
    func createSignIn() throws -> Answer {
        guard let text = context.form.text("identifier") else {
            throw ClerkError.conditionallyMissing("identifier", when: "strategy", is: Self.strategy)
        }
        guard let address = EmailAddress(text)?.text else { throw ClerkError.malformed("identifier", "Identifier is invalid.") }
        try context.restrictions.checkSignIn(address)
        _ = try context.enterpriseConnections.chosen(for: address, context.form, missing: .signInConnectionMissing)
        let service = context.signIns
        let user = try context.users.find(identifier: .email(address))?.user
        try service.checkRoom(for: user)
        var signIn = try service.make(identifier: .email(address), user: user)
        if context.form.has("redirect_url") { return try prepare(&signIn) }
        try service.keep(signIn)
        return .resource(try context.signInJSON.signIn(signIn))
    }

    /// Sends the browser of an existing sign-in to the provider.
    func prepare(_ signIn: inout SignInRecord) throws -> Answer {
        guard signIn.status == .needsFirstFactor || signIn.status == .needsIdentifier else {
            throw ClerkError.clientState("prepare_first_factor", "The sign in is \(signIn.status.rawValue).")
        }
        guard let address = signIn.identifier else { throw ClerkError.signInConnectionMissing }
        let connection = try context.enterpriseConnections.chosen(for: address, context.form, missing: .signInConnectionMissing)
        var proof = proof()
        (proof.redirectURL, signIn.redirectURL, _) = try begin(
            connection, Purpose.signIn.rawValue, attempt: signIn.id, hint: address)
        signIn.first = proof
        try context.signIns.keep(signIn)
        return .resource(try context.signInJSON.signIn(signIn))
    }

    /// Sends the browser of a sign-up to the provider of its address.
    func prepare(_ signUp: inout SignUpRecord) throws -> Answer {
        guard let address = signUp.emailAddress else { throw ClerkError.missing("email_address") }
        let connection = try context.enterpriseConnections.chosen(for: address, context.form, missing: .signUpConnectionMissing)
        var proof = proof()
        (proof.redirectURL, signUp.redirectURL, _) = try begin(
            connection, Purpose.signUp.rawValue, attempt: signUp.id, hint: address)
        signUp.externalVerification = proof
        try context.signUps.settle(&signUp)
        return .resource(try context.signUpJSON.signUp(signUp))
    }

    /// Returns the verification of a user's own address, which its provider will complete.
    func proof(of row: IdentificationRecord) throws -> Verification {
        let connection = try context.enterpriseConnections.chosen(for: row.value, context.form, missing: .strategyInvalidForUser)
        return proof(ofKnownUser: try begin(connection, EnterpriseCallback.addressPurpose, attempt: row.id, hint: row.value))
    }

    /// Returns the first factor of a session's reverification.
    func proof(of session: SessionRecord) throws -> Verification {
        let accounts = try context.enterpriseAccounts.of(session.userID).filter { $0.connection.isActive }
        let asked = context.form.text("enterprise_connection_id")
        guard
            let (account, connection) = asked.map({ id in accounts.first { $0.connection.id.exact == id.exact } })
                ?? accounts.first
        else {
            throw ClerkError.strategyInvalidForUser
        }
        return proof(
            ofKnownUser: try begin(connection, EnterpriseCallback.sessionPurpose, attempt: session.id, hint: account.email))
    }

    /// Ends the verification of an address: the address is verified if the provider's profile contains it.
    ///
    /// The result is whether the address is verified.
    ///
    /// - `flow`: The redirect's `state`. A response belongs to the verification for which it was requested.
    func finishAddress(_ id: String, _ flow: String, _ answer: Result<ProviderProfile, ClerkError>) throws -> Bool {
        guard var row = try context.db.find(IdentificationRecord.self, "id = \(id)"), !row.isVerified,
            row.verification?.flow == flow,
            var user = try context.users.find(row.userID)
        else { return false }
        do {
            let profile = try answer.get()
            guard let connection = try profile.connectionID.map({ try context.enterpriseConnections.find($0) }),
                profile.email == row.value,
                profile.isEmailVerified, try context.enterpriseAccounts.isFree(profile, for: user, in: connection)
            else { throw ClerkError.enterpriseAccountConnected(profile.email ?? "") }
            row.verification?.status = .verified
            row.updatedAt = context.now
            try context.db.save(row)
            context.users.makePrimaryWhereNone(row, &user)
            try context.enterpriseAccounts.connect(profile, to: &user, in: connection)
        } catch let refusal as ClerkError {
            row.verification?.failure = ProofFailure(refusal)
            try context.db.save(row)
        }
        return row.isVerified
    }

    /// Ends the reverification of a session if the provider's profile belongs to its user.
    ///
    /// A profile of another user has no effect.
    ///
    /// The result is whether the session was verified.
    ///
    /// - `flow`: The redirect's `state`. A response belongs to the verification for which it was requested.
    func finishSession(_ id: String, _ flow: String, _ answer: Result<ProviderProfile, ClerkError>) throws -> Bool {
        guard var session = try context.sessions.find(id), session.isLive,
            var state = session.reverification, state.status == .needsFirstFactor, state.first?.flow == flow
        else { return false }
        do {
            let profile = try answer.get()
            let accounts = context.enterpriseAccounts
            guard let connection = try profile.connectionID.map({ try context.enterpriseConnections.find($0) }),
                var user = try accounts.known(profile, in: connection), user.id.exact == session.userID.exact
            else { throw ClerkError.verificationFailed }
            try accounts.connect(profile, to: &user, in: connection)
            state.first?.status = .verified
            state.status = state.level == .multiFactor ? .needsSecondFactor : .complete
            session.firstFactorAt = context.now
        } catch let refusal as ClerkError {
            state.first?.failure = ProofFailure(refusal)
        }
        session.reverification = state
        try context.db.save(session)
        return state.first?.isVerified ?? false
    }

    private func begin(
        _ connection: EnterpriseConnectionRecord, _ purpose: String, attempt: String, hint: String
    ) throws -> (url: String, target: String, state: String) {
        let redirects = context.providerRedirects
        let target = try redirects.target()
        let state = context.token()
        let (url, memory) = try EnterpriseIssuer(context: context, connection: connection)
            .begin(state: state, hint: context.form.text("oidc_login_hint") ?? hint, prompt: context.form.text("oidc_prompt"))
        try redirects.remember(state, purpose, attempt: attempt, target: target, provider: connection.name, memory)
        return (url, target, state)
    }

    /// Returns the verification of an address or a session.
    ///
    /// The documents have one form for the providers of all companies.
    private func proof(ofKnownUser begun: (url: String, target: String, state: String)) -> Verification {
        var proof = proof(Verification(object: "verification_saml", strategy: "saml"))
        proof.redirectURL = begun.url
        proof.flow = begun.state
        return proof
    }

    private func proof(_ form: Verification = EnterpriseAccounts.proof) -> Verification {
        var proof = form
        proof.status = .unverified
        proof.expireAt = context.now + .seconds(600)
        proof.sentAt = context.now
        return proof
    }
}
