import LockstepPrimitives

/// Accounts at providers, and the users they belong to.
struct ProviderAccounts {
    let exchange: Exchange

    private var directory: UserDirectory { UserDirectory(exchange: exchange) }

    /// The user of a provider's account; an account with a verified address is connected to that address's user now.
    func user(of profile: ProviderProfile, strategy: String) throws -> UserRecord? {
        if let account = try directory.externalAccount(profile.provider, profile.subject) {
            return try directory.find(account.userID)
        }
        guard let email = profile.email, profile.isEmailVerified, let row = try directory.identification(.email, email),
            row.isVerified, let user = try directory.find(row.userID)
        else { return nil }
        try connect(profile, to: user, email: row, strategy: strategy)
        return user
    }

    /// Connects a provider's account with a user.
    @discardableResult
    func connect(
        _ profile: ProviderProfile, to user: UserRecord, email: IdentificationRecord?, strategy: String?
    ) throws -> ExternalAccountRecord {
        var proof = Verification(
            object: "verification_oauth", strategy: strategy ?? "oauth_\(profile.provider)", status: .verified)
        proof.expireAt = exchange.now + .seconds(600)
        let linked = email?.value == profile.email ? email?.id : nil
        let account = ExternalAccountRecord(
            id: exchange.id(.externalAccount), identificationID: exchange.id(.identification), userID: user.id,
            provider: profile.provider, subject: profile.subject, email: profile.email, linkedEmailID: linked,
            firstName: profile.firstName, lastName: profile.lastName, imageURL: profile.imageURL, scopes: "email profile",
            verification: proof, createdAt: exchange.now, updatedAt: exchange.now)
        try exchange.store.save(account)
        return account
    }
}
