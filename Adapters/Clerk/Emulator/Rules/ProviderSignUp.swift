import LockstepPrimitives

/// Sign-ups with an identity provider: with its ID token, by redirect, or continued from a sign-in.
struct ProviderSignUp {
    let context: RequestContext

    private var service: SignUpService { context.signUps }

    /// Signs up with an ID token that the app already has, and stores the names in the request, because the provider
    /// sends them only once.
    func token(_ strategy: String, _ signUp: inout SignUpRecord) throws -> Answer {
        let profile = try context.providerTokens.profile(strategy)
        signUp.externalVerification = proof(strategy)
        try settle(&signUp, profile)
        return try answer(signUp)
    }

    /// Signs in by redirecting the browser to the provider.
    func redirect(_ strategy: String, _ signUp: inout SignUpRecord) throws -> Answer {
        var proof = proof(strategy)
        (proof.redirectURL, signUp.redirectURL) = try context.providerRedirects.begin(
            strategy, .signUp, attempt: signUp.id)
        signUp.externalVerification = proof
        try service.settle(&signUp)
        return try answer(signUp)
    }

    /// `transfer=true`: the sign-in's identity belongs to no user yet.
    func transfer(_ signUp: inout SignUpRecord) throws -> Answer {
        guard let id = context.client?.signInID, let signIn = try context.db.find(SignInRecord.self, "id = \(id)"),
            signIn.first?.status == .transferable, let profile = signIn.profile
        else { throw ClerkError.nothingToTransfer }
        try context.signUpFields.apply(to: &signUp)
        signUp.externalVerification = proof(signIn.first?.strategy ?? "oauth_\(profile.provider)")
        if var client = context.client {
            client.signInID = nil
            try context.save(client)
        }
        try settle(&signUp, profile)
        return try answer(signUp)
    }

    /// Applies the provider's response: signs up a new user; a known user can be transferred to a sign-in.
    func settle(_ signUp: inout SignUpRecord, _ profile: ProviderProfile) throws {
        let settings = context.settings
        signUp.profile = profile
        if try context.accounts(of: profile).isKnown(profile) {
            signUp.externalVerification?.status = .transferable
            signUp.externalVerification?.failure = ProofFailure(.externalAccountExists)
            return try service.settle(&signUp)
        }
        signUp.externalVerification?.status = .verified
        // A company's provider determines the address of its user, unless an invitation has already determined it.
        if profile.connectionID != nil, signUp.ticketID == nil, signUp.emailAddress != profile.email {
            signUp.emailAddress = nil
            signUp.emailVerification = nil
        }
        if let email = profile.email, signUp.emailAddress == nil, settings.emailAddress.isEnabled,
            try context.users.claimed(.email, email) == nil
        {
            signUp.emailAddress = email
        }
        if signUp.emailAddress == profile.email, profile.isEmailVerified {
            signUp.emailVerification = .given(
                by: profile.connectionID == nil ? "from_oauth_\(profile.provider)" : "from_oauth_custom")
        }
        if signUp.firstName == nil, settings.firstName.isEnabled { signUp.firstName = profile.firstName }
        if signUp.lastName == nil, settings.lastName.isEnabled { signUp.lastName = profile.lastName }
        try service.settle(&signUp)
    }

    private func proof(_ strategy: String) -> Verification {
        var proof = Verification(object: "verification_oauth", strategy: strategy)
        proof.expireAt = context.now + .seconds(600)
        proof.sentAt = context.now
        return proof
    }

    private func answer(_ signUp: SignUpRecord) throws -> Answer {
        .resource(try context.signUpJSON.signUp(signUp))
    }
}
