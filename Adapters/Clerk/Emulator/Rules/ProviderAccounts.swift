import LockstepPrimitives

/// The accounts at one kind of identity provider, and the users that they belong to.
protocol ProfileAccounts {
    /// Returns the user that a profile signs in, and connects the profile with this user.
    ///
    /// The result is `nil` if no user has this profile or its verified address.
    ///
    /// - `profile`: The profile that the provider has returned.
    /// - `strategy`: The strategy of the sign-in.
    func user(of profile: ProviderProfile, strategy: String) throws -> UserRecord?

    /// Returns whether a profile belongs to a user, who can sign in with it.
    func isKnown(_ profile: ProviderProfile) throws -> Bool

    /// Connects a profile with a new user.
    ///
    /// - `profile`: The profile that the provider has returned.
    /// - `email`: The user's address.
    /// - `strategy`: The strategy of the sign-up.
    func connect(newUser user: inout UserRecord, _ profile: ProviderProfile, email: IdentificationRecord?, strategy: String?)
        throws
}

/// Accounts at the providers of the settings.
struct ProviderAccounts: ProfileAccounts {
    let context: RequestContext

    func user(of profile: ProviderProfile, strategy: String) throws -> UserRecord? {
        if let account = try context.users.externalAccount(profile.provider, profile.subject) {
            return try context.users.find(account.userID)
        }
        guard let email = profile.email, profile.isEmailVerified, let row = try context.users.provenEmail(email),
            let user = try context.users.find(row.userID)
        else { return nil }
        try connect(profile, to: user, email: row, strategy: strategy)
        return user
    }

    func isKnown(_ profile: ProviderProfile) throws -> Bool {
        if try context.users.externalAccount(profile.provider, profile.subject) != nil { return true }
        guard let email = profile.email, profile.isEmailVerified else { return false }
        return try context.users.provenEmail(email) != nil
    }

    func connect(newUser user: inout UserRecord, _ profile: ProviderProfile, email: IdentificationRecord?, strategy: String?)
        throws
    {
        try connect(profile, to: user, email: email, strategy: strategy)
    }

    /// Connects a provider's account with a user.
    @discardableResult
    func connect(
        _ profile: ProviderProfile, to user: UserRecord, email: IdentificationRecord?, strategy: String?
    ) throws -> ExternalAccountRecord {
        var proof = Verification(
            object: "verification_oauth", strategy: strategy ?? "oauth_\(profile.provider)", status: .verified)
        proof.expireAt = context.now + .seconds(600)
        let linked = email?.value == profile.email ? email?.id : nil
        var account = ExternalAccountRecord(
            id: context.id(.externalAccount), identificationID: context.id(.identification), userID: user.id,
            provider: profile.provider, subject: profile.subject, email: profile.email, linkedEmailID: linked,
            firstName: profile.firstName, lastName: profile.lastName, imageURL: profile.imageURL, scopes: "email profile",
            verification: proof, createdAt: context.now, updatedAt: context.now)
        if strategy?.hasPrefix("oauth_token_") != true, strategy != "google_one_tap" { account.accessToken = context.token() }
        try context.db.save(account)
        return account
    }
}

/// A user's profile at a provider: the claims of a verified ID token.
struct ProviderProfile: JSONColumn, Hashable {
    var provider: String
    var subject: String
    var email: String?
    var isEmailVerified = false
    var firstName: String?
    var lastName: String?
    var imageURL: String?
    /// The connection of an extension that has returned the profile; `nil` for a provider of the settings.
    var connectionID: String?
}
