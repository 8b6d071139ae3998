import LockstepPrimitives

/// Sign-ins with an identity provider: with its ID token, by redirect, or continued from a sign-up.
///
/// Source: https://clerk.com/docs/reference/frontend-api.
struct ProviderSignIn {
    let context: RequestContext

    private var service: SignInService { context.signIns }

    /// Signs in with an ID token that the app already has.
    func token(_ strategy: String) throws -> Answer {
        let profile = try context.providerTokens.profile(strategy)
        var signIn = try service.make()
        signIn.first = proof(strategy)
        try settle(&signIn, profile)
        return try answer(signIn)
    }

    /// Signs in by redirecting the browser to the provider.
    func redirect(_ strategy: String) throws -> Answer {
        var signIn = try service.make()
        return try prepare(&signIn, strategy)
    }

    /// Prepares an existing sign-in in the same way.
    func prepare(_ signIn: inout SignInRecord, _ strategy: String) throws -> Answer {
        var proof = proof(strategy)
        (proof.redirectURL, signIn.redirectURL) = try context.providerRedirects.begin(
            strategy, .signIn, attempt: signIn.id)
        signIn.first = proof
        try service.keep(signIn)
        return try answer(signIn)
    }

    /// `transfer=true`: the sign-up's identity belongs to a known user.
    func transfer() throws -> Answer {
        guard let id = context.client?.signUpID, let signUp = try context.db.find(SignUpRecord.self, "id = \(id)"),
            signUp.externalVerification?.status == .transferable, let profile = signUp.profile
        else { throw ClerkError.nothingToTransfer }
        var signIn = try service.make()
        signIn.first = proof(signUp.externalVerification?.strategy ?? "oauth_\(profile.provider)")
        try settle(&signIn, profile)
        if var client = context.client {
            client.signUpID = nil
            try context.save(client)
        }
        return try answer(signIn)
    }

    /// Applies the provider's response: signs in a known user; an unknown user can be transferred to a sign-up.
    func settle(_ signIn: inout SignInRecord, _ profile: ProviderProfile) throws {
        let strategy = signIn.first?.strategy ?? "oauth_\(profile.provider)"
        signIn.profile = profile
        let accounts = context.accounts(of: profile)
        // This is checked first: an address that the company's provider has not confirmed connects no account with the
        // address's user.
        if profile.connectionID == nil, try accounts.isKnown(profile) {
            try context.extensions.checkNotReserved(profile.email)
        }
        guard var user = try accounts.user(of: profile, strategy: strategy) else {
            signIn.first?.status = .transferable
            signIn.first?.failure = ProofFailure(.externalAccountNotFound)
            return try service.keep(signIn)
        }
        try context.lockout.check(user)
        try service.checkRoom(for: user)
        signIn.userID = user.id
        signIn.identifier = profile.email
        signIn.identifierKind = profile.email == nil ? nil : "email_address"
        signIn.first?.status = .verified
        try service.advance(&signIn, &user)
    }

    private func proof(_ strategy: String) -> Verification {
        var proof = Verification(object: "verification_oauth", strategy: strategy)
        proof.expireAt = context.now + .seconds(600)
        return proof
    }

    private func answer(_ signIn: SignInRecord) throws -> Answer {
        .resource(try context.signInJSON.signIn(signIn))
    }
}
