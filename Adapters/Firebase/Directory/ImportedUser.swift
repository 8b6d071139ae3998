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
        self.entry = entry
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
