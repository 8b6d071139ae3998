package import Lockstep
package import LockstepDirectory
internal import LockstepFirebase
package import LockstepPasswords
package import LockstepPrimitives
internal import LockstepWire

/// The knowledge of a directory about the hashes in a response.
package enum HashReading: Sendable {
    /// The response contains no hashes, because it is a lookup of single users.
    case notInAnswer
    /// The hash was listed without the parameters of the project's hashes.
    case notRequested
    /// The response is a list, and the parameters of the project's hashes are known.
    case parameters(FirebaseHashing)
}

extension DirectoryUser {
    /// Reads Firebase's user object as administrators get it.
    ///
    /// A user without any way to sign in again is anonymous, because Firebase does not mark anonymous users.
    ///
    /// - Throws: `invalidResponse` for any other object.
    package init(firebase object: JSONObject, hashes: HashReading) throws(AuthError) {
        let user = try User(firebase: object, claims: [:])
        self.init(user)
        // Every number is verified, because its user signs in with it.
        self.isPhoneConfirmed = self.phone != nil
        let hash = object["passwordHash"]?.filled
        hasPassword = hash != nil
        self.isAnonymous =
            user.identities.isEmpty && user.email == nil && user.phone == nil && hasPassword == false
            && object["customAuth"]?.bool != true
        self.isDisabled = object["disabled"]?.bool ?? false
        self.tenant = object["tenantId"]?.filled
        providers = identities.map(\.provider)
        providerIdentities = (object["providerUserInfo"]?.array ?? []).compactMap(DirectoryIdentity.init(firebase:))
        self.isSingleSignOn = providerIdentities.contains { $0.provider.rawValue.hasPrefix("saml.") }
        factors =
            (object["mfaInfo"]?.array ?? []).map(DirectoryFactor.init(firebase:))
            + (object["passkeyInfo"]?.array ?? []).map { DirectoryFactor(.passkey, friendlyName: $0["name"]?.filled) }
        self.appMetadata = (object["customAttributes"]?.string).flatMap { try? JSON.parse(Array($0.utf8)).object } ?? [:]
        self.lastSignInAt = object["lastLoginAt"]?.milliseconds
        passwordChangedAt = hash == nil ? nil : object["passwordUpdatedAt"]?.milliseconds
        sessionsValidSince = object["validSince"]?.wholeNumber.map { Instant(seconds: $0) }
        fields = user.fields
        read(hash: hash, object, hashes)
    }

    private mutating func read(hash: String?, _ object: JSONObject, _ hashes: HashReading) {
        guard let hash else {
            missingHash = .noPassword
            return
        }
        switch hashes {
        case .notInAnswer: missingHash = .notInAPI
        case .notRequested: missingHash = .notRequested
        case .parameters(let hashing):
            // This text replaces a hash if the account has no permission to read it
            // (firebaseauth.configs.getHashConfig).
            if hash == "UkVEQUNURUQ=" || hash == "UkVEQUNURUQ" {
                missingHash = .notPermitted
            } else if object["version"]?.int != 0 {
                // Any other version is an imported hash whose user has not signed in since. Its parameters are not
                // returned.
                missingHash = .notRehashed
            } else if let read = try? hashing.hash(passwordHash: hash, salt: object["salt"]?.string) {
                passwordHash = Secret(read.text)
            } else {
                missingHash = .unreadable
            }
        }
    }
}

extension DirectoryIdentity {
    /// Reads an entry of `providerUserInfo`; `nil` for the entries of a password and a number.
    fileprivate init?(firebase object: JSON) {
        guard let name = object["providerId"]?.filled, name != "password", name != "phone",
            let subject = object["rawId"]?.filled ?? object["federatedId"]?.filled
        else { return nil }
        self.init(FirebaseDirectory.provider(named: name), subject: subject, email: object["email"]?.filled)
        displayName = object["displayName"]?.filled
        photoURL = object["photoUrl"]?.filled
    }
}

extension DirectoryFactor {
    /// Reads an entry of `mfaInfo`; Firebase never returns the secret of an app.
    fileprivate init(firebase object: JSON) {
        let kind: Kind =
            if let phone = object["unobfuscatedPhoneInfo"]?.filled ?? object["phoneInfo"]?.filled {
                .phone(phone)
            } else if object["totpInfo"] != nil {
                .authenticatorApp(secret: nil)
            } else {
                .other(object.object?.names.first { $0.hasSuffix("Info") } ?? "unknown")
            }
        self.init(
            kind, friendlyName: object["displayName"]?.filled,
            createdAt: object["enrolledAt"]?.string.flatMap { Instant(rfc3339: $0) })
    }
}

extension JSON {
    /// A whole number that is written as a number or as a text.
    fileprivate var wholeNumber: Int64? { int ?? string.flatMap { Int64($0) } }
    /// A time in milliseconds since 1970.
    fileprivate var milliseconds: Instant? { wholeNumber.map { Instant(milliseconds: $0) } }
}

extension FirebaseDirectory {
    /// Providers whose Firebase name is their usual name with `.com`.
    private static let providers = ["apple", "facebook", "github", "google", "linkedin", "microsoft", "twitter", "yahoo"]

    /// Returns the provider for one of Firebase's names.
    static func provider(named name: String) -> IdentityProvider {
        IdentityProvider(rawValue: providers.first { name == $0 + ".com" } ?? name)
    }

    /// Returns whether users of a project can have accounts at a provider.
    ///
    /// - Parameter provider: The provider.
    /// - Returns: `true` for the providers that Firebase knows, and for a project's own OpenID Connect and SAML providers.
    package static func accepts(_ provider: IdentityProvider) -> Bool {
        let name = provider.rawValue
        return providers.contains(name) || name.hasPrefix("oidc.") || name.hasPrefix("saml.")
    }

    /// The names of claims that belong to the tokens themselves
    /// (firebase.google.com/docs/auth/admin/custom-claims).
    package static let reservedClaims: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "cnf", "c_hash", "exp", "firebase", "iat", "iss", "jti", "nbf",
        "nonce", "sub",
    ]

    /// Returns Firebase's name of a provider.
    static func name(of provider: IdentityProvider) -> String {
        providers.contains(provider.rawValue) ? provider.rawValue + ".com" : provider.rawValue
    }
}
