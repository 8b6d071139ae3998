import LockstepPrimitives

/// Accounts at providers, and the users they belong to.
struct ProviderAccounts {
    let context: RequestContext

    /// The user of a provider's account; an account with a verified address is connected to that address's user now.
    func user(of profile: ProviderProfile, strategy: String) throws -> UserRecord? {
        if let connection = try connection(of: profile, missing: .signInConnectionMissing) {
            return try context.enterpriseAccounts.user(of: profile, in: connection)
        }
        if let account = try context.users.externalAccount(profile.provider, profile.subject) {
            return try context.users.find(account.userID)
        }
        guard let email = profile.email, profile.isEmailVerified, let row = try context.users.provenEmail(email),
            let user = try context.users.find(row.userID)
        else { return nil }
        try connect(profile, to: user, email: row, strategy: strategy)
        return user
    }

    /// Whether a profile is of a known user, who can sign in by it.
    func isKnown(_ profile: ProviderProfile) throws -> Bool {
        if let connection = try connection(of: profile, missing: .signUpConnectionMissing) {
            return try context.enterpriseAccounts.isKnown(profile, in: connection)
        }
        if try context.users.externalAccount(profile.provider, profile.subject) != nil { return true }
        guard let email = profile.email, profile.isEmailVerified else { return false }
        return try context.users.provenEmail(email) != nil
    }

    /// Connects the profile of a new user, of either kind of provider.
    func connect(newUser user: inout UserRecord, _ profile: ProviderProfile, email: IdentificationRecord?, strategy: String?)
        throws
    {
        if let connection = try connection(of: profile, missing: .signUpConnectionMissing) {
            return try context.enterpriseAccounts.connect(profile, to: &user, in: connection)
        }
        try connect(profile, to: user, email: email, strategy: strategy)
    }

    /// The connection of a profile of its provider; `nil` for a profile of any other provider.
    ///
    /// - Throws: `missing` where the connection was deleted or switched off since, or has lost the address's domain.
    private func connection(of profile: ProviderProfile, missing: ClerkError) throws -> EnterpriseConnectionRecord? {
        guard let id = profile.connectionID else { return nil }
        let active = try context.enterpriseConnections.active(for: profile.email)
        guard let connection = active.first(where: { $0.id == id }) else { throw missing }
        return connection
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
    /// The enterprise connection whose provider it is; `nil` for any other provider.
    var connectionID: String?
}
