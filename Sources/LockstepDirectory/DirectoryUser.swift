public import Lockstep
@_exported public import LockstepPrimitives

/// A user as an administrator sees them.
///
/// The type is the same for every provider.
///
/// ```swift
/// if let user = try await directory.user(email: "ada@example.com") {
///     print(user.id, user.isEmailConfirmed, user.identities.map(\.provider))
/// }
/// ```
public struct DirectoryUser: Sendable, Hashable, Identifiable {
    /// The user's id at the backend.
    public var id: String
    /// The email address; `nil` if the user has no email address.
    public var email: String?
    /// Whether the email address is verified.
    public var isEmailConfirmed: Bool
    /// The time when the email address was verified; `nil` if the backend does not return the value.
    public var emailConfirmedAt: Instant?
    /// The phone number in E.164 form; `nil` if the user has no phone number.
    public var phone: String?
    /// Whether the phone number is verified.
    public var isPhoneConfirmed: Bool
    /// The time when the phone number was verified; `nil` if the backend does not return the value.
    public var phoneConfirmedAt: Instant?
    /// The user's email addresses except the primary one.
    public var otherEmails: [DirectoryAddress]
    /// The user's phone numbers except the primary one.
    ///
    /// The list includes numbers that the user can use only as a second factor.
    public var otherPhones: [DirectoryAddress]
    /// Whether the user can sign in with the email address.
    ///
    /// The value is `nil` if the backend does not store this fact separately from the address.
    public var hasEmailIdentity: Bool?
    /// Whether the user can sign in with the phone number.
    ///
    /// The value is `nil` if the backend does not store this fact separately from the number.
    public var hasPhoneIdentity: Bool?
    /// The user name, which is unique in the project.
    public var username: String?
    /// The display name.
    public var displayName: String?
    /// The first name; `nil` if the backend does not store the first name separately.
    public var firstName: String?
    /// The last name; `nil` if the backend does not store the last name separately.
    public var lastName: String?
    /// The URL of the user's photo.
    public var photoURL: String?
    /// Whether the user is anonymous.
    public var isAnonymous: Bool
    /// Whether the user is disabled.
    ///
    /// A disabled user cannot sign in.
    public var isDisabled: Bool
    /// The time when the user's ban ends.
    ///
    /// The time is `nil` if the ban has no end, or if the user is not banned.
    public var bannedUntil: Instant?
    /// Whether the user is locked, for example after too many failed sign-ins.
    public var isLocked: Bool
    /// The tenant that the user belongs to; `nil` if the project has no tenants.
    public var tenant: String?
    /// Whether the user signs in with the identity provider of an organization (single sign-on).
    public var isSingleSignOn: Bool
    /// The role in the user's access tokens; `nil` for the backend's default.
    public var role: String?
    /// The audience in the user's access tokens; `nil` for the backend's default.
    public var audience: String?
    /// All ways in which the user can sign in.
    public var identities: [Identity]
    /// The user's accounts at identity providers.
    ///
    /// Contains all ``identities`` except the email address and the phone number.
    public var providerIdentities: [DirectoryIdentity]
    /// The user's second factors, oldest first.
    public var factors: [DirectoryFactor]
    /// The features whose values the backend did not return for this user.
    ///
    /// The values of these features are empty here. An empty value here means "unknown", not "none".
    public var notShown: Set<DirectoryFeature>
    /// The names of the user's ways to sign in, such as `email` or `apple`.
    ///
    /// Use these names if the backend returns only names and no identities.
    public var providers: [IdentityProvider]
    /// The metadata that the user can change.
    public var userMetadata: JSONObject
    /// The metadata that the user can read, but only a server can change.
    public var appMetadata: JSONObject
    /// The metadata that only a server can read and change.
    public var privateMetadata: JSONObject
    /// The user's id in another system; `nil` if the backend stores no such id.
    public var externalID: String?
    /// The hash of the user's password, in the format of ``NewDirectoryUser/Password/hash(_:)``.
    ///
    /// The hash is `nil` if the backend does not return it. ``missingHash`` says why.
    public var passwordHash: Secret?
    /// The reason why this value contains no password hash; `nil` if ``passwordHash`` has a value.
    public var missingHash: MissingHash?
    /// Whether the user has a password; `nil` if the backend does not return the value.
    public var hasPassword: Bool?
    /// The time when the user's password was last changed.
    public var passwordChangedAt: Instant?
    /// The earliest sign-in time of sessions that are still valid.
    ///
    /// The backend rejects tokens that were issued before this time.
    public var sessionsValidSince: Instant?
    /// The time when the user was created.
    public var createdAt: Instant?
    /// The time when the user was last changed.
    ///
    /// On some backends, a sign-in also changes this time.
    public var updatedAt: Instant?
    /// The time when the user last signed in.
    public var lastSignInAt: Instant?
    /// All fields of the backend's response about this user, unchanged.
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

    /// All email addresses of the user, the primary one first.
    public var emails: [DirectoryAddress] {
        let first = email.map {
            DirectoryAddress($0, isConfirmed: isEmailConfirmed, confirmedAt: emailConfirmedAt, isPrimary: true)
        }
        return [first].compactMap(\.self) + otherEmails
    }

    /// All phone numbers of the user, the primary one first.
    public var phones: [DirectoryAddress] {
        let first = phone.map {
            DirectoryAddress($0, isConfirmed: isPhoneConfirmed, confirmedAt: phoneConfirmedAt, isPrimary: true)
        }
        return [first].compactMap(\.self) + otherPhones
    }
}

/// The changes to make to a user.
///
/// A property that is `nil` leaves the user's value unchanged.
///
/// ```swift
/// var changes = DirectoryChanges()
/// changes.isDisabled = true
/// changes.appMetadata = ["plan": "free"]
/// let user = try await directory.update(id, changes)
/// ```
public struct DirectoryChanges: Sendable, Hashable {
    /// The new email address.
    ///
    /// The user can immediately sign in with the new address, without verifying it.
    public var email: String?
    /// Whether the user's email address is to be marked as verified.
    public var isEmailConfirmed: Bool?
    /// The new phone number in E.164 form.
    ///
    /// The user can immediately sign in with the new number, without verifying it.
    public var phone: String?
    /// Whether the user's phone number is to be marked as verified.
    public var isPhoneConfirmed: Bool?
    /// The new password in clear text.
    public var password: Secret?
    /// The new display name.
    ///
    /// An empty name removes the stored name.
    public var displayName: String?
    /// The URL of the new photo.
    ///
    /// An empty string removes the stored URL.
    public var photoURL: String?
    /// Whether the user is to be disabled.
    ///
    /// A disabled user cannot sign in.
    public var isDisabled: Bool?
    /// The members to set in the metadata that the user can change.
    ///
    /// The value `null` removes a member.
    public var userMetadata: JSONObject = [:]
    /// The members to set in the metadata that only a server can change.
    ///
    /// The value `null` removes a member.
    public var appMetadata: JSONObject = [:]
    /// The members to set in the metadata that only a server can read.
    ///
    /// The value `null` removes a member.
    public var privateMetadata: JSONObject = [:]

    /// Creates an empty set of changes.
    public init() {}
}

extension DirectoryUser {
    /// Creates a user with the values that the backend also returns to an app.
    ///
    /// - Parameter user: The user as an app sees them.
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
