public import Lockstep
@_exported public import LockstepPrimitives

/// A user, in the same form for every provider, as an administrator sees them.
public struct DirectoryUser: Sendable, Hashable, Identifiable {
    /// The backend's id of the user.
    public var id: String
    /// The address, where there is one.
    public var email: String?
    /// Whether the address is proven.
    public var isEmailConfirmed: Bool
    /// When the address was proven, where the backend says.
    public var emailConfirmedAt: Instant?
    /// The number in E.164 form, where there is one.
    public var phone: String?
    /// Whether the number is proven.
    public var isPhoneConfirmed: Bool
    /// When the number was proven, where the backend says.
    public var phoneConfirmedAt: Instant?
    /// Further addresses.
    public var otherEmails: [DirectoryAddress]
    /// Further numbers, also those that are reserved for a second factor.
    public var otherPhones: [DirectoryAddress]
    /// Whether the address is a sign-in method of its own, where the backend keeps that apart.
    public var hasEmailIdentity: Bool?
    /// Whether the number is a sign-in method of its own, where the backend keeps that apart.
    public var hasPhoneIdentity: Bool?
    /// The user name, which no other user has.
    public var username: String?
    /// The name to show.
    public var displayName: String?
    /// The first name, where the backend keeps names apart.
    public var firstName: String?
    /// The last name, where the backend keeps names apart.
    public var lastName: String?
    /// The address of a photo.
    public var photoURL: String?
    /// Whether it is a guest.
    public var isAnonymous: Bool
    /// Whether sign-in is refused.
    public var isDisabled: Bool
    /// The end of a ban; `nil` for a ban without an end, and for a user who is not banned.
    public var bannedUntil: Instant?
    /// Whether the user is locked, as after too many attempts.
    public var isLocked: Bool
    /// The tenant, where the project has tenants.
    public var tenant: String?
    /// Whether the user signs in by an organization's own identity provider.
    public var isSingleSignOn: Bool
    /// The role of the user's tokens; `nil` for the backend's default.
    public var role: String?
    /// The audience of the user's tokens; `nil` for the backend's default.
    public var audience: String?
    /// The sign-in methods.
    public var identities: [Identity]
    /// The persons at identity providers, without address and number.
    public var providerIdentities: [DirectoryIdentity]
    /// The second factors, oldest first.
    public var factors: [DirectoryFactor]
    /// The values that this answer of the backend does not have; empty there means unknown.
    public var notShown: Set<DirectoryFeature>
    /// The names of the sign-in methods, where the list gives no more: `email`, `apple`.
    public var providers: [IdentityProvider]
    /// What the user may change of their own data.
    public var userMetadata: JSONObject
    /// What only a server may change.
    public var appMetadata: JSONObject
    /// What only a server may see.
    public var privateMetadata: JSONObject
    /// The id that another system has for the same person, where the backend keeps one.
    public var externalID: String?
    /// The hash of the password in the form of ``NewDirectoryUser/Password/hash(_:)``, where the backend gives it out.
    public var passwordHash: Secret?
    /// Why ``passwordHash`` is missing; `nil` if it is there.
    public var missingHash: MissingHash?
    /// Whether there is a password, where the backend says.
    public var hasPassword: Bool?
    /// When the password was changed.
    public var passwordChangedAt: Instant?
    /// Since when sessions are valid; tokens of before are refused.
    public var sessionsValidSince: Instant?
    /// When the account was made.
    public var createdAt: Instant?
    /// When the user was changed last; a sign-in is a change on some backends.
    public var updatedAt: Instant?
    /// The last sign-in.
    public var lastSignInAt: Instant?
    /// The backend's own fields, as they stood on the wire.
    public var fields: JSONObject

    /// A user of whom nothing but the id is known.
    public init(id: String) {
        self.id = id
        isEmailConfirmed = false
        isPhoneConfirmed = false
        otherEmails = []
        otherPhones = []
        isAnonymous = false
        isDisabled = false
        isLocked = false
        isSingleSignOn = false
        identities = []
        providerIdentities = []
        factors = []
        notShown = []
        providers = []
        userMetadata = [:]
        appMetadata = [:]
        privateMetadata = [:]
        fields = [:]
    }

    /// All addresses, the first one first.
    public var emails: [DirectoryAddress] {
        let first = email.map {
            DirectoryAddress($0, isConfirmed: isEmailConfirmed, confirmedAt: emailConfirmedAt, isPrimary: true)
        }
        return [first].compactMap(\.self) + otherEmails
    }

    /// All numbers, the first one first.
    public var phones: [DirectoryAddress] {
        let first = phone.map {
            DirectoryAddress($0, isConfirmed: isPhoneConfirmed, confirmedAt: phoneConfirmedAt, isPrimary: true)
        }
        return [first].compactMap(\.self) + otherPhones
    }
}

/// What to change of a user; `nil` leaves a value as it is.
public struct DirectoryChanges: Sendable, Hashable {
    /// The address; it is valid at once, without a proof.
    public var email: String?
    /// `true` marks the address as proven.
    public var isEmailConfirmed: Bool?
    /// The number in E.164 form; it is valid at once.
    public var phone: String?
    /// `true` marks the number as proven.
    public var isPhoneConfirmed: Bool?
    /// The password.
    public var password: Secret?
    /// The name to show; an empty one removes it.
    public var displayName: String?
    /// The address of a photo; an empty one removes it.
    public var photoURL: String?
    /// Whether sign-in is refused.
    public var isDisabled: Bool?
    /// Members to set in what the user may change; `null` removes one.
    public var userMetadata: JSONObject = [:]
    /// Members to set in what only a server may change; `null` removes one.
    public var appMetadata: JSONObject = [:]
    /// Members to set in what only a server may see; `null` removes one.
    public var privateMetadata: JSONObject = [:]

    /// Nothing.
    public init() {}
}

extension DirectoryUser {
    /// What the backend tells an app of its user, too.
    package init(_ user: User) {
        self.init(id: user.id)
        email = user.email
        isEmailConfirmed = user.isEmailVerified
        phone = user.phone
        displayName = user.displayName
        photoURL = user.photoURL
        isAnonymous = user.isAnonymous
        identities = user.identities
        createdAt = user.createdAt
    }
}
