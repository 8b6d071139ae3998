internal import Lockstep
internal import LockstepDirectory
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepWire

/// A new user in Firebase's form, checked before anything is sent.
struct ImportedUser: Sendable {
    /// The chosen id; `nil` if Firebase creates one.
    let id: String?
    let email: String?
    let phone: String?
    /// The names of the user's accounts at identity providers, in Firebase's form.
    let identities: [[ExactString]]
    /// The members for `accounts:batchCreate`, with the hash and the id.
    let entry: JSONObject
    /// The parameters of the hash; `nil` without one.
    let hashing: JSONObject?
    /// The members that `accounts:update` accepts and `accounts` does not.
    let late: JSONObject

    /// Creates the members of a user.
    ///
    /// - Throws: `unsupported` for a value that Firebase cannot store, `invalidInput` for claims or a hash that it does
    ///   not accept, `invalidEmail`.
    init(_ user: NewDirectoryUser, id: String?, _ directory: FirebaseDirectory) throws(AuthError) {
        try user.check(directory.features, of: "Firebase")
        if let tenant = user.tenant, tenant != directory.tenant {
            throw AuthError(
                .invalidInput,
                "The user belongs to the tenant \"\(tenant)\", but the directory does not. Create a directory for that tenant.")
        }
        if let id, !(1...128).contains(id.utf8.count) {
            throw AuthError(.invalidInput, "The user id is empty or too long. Use an id with 1 to 128 characters.")
        }
        if let phone = user.phone, !phone.hasPrefix("+") {
            throw AuthError(.invalidPhone, "The number is not in E.164 format. Begin it with + and the country code.")
        }
        self.id = id
        email = try user.email.map { address throws(AuthError) in try EmailAddress(address).text.lowercased() }
        phone = user.phone
        var entry: JSONObject = ["emailVerified": .bool(user.isEmailConfirmed), "disabled": .bool(user.isDisabled)]
        entry["localId"] = id.map(JSON.string)
        entry["email"] = email.map(JSON.string)
        entry["phoneNumber"] = phone.map(JSON.string)
        entry["displayName"] = user.displayName.map(JSON.string)
        entry["photoUrl"] = user.photoURL.map(JSON.string)
        var late = JSONObject()
        if !user.appMetadata.isEmpty { late["customAttributes"] = .string(try Self.claims(user.appMetadata)) }
        late["createdAt"] = user.createdAt.map { .string(String($0.milliseconds)) }
        late["lastLoginAt"] = user.lastSignInAt.map { .string(String($0.milliseconds)) }
        self.late = late
        for (name, value) in late { entry[name] = value }
        if case .hash(let text) = user.password {
            let hash = try Self.hash(text)
            entry["passwordHash"] = .string(hash.passwordHash)
            entry["salt"] = hash.salt.map(JSON.string)
            hashing = hash.parameters
        } else {
            hashing = nil
        }
        identities = user.providerIdentities.map { [FirebaseDirectory.name(of: $0.provider).exact, $0.subject.exact] }
        if !user.providerIdentities.isEmpty { entry["providerUserInfo"] = .array(try Self.identities(of: user)) }
        if !user.factors.isEmpty { entry["mfaInfo"] = .array(try Self.factors(of: user)) }
        self.entry = entry
    }

    /// Returns the members of the user's accounts at identity providers.
    ///
    /// - Throws: `unsupported` for a user with a password in clear text; `invalidInput` for two accounts at one provider,
    ///   of which Firebase would keep only the last one.
    private static func identities(of user: NewDirectoryUser) throws(AuthError) -> [JSON] {
        try requireImport(of: user, .identities)
        guard Set(user.providerIdentities.map(\.provider)).count == user.providerIdentities.count else {
            throw AuthError(
                .invalidInput, "Firebase keeps one identity of each provider, but the user has two of one. Leave one of them out."
            )
        }
        return user.providerIdentities.map { identity in
            var members: JSONObject = [
                "providerId": .string(FirebaseDirectory.name(of: identity.provider)), "rawId": .string(identity.subject),
            ]
            members["email"] = identity.email.map(JSON.string)
            members["displayName"] = identity.displayName.map(JSON.string)
            members["photoUrl"] = identity.photoURL.map(JSON.string)
            return .object(members)
        }
    }

    /// Returns the members of the user's second factors.
    ///
    /// - Throws: `unsupported` for a user with a password in clear text; `invalidInput` for factors that Firebase rejects.
    private static func factors(of user: NewDirectoryUser) throws(AuthError) -> [JSON] {
        try requireImport(of: user, .phoneFactors)
        guard user.email != nil, user.isEmailConfirmed else {
            throw AuthError(
                .invalidInput, "Firebase requires a verified address of a user with a second factor. Leave the factor out.")
        }
        let numbers = Set(user.factors.compactMap(\.number).map(\.exact))
        guard numbers.count == user.factors.count, numbers.count <= mostFactors else {
            throw AuthError(.invalidInput, "Firebase accepts up to five different numbers as second factors. Leave some out.")
        }
        return user.factors.map { factor in
            var members: JSONObject = ["phoneInfo": .string(factor.number ?? "")]
            members["displayName"] = factor.friendlyName.map(JSON.string)
            members["enrolledAt"] = factor.createdAt.map { .string($0.rfc3339) }
            return .object(members)
        }
    }

    /// The largest number of second factors (cloud.google.com/identity-platform/docs/web/mfa).
    private static let mostFactors = 5

    private static func requireImport(of user: NewDirectoryUser, _ feature: DirectoryFeature) throws(AuthError) {
        guard user.hasText else { return }
        throw AuthError(
            .unsupported,
            "Firebase imports \(feature) only with a hash of the password, or without a password. Leave the password out.")
    }

    /// Claims as Firebase keeps them.
    ///
    /// - Throws: `invalidInput` for more than 1,000 characters: claims are never truncated.
    static func claims(_ members: JSONObject) throws(AuthError) -> String {
        let text = JSON.object(members).text()
        guard text.utf16.count <= 1000 else {
            throw AuthError(
                .invalidInput,
                "Firebase accepts claims of up to 1,000 characters, but `appMetadata` has \(text.utf16.count). Shorten it.")
        }
        return text
    }

    private static func hash(_ text: Secret) throws(AuthError) -> FirebaseImport {
        let hash: PasswordHash
        do {
            hash = try PasswordHash(text.reveal())
        } catch {
            throw AuthError(.invalidInput, "The password hash cannot be read. \(error.message)")
        }
        guard let written = hash.firebaseImport else {
            throw AuthError(
                .invalidInput,
                "Firebase does not accept password hashes with this algorithm or cost: \(hash). Let the user set a new password.")
        }
        return written
    }
}

extension DirectoryFactor {
    /// The phone number; `nil` for any other kind of factor.
    fileprivate var number: String? { if case .phone(let number) = kind { number } else { nil } }
}
