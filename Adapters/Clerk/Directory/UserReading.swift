internal import Lockstep
internal import LockstepClerk
internal import LockstepDirectory
internal import LockstepPrimitives
internal import LockstepWire

extension DirectoryUser {
    /// Reads Clerk's user object as administrators get it.
    ///
    /// - Throws: `invalidResponse` for any other object.
    init(clerk object: JSONObject) throws(AuthError) {
        let user = try User(clerk: object)
        self.init(user)
        self.isDisabled = object["banned"]?.bool ?? false
        hasPassword = object["password_enabled"]?.bool
        var known: [IdentityProvider] = []
        for provider in identities.map(\.provider) where !known.contains(provider) { known.append(provider) }
        providers = known
        self.userMetadata = object["unsafe_metadata"]?.object ?? [:]
        self.appMetadata = object["public_metadata"]?.object ?? [:]
        self.privateMetadata = object["private_metadata"]?.object ?? [:]
        self.externalID = object["external_id"]?.filled
        self.lastSignInAt = object["last_sign_in_at"]?.milliseconds
        fields = object
        self.username = object["username"]?.filled
        self.firstName = object["first_name"]?.filled
        self.lastName = object["last_name"]?.filled
        self.isLocked = object["locked"]?.bool ?? false
        self.isSingleSignOn = ["enterprise_accounts", "saml_accounts"].contains { object[$0]?[0] != nil }
        self.updatedAt = object["updated_at"]?.milliseconds
        passwordChangedAt = hasPassword == true ? object["password_last_updated_at"]?.milliseconds : nil
        missingHash = hasPassword == false ? .noPassword : .notInAPI
        self.isPhoneConfirmed = self.phone != nil
        readAddresses(object)
        providerIdentities = (object["external_accounts"]?.array ?? []).compactMap(DirectoryIdentity.init(clerk:))
        factors = DirectoryFactor.all(of: object)
    }

    /// Reads the addresses and numbers other than the first ones.
    private mutating func readAddresses(_ object: JSONObject) {
        let emails = object["email_addresses"]?.array ?? []
        let first = emails.first { $0["id"] == object["primary_email_address_id"] } ?? emails.first
        if let first, !first.isVerified, first["reserved"]?.bool != true { self.hasEmailIdentity = false }
        self.otherEmails = emails.filter { $0["id"] != first?["id"] }.compactMap { DirectoryAddress(clerk: $0, "email_address") }
        self.otherPhones = (object["phone_numbers"]?.array ?? []).compactMap { DirectoryAddress(clerk: $0, "phone_number") }
        // A user never has the same number twice.
        let own = self.phone
        self.otherPhones.removeAll { !$0.isSecondFactor && $0.value == own }
    }
}

extension DirectoryAddress {
    /// Reads an address or a number.
    fileprivate init?(clerk object: JSON, _ member: String) {
        guard let value = object[member]?.filled else { return nil }
        self.init(value, isConfirmed: object.isVerified, isSecondFactor: object["reserved_for_second_factor"]?.bool == true)
    }
}

extension ClerkDirectory {
    /// Clerk's names of social providers (github.com/clerk/javascript, packages/shared/src/oauth.ts).
    private static let providers: Set<String> = [
        "apple", "atlassian", "bitbucket", "box", "coinbase", "discord", "dropbox", "enstall", "facebook", "github", "gitlab",
        "google", "hubspot", "huggingface", "instagram", "line", "linear", "linkedin", "linkedin_oidc", "microsoft", "notion",
        "slack", "spotify", "tiktok", "twitch", "twitter", "vercel", "x", "xero",
    ]

    /// Returns whether users can have accounts at a provider.
    ///
    /// - Parameter provider: The provider.
    /// - Returns: `true` for Clerk's social providers, and for custom ones.
    package static func accepts(_ provider: IdentityProvider) -> Bool {
        let name = provider.rawValue
        return providers.contains(name) || name.utf8.starts(with: "custom_".utf8)
    }
}

extension DirectoryIdentity {
    /// Reads an account at a provider; `nil` for an unverified account, with which no user can sign in.
    fileprivate init?(clerk object: JSON) {
        guard let provider = object["provider"]?.filled, let subject = object["provider_user_id"]?.filled,
            object["verification"]?.object == nil || object.isVerified
        else { return nil }
        let name = provider.hasPrefix("oauth_") ? String(provider.dropFirst("oauth_".count)) : provider
        self.init(
            IdentityProvider(rawValue: name), subject: subject, email: object["email_address"]?.filled,
            createdAt: object["created_at"]?.milliseconds)
        let names = [object["first_name"]?.filled, object["last_name"]?.filled].compactMap(\.self)
        displayName = names.isEmpty ? nil : names.joined(separator: " ")
        photoURL = object["avatar_url"]?.filled ?? object["image_url"]?.filled
    }
}

extension DirectoryFactor {
    /// Reads the second factors of a user.
    ///
    /// Clerk never returns the secret of an app, or backup codes.
    fileprivate static func all(of user: JSONObject) -> [DirectoryFactor] {
        var all: [DirectoryFactor] = []
        if user["totp_enabled"]?.bool == true { all.append(DirectoryFactor(.authenticatorApp(secret: nil))) }
        for number in user["phone_numbers"]?.array ?? [] where number["reserved_for_second_factor"]?.bool == true {
            guard let text = number["phone_number"]?.filled else { continue }
            all.append(
                DirectoryFactor(.phone(text), isVerified: number.isVerified, createdAt: number["created_at"]?.milliseconds))
        }
        for passkey in user["passkeys"]?.array ?? [] {
            all.append(
                DirectoryFactor(
                    .passkey, friendlyName: passkey["name"]?.filled, isVerified: passkey.isVerified,
                    createdAt: passkey["created_at"]?.milliseconds))
        }
        if user["backup_code_enabled"]?.bool == true { all.append(DirectoryFactor(.backupCodes(count: nil))) }
        return all
    }
}

extension JSON {
    /// Whether the verification of an address, number, account or passkey has succeeded.
    fileprivate var isVerified: Bool { self["verification"]?["status"] == "verified" }
    /// A time in milliseconds since 1970.
    fileprivate var milliseconds: Instant? { int.map { Instant(milliseconds: $0) } }
}
