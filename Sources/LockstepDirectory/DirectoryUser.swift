public import Lockstep
@_exported public import LockstepPrimitives

/// A user as an administrator sees them, in the same form for every provider.
///
/// ```swift
/// if let user = try await directory.user(email: "ada@example.com") {
///     print(user.id, user.isEmailConfirmed, user.identities.map(\.provider))
/// }
/// ```
public struct DirectoryUser: Sendable, Hashable, Identifiable {
    /// The user's id at the backend.
    public var id: String
    /// The email address; `nil` if the user has none.
    public var email: String?
    /// Whether the email address is verified.
    public var isEmailConfirmed: Bool
    /// The time when the email address was verified; `nil` if the backend does not return it.
    public var emailConfirmedAt: Instant?
    /// The phone number in E.164 form; `nil` if the user has none.
    public var phone: String?
    /// Whether the phone number is verified.
    public var isPhoneConfirmed: Bool
    /// The time when the phone number was verified; `nil` if the backend does not return it.
    public var phoneConfirmedAt: Instant?
    /// Further email addresses.
    public var otherEmails: [DirectoryAddress]
    /// Further phone numbers, including those that are reserved for a second factor.
    public var otherPhones: [DirectoryAddress]
    /// Whether the email address is a separate way to sign in; `nil` if the backend does not store it separately.
    public var hasEmailIdentity: Bool?
    /// Whether the phone number is a separate way to sign in; `nil` if the backend does not store it separately.
    public var hasPhoneIdentity: Bool?
    /// The user name.
    ///
    /// It is unique.
    public var username: String?
    /// The display name.
    public var displayName: String?
    /// The first name, if the backend stores it separately.
    public var firstName: String?
    /// The last name, if the backend stores it separately.
    public var lastName: String?
    /// The URL of a photo.
    public var photoURL: String?
    /// Whether the user is anonymous.
    public var isAnonymous: Bool
    /// Whether the user is disabled, so that sign-in is rejected.
    public var isDisabled: Bool
    /// The end of a ban; `nil` if the ban has no end or if the user is not banned.
    public var bannedUntil: Instant?
    /// Whether the user is locked, as after too many attempts.
    public var isLocked: Bool
    /// The tenant, if the project has tenants.
    public var tenant: String?
    /// Whether the user signs in with an organization's own identity provider.
    public var isSingleSignOn: Bool
    /// The role of the user's tokens; `nil` for the backend's default.
    public var role: String?
    /// The audience of the user's tokens; `nil` for the backend's default.
    public var audience: String?
    /// The ways to sign in.
    public var identities: [Identity]
    /// The user's accounts at identity providers, without email address and phone number.
    public var providerIdentities: [DirectoryIdentity]
    /// The second factors, oldest first.
    public var factors: [DirectoryFactor]
    /// The values that this response does not contain.
    ///
    /// An empty value of such a feature means unknown.
    public var notShown: Set<DirectoryFeature>
    /// The names of the ways to sign in, such as `email` or `apple`, if the list has no further data.
    public var providers: [IdentityProvider]
    /// Metadata that the user can change.
    public var userMetadata: JSONObject
    /// Metadata that only a server can change.
    public var appMetadata: JSONObject
    /// Metadata that only a server can read.
    public var privateMetadata: JSONObject
    /// The user's id in another system, if the backend stores one.
    public var externalID: String?
    /// The password hash in the form of ``NewDirectoryUser/Password/hash(_:)``, if the backend returns it.
    public var passwordHash: Secret?
    /// The reason why ``passwordHash`` is missing; `nil` if it is there.
    public var missingHash: MissingHash?
    /// Whether the user has a password; `nil` if the backend does not return it.
    public var hasPassword: Bool?
    /// The time when the password was changed.
    public var passwordChangedAt: Instant?
    /// The time from which sessions are valid.
    ///
    /// Older tokens are rejected.
    public var sessionsValidSince: Instant?
    /// The time when the account was created.
    public var createdAt: Instant?
    /// The time of the last change.
    ///
    /// On some backends, a sign-in is a change.
    public var updatedAt: Instant?
    /// The time of the last sign-in.
    public var lastSignInAt: Instant?
    /// The backend's own fields, unchanged.
    public var fields: JSONObject

    /// Creates a user with an id and no other values.
    ///
    /// - Parameter id: The user's id at the backend.
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

    /// All email addresses, the primary one first.
    public var emails: [DirectoryAddress] {
        let first = email.map {
            DirectoryAddress($0, isConfirmed: isEmailConfirmed, confirmedAt: emailConfirmedAt, isPrimary: true)
        }
        return [first].compactMap(\.self) + otherEmails
    }

    /// All phone numbers, the primary one first.
    public var phones: [DirectoryAddress] {
        let first = phone.map {
            DirectoryAddress($0, isConfirmed: isPhoneConfirmed, confirmedAt: phoneConfirmedAt, isPrimary: true)
        }
        return [first].compactMap(\.self) + otherPhones
    }
}

/// Changes to a user.
///
/// `nil` keeps a value.
///
/// ```swift
/// var changes = DirectoryChanges()
/// changes.isDisabled = true
/// changes.appMetadata = ["plan": "free"]
/// let user = try await directory.update(id, changes)
/// ```
public struct DirectoryChanges: Sendable, Hashable {
    /// The email address.
    ///
    /// It is valid immediately, without verification.
    public var email: String?
    /// Whether the email address is verified.
    public var isEmailConfirmed: Bool?
    /// The phone number in E.164 form.
    ///
    /// It is valid immediately.
    public var phone: String?
    /// Whether the phone number is verified.
    public var isPhoneConfirmed: Bool?
    /// The password.
    public var password: Secret?
    /// The display name.
    ///
    /// An empty name removes it.
    public var displayName: String?
    /// The URL of a photo.
    ///
    /// An empty text removes it.
    public var photoURL: String?
    /// Whether the user is disabled, so that sign-in is rejected.
    public var isDisabled: Bool?
    /// The members to set in the metadata that the user can change.
    ///
    /// `null` removes a member.
    public var userMetadata: JSONObject = [:]
    /// The members to set in the metadata that only a server can change.
    ///
    /// `null` removes a member.
    public var appMetadata: JSONObject = [:]
    /// The members to set in the metadata that only a server can read.
    ///
    /// `null` removes a member.
    public var privateMetadata: JSONObject = [:]

    /// Creates an empty set of changes.
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
