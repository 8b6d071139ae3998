@_exported public import LockstepPrimitives

/// A user to be created, or to be imported from another backend.
public struct NewDirectoryUser: Sendable, Hashable {
    /// How the user's password is given.
    public enum Password: Sendable, Hashable {
        /// As text; the backend hashes it, and its policy holds.
        case text(Secret)
        /// As the hash that another backend had, in the text form of its scheme: `$2b$…`, `$argon2id$…`, `$fbscrypt$…`.
        case hash(Secret)
    }

    /// The id, where the backend lets the caller choose it.
    public var id: String?
    /// The address.
    public var email: String?
    /// Whether the address counts as proven.
    public var isEmailConfirmed = false
    /// When the address was proven; without it, the time of the account.
    public var emailConfirmedAt: Instant?
    /// The number in E.164 form.
    public var phone: String?
    /// Whether the number counts as proven.
    public var isPhoneConfirmed = false
    /// When the number was proven; without it, the time of the account.
    public var phoneConfirmedAt: Instant?
    /// Further addresses.
    public var otherEmails: [DirectoryAddress] = []
    /// Further numbers.
    public var otherPhones: [DirectoryAddress] = []
    /// Whether the address is a sign-in method of its own; `nil` for: if there is a password, or no identity of a provider.
    public var hasEmailIdentity: Bool?
    /// Whether the number is a sign-in method of its own; `nil` for yes.
    public var hasPhoneIdentity: Bool?
    /// The user name, which no other user has.
    public var username: String?
    /// The password; without one the user needs another way to sign in.
    public var password: Password?
    /// The name to show.
    public var displayName: String?
    /// The first name; with it or the last name, ``displayName`` is missing or is both.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The address of a photo.
    public var photoURL: String?
    /// The persons at identity providers by whom the user signs in, beside the address and the number.
    public var providerIdentities: [DirectoryIdentity] = []
    /// The second factors.
    public var factors: [DirectoryFactor] = []
    /// Whether it is a guest, who has no address, number, password and identity.
    public var isAnonymous = false
    /// Whether sign-in is refused.
    public var isDisabled = false
    /// The end of a ban; `nil` for a ban without an end if the user is disabled.
    public var bannedUntil: Instant?
    /// Whether the user is locked, as after too many attempts.
    public var isLocked = false
    /// The tenant.
    public var tenant: String?
    /// Whether the user signs in by an organization's own identity provider.
    public var isSingleSignOn = false
    /// The role of the user's tokens; `nil` for the backend's default.
    public var role: String?
    /// The audience of the user's tokens; `nil` for the backend's default.
    public var audience: String?
    /// What the user may change of their own data.
    public var userMetadata: JSONObject = [:]
    /// What only a server may change.
    public var appMetadata: JSONObject = [:]
    /// What only a server may see.
    public var privateMetadata: JSONObject = [:]
    /// The id that another system has for the same person; no two users of a backend have the same.
    public var externalID: String?
    /// When the account was made, where that was elsewhere.
    public var createdAt: Instant?
    /// When the user was changed last elsewhere.
    public var updatedAt: Instant?
    /// The last sign-in elsewhere.
    public var lastSignInAt: Instant?
    /// Whether a password given as text is taken though it is under the project's policy.
    public var isExemptFromPolicy = false

    /// A user with an address, a number, or both.
    public init(email: String? = nil, phone: String? = nil, password: Password? = nil) {
        self.email = email
        self.phone = phone
        self.password = password
    }
}

extension NewDirectoryUser {
    /// The user of a directory, to be written to another one, or to the same one again: all of it that a directory can write.
    ///
    /// The password is there if the hash is (``DirectoryUser/missingHash``). ``removing(_:)`` leaves out what the other directory cannot
    /// keep.
    ///
    /// - Parameter read: The user, as a directory has read it.
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
