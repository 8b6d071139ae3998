@_exported public import LockstepPrimitives

/// A user to create, or to import from another backend.
///
/// ```swift
/// var new = NewDirectoryUser(email: "ada@example.com", password: .text("correct horse battery staple"))
/// new.isEmailConfirmed = true
/// let user = try await directory.create(new)
/// ```
public struct NewDirectoryUser: Sendable, Hashable {
    /// The form of the password.
    public enum Password: Sendable, Hashable {
        /// Clear text.
        ///
        /// The backend hashes it and applies its policy.
        case text(Secret)
        /// The hash from another backend, in the text format of its algorithm: `$2b$…`, `$argon2id$…`, `$fbscrypt$…`.
        case hash(Secret)
    }

    /// The id, if the backend lets the caller choose it.
    public var id: String?
    /// The email address.
    public var email: String?
    /// Whether the email address is verified.
    public var isEmailConfirmed = false
    /// The time when the email address was verified.
    ///
    /// Default: the time when the account was created.
    public var emailConfirmedAt: Instant?
    /// The phone number in E.164 form.
    public var phone: String?
    /// Whether the phone number is verified.
    public var isPhoneConfirmed = false
    /// The time when the phone number was verified.
    ///
    /// Default: the time when the account was created.
    public var phoneConfirmedAt: Instant?
    /// Further email addresses.
    public var otherEmails: [DirectoryAddress] = []
    /// Further phone numbers.
    public var otherPhones: [DirectoryAddress] = []
    /// Whether the email address is a separate way to sign in.
    ///
    /// Default: yes if there is a password or no identity of a provider.
    public var hasEmailIdentity: Bool?
    /// Whether the phone number is a separate way to sign in.
    ///
    /// Default: yes.
    public var hasPhoneIdentity: Bool?
    /// The user name.
    ///
    /// It is unique.
    public var username: String?
    /// The password.
    ///
    /// Without one, the user needs another way to sign in.
    public var password: Password?
    /// The display name.
    public var displayName: String?
    /// The first name.
    ///
    /// If it or the last name is set, ``displayName`` is either `nil` or both names.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The URL of a photo.
    public var photoURL: String?
    /// The user's accounts at identity providers.
    public var providerIdentities: [DirectoryIdentity] = []
    /// The second factors.
    public var factors: [DirectoryFactor] = []
    /// Whether the user is anonymous, without email address, phone number, password and identities.
    public var isAnonymous = false
    /// Whether the user is disabled, so that sign-in is rejected.
    public var isDisabled = false
    /// The end of a ban.
    ///
    /// If it is `nil` and the user is disabled, the ban has no end.
    public var bannedUntil: Instant?
    /// Whether the user is locked, as after too many attempts.
    public var isLocked = false
    /// The tenant.
    public var tenant: String?
    /// Whether the user signs in with an organization's own identity provider.
    public var isSingleSignOn = false
    /// The role of the user's tokens; `nil` for the backend's default.
    public var role: String?
    /// The audience of the user's tokens; `nil` for the backend's default.
    public var audience: String?
    /// Metadata that the user can change.
    public var userMetadata: JSONObject = [:]
    /// Metadata that only a server can change.
    public var appMetadata: JSONObject = [:]
    /// Metadata that only a server can read.
    public var privateMetadata: JSONObject = [:]
    /// The user's id in another system.
    ///
    /// It is unique at a backend.
    public var externalID: String?
    /// The time when the account was created at the previous backend.
    public var createdAt: Instant?
    /// The time of the last change at the previous backend.
    public var updatedAt: Instant?
    /// The time of the last sign-in at the previous backend.
    public var lastSignInAt: Instant?
    /// Whether a password in clear text is accepted although it does not satisfy the project's policy.
    public var isExemptFromPolicy = false

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - phone: The phone number in E.164 form.
    ///   - password: The password.
    public init(email: String? = nil, phone: String? = nil, password: Password? = nil) {
        self.email = email
        self.phone = phone
        self.password = password
    }
}

extension NewDirectoryUser {
    /// Copies a user from a directory, to write it to another directory or to the same one again.
    ///
    /// It copies everything that a directory can write.
    ///
    /// The password is included if the hash is available (``DirectoryUser/missingHash``). ``removing(_:)`` leaves out
    /// what the other directory cannot store.
    ///
    /// - Parameter read: The user from a directory.
    public init(_ read: DirectoryUser) {
        self.init(email: read.email, phone: read.phone, password: read.passwordHash.map { .hash($0) })
        id = read.id
        isEmailConfirmed = read.email != nil && read.isEmailConfirmed
        emailConfirmedAt = isEmailConfirmed ? read.emailConfirmedAt : nil
        isPhoneConfirmed = read.phone != nil && read.isPhoneConfirmed
        phoneConfirmedAt = isPhoneConfirmed ? read.phoneConfirmedAt : nil
        otherEmails = read.otherEmails
        otherPhones = read.otherPhones
        username = read.username
        displayName = read.displayName
        firstName = read.firstName
        lastName = read.lastName
        photoURL = read.photoURL
        providerIdentities = read.providerIdentities
        factors = read.factors
        isAnonymous = read.isAnonymous
        isDisabled = read.isDisabled
        bannedUntil = read.isDisabled ? read.bannedUntil : nil
        isLocked = read.isLocked
        tenant = read.tenant
        isSingleSignOn = read.isSingleSignOn
        role = read.role
        audience = read.audience
        userMetadata = read.userMetadata
        appMetadata = read.appMetadata
        privateMetadata = read.privateMetadata
        externalID = read.externalID
        createdAt = read.createdAt
        updatedAt = read.updatedAt
        lastSignInAt = read.lastSignInAt
        // What is so anyway is nothing that a directory must be able to write.
        let isEmailMethod = email != nil && (password != nil || providerIdentities.isEmpty)
        hasEmailIdentity = read.hasEmailIdentity == isEmailMethod ? nil : read.hasEmailIdentity
        hasPhoneIdentity = read.hasPhoneIdentity == (phone != nil) ? nil : read.hasPhoneIdentity
    }
}
