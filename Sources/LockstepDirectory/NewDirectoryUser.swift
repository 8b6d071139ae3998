@_exported public import LockstepPrimitives

/// A user to create, or to import from another backend.
///
/// ```swift
/// var new = NewDirectoryUser(email: "ada@example.com", password: .text("correct horse battery staple"))
/// new.isEmailConfirmed = true
/// let user = try await directory.create(new)
/// ```
public struct NewDirectoryUser: Sendable, Hashable {
    /// The password in clear text, or its hash.
    public enum Password: Sendable, Hashable {
        /// The password in clear text.
        ///
        /// The backend applies its password policy and hashes the password.
        case text(Secret)
        /// The hash of the password from another backend.
        ///
        /// The hash is in the text format of its algorithm: `$2b$…`, `$argon2id$…`, `$fbscrypt$…`.
        case hash(Secret)
    }

    /// The id of the new user, if the backend lets the caller choose it.
    public var id: String?
    /// The email address.
    public var email: String?
    /// Whether the email address is verified.
    public var isEmailConfirmed = false
    /// The time when the email address was verified.
    ///
    /// Default: the time when the user is created.
    public var emailConfirmedAt: Instant?
    /// The phone number in E.164 form.
    public var phone: String?
    /// Whether the phone number is verified.
    public var isPhoneConfirmed = false
    /// The time when the phone number was verified.
    ///
    /// Default: the time when the user is created.
    public var phoneConfirmedAt: Instant?
    /// The user's email addresses except the primary one.
    public var otherEmails: [DirectoryAddress] = []
    /// The user's phone numbers except the primary one.
    public var otherPhones: [DirectoryAddress] = []
    /// Whether the user can sign in with the email address.
    ///
    /// Default: yes if the user has a password, or has no account at an identity provider.
    public var hasEmailIdentity: Bool?
    /// Whether the user can sign in with the phone number.
    ///
    /// Default: yes.
    public var hasPhoneIdentity: Bool?
    /// The user name, which must be unique in the project.
    public var username: String?
    /// The password, or its hash.
    ///
    /// Without a password, the user needs another way to sign in.
    public var password: Password?
    /// The display name.
    public var displayName: String?
    /// The first name.
    ///
    /// If the first or the last name is set, ``displayName`` must be `nil` or consist of both names.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The URL of a photo.
    public var photoURL: String?
    /// The user's accounts at identity providers.
    public var providerIdentities: [DirectoryIdentity] = []
    /// The second factors.
    public var factors: [DirectoryFactor] = []
    /// Whether the user is anonymous.
    ///
    /// An anonymous user has no email address, phone number, password or account at an identity provider.
    public var isAnonymous = false
    /// Whether the user is disabled.
    ///
    /// A disabled user cannot sign in.
    public var isDisabled = false
    /// The time when the user's ban ends.
    ///
    /// If the time is `nil` and the user is disabled, the ban has no end.
    public var bannedUntil: Instant?
    /// Whether the user is locked, for example after too many failed sign-ins.
    public var isLocked = false
    /// The tenant that the user belongs to.
    public var tenant: String?
    /// Whether the user signs in with the identity provider of an organization (single sign-on).
    public var isSingleSignOn = false
    /// The role in the user's access tokens; `nil` for the backend's default.
    public var role: String?
    /// The audience in the user's access tokens; `nil` for the backend's default.
    public var audience: String?
    /// The metadata that the user can change.
    public var userMetadata: JSONObject = [:]
    /// The metadata that the user can read, but only a server can change.
    public var appMetadata: JSONObject = [:]
    /// The metadata that only a server can read and change.
    public var privateMetadata: JSONObject = [:]
    /// The user's id in another system.
    ///
    /// No two users of a backend have the same external id.
    public var externalID: String?
    /// The time when the user was created at the previous backend.
    public var createdAt: Instant?
    /// The time when the user was last changed at the previous backend.
    public var updatedAt: Instant?
    /// The time when the user last signed in at the previous backend.
    public var lastSignInAt: Instant?
    /// Whether the backend accepts a clear-text password that breaks the project's policy.
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
    /// Creates a copy of a user who was read from a directory.
    ///
    /// Use the copy to write the user to another directory, or to the same one again. The copy contains every value that a
    /// directory can write. The copy contains the password hash if the directory returned the hash
    /// (``DirectoryUser/missingHash``). To drop values that the other directory cannot store, use ``removing(_:)``.
    ///
    /// - Parameter read: The user who was read from a directory.
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
        // A value that is the default needs no feature of a directory.
        let isEmailMethod = email != nil && (password != nil || providerIdentities.isEmpty)
        hasEmailIdentity = read.hasEmailIdentity == isEmailMethod ? nil : read.hasEmailIdentity
        hasPhoneIdentity = read.hasPhoneIdentity == (phone != nil) ? nil : read.hasPhoneIdentity
    }
}
