package import Lockstep
package import LockstepDirectory
internal import LockstepGoTrue
package import LockstepPrimitives
internal import LockstepWire

extension DirectoryUser {
    /// Reads GoTrue's user object as administrators get it; in lists `identities` is `null`, and factors are missing.
    ///
    /// - Throws: `invalidResponse` for any other object.
    package init(goTrue object: JSONObject, now: Instant) throws(AuthError) {
        let user = try User(goTrue: object)
        let own = user.goTrue
        self.init(user)
        self.emailConfirmedAt = own.emailConfirmedAt
        self.isPhoneConfirmed = own.phoneConfirmedAt != nil
        self.phoneConfirmedAt = own.phoneConfirmedAt
        self.isDisabled = own.bannedUntil.map { $0 > now } ?? false
        // The server has no permanent ban; tools write a ban of a hundred years.
        self.bannedUntil = own.bannedUntil.flatMap { $0 > now && $0 < now + GoTrueDirectory.longestBan ? $0 : nil }
        providers = (own.appMetadata["providers"]?.array ?? []).compactMap(\.string).map(IdentityProvider.init)
        self.isSingleSignOn = object["is_sso_user"]?.bool ?? providers.contains { $0.rawValue.hasPrefix("sso:") }
        self.role = own.role == Self.authenticated ? nil : own.role
        self.audience = own.audience == Self.authenticated ? nil : own.audience
        self.userMetadata = own.userMetadata
        self.appMetadata = own.appMetadata
        self.updatedAt = own.updatedAt
        self.lastSignInAt = own.lastSignInAt
        missingHash = .notInAPI
        if let identities = object["identities"]?.array {
            self.hasEmailIdentity = identities.contains { $0["provider"] == "email" }
            self.hasPhoneIdentity = identities.contains { $0["provider"] == "phone" }
            providerIdentities = identities.compactMap(DirectoryIdentity.init(goTrue:))
            factors = own.factors.map(DirectoryFactor.init(goTrue:))
        } else {
            notShown = [.identities, .addressIdentities, .factors]
        }
        fields = object
    }

    /// The default role and audience of users.
    private static let authenticated = "authenticated"
}

extension DirectoryIdentity {
    /// Reads an identity; `nil` for the identity of an address or a number.
    fileprivate init?(goTrue object: JSON) {
        guard let name = object["provider"]?.filled, name != "email", name != "phone", let subject = object["id"]?.filled else {
            return nil
        }
        var data = object["identity_data"]?.object ?? [:]
        data["sub"] = nil
        self.init(
            GoTrueDirectory.provider(named: name), subject: subject,
            email: object["email"]?.filled ?? data["email"]?.filled, data: data, createdAt: object["created_at"]?.time,
            lastSignInAt: object["last_sign_in_at"]?.time)
        displayName = User.nameMembers.lazy.compactMap { data[$0]?.filled }.first
        photoURL = User.photoMembers.lazy.compactMap { data[$0]?.filled }.first
    }
}

extension DirectoryFactor {
    /// Reads a factor; the response does not contain its secret.
    fileprivate init(goTrue factor: GoTrueFactor) {
        let kind: Kind =
            switch factor.type {
            case "totp": .authenticatorApp(secret: nil)
            case "phone": .phone(factor.phone ?? "")
            case "webauthn": .passkey
            default: .other(factor.type)
            }
        self.init(kind, friendlyName: factor.friendlyName, isVerified: factor.isVerified, createdAt: factor.createdAt)
    }
}

extension JSON {
    fileprivate var time: Instant? { string.flatMap { Instant(rfc3339: $0) } }
}

extension GoTrueDirectory {
    /// The server's name of a provider, if it differs from the name that the other directories have.
    private static let names = [("microsoft", "azure")]

    /// Returns the server's name of a provider.
    ///
    /// - Parameter provider: The provider.
    /// - Returns: The name.
    package static func name(of provider: IdentityProvider) -> String {
        names.first { $0.0 == provider.rawValue }?.1 ?? provider.rawValue
    }

    /// Returns the provider for one of the server's names.
    ///
    /// - Parameter name: The name.
    /// - Returns: The provider.
    package static func provider(named name: String) -> IdentityProvider {
        IdentityProvider(rawValue: names.first { $0.1 == name }?.0 ?? name)
    }

    /// The server's names of its providers (github.com/supabase/auth, internal/api/external.go).
    private static let known: Set<String> = [
        "apple", "azure", "bitbucket", "discord", "facebook", "figma", "fly", "github", "gitlab", "google", "kakao", "keycloak",
        "linkedin", "linkedin_oidc", "notion", "slack", "slack_oidc", "snapchat", "spotify", "twitch", "twitter",
        "vercel_marketplace", "web3", "workos", "x", "zoom",
    ]

    /// Returns whether users can have accounts at a provider.
    ///
    /// - Parameter provider: The provider.
    /// - Returns: `true` for the server's providers, and for custom ones.
    package static func accepts(_ provider: IdentityProvider) -> Bool {
        let name = name(of: provider)
        return known.contains(name) || name.utf8.starts(with: "custom:".utf8)
    }

    /// Returns the own data of a new user, with the name and the photo unless the data already contains them.
    ///
    /// - Parameter user: The new user.
    /// - Returns: The data.
    package static func newMetadata(of user: NewDirectoryUser) -> JSONObject {
        let members = user.userMetadata
        let name = User.nameMembers.lazy.compactMap { members[$0]?.filled }.first
        let photo = User.photoMembers.lazy.compactMap { members[$0]?.filled }.first
        return metadata(
            members, name == user.displayName ? nil : user.displayName, photo == user.photoURL ? nil : user.photoURL)
    }
}
