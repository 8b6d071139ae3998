public import Lockstep
@_exported public import LockstepPrimitives
@_exported public import LockstepUserFields

/// A user as an administrator sees them.
///
/// The type is the same for every provider. The values of ``UserFields`` are members of a user, as in `user.email`.
///
/// ```swift
/// if let user = try await directory.user(email: "ada@example.com") {
///     print(user.id, user.isEmailConfirmed, user.identities.map(\.provider))
/// }
/// ```
@dynamicMemberLookup
public struct DirectoryUser: Sendable, Hashable, Identifiable {
    /// The user's id at the backend.
    public var id: String
    /// The values that users of every form have.
    public var values = UserFields()
    /// All ways in which the user can sign in.
    public var identities: [Identity] = []
    /// The user's accounts at identity providers.
    ///
    /// Contains all ``identities`` except the email address and the phone number.
    public var providerIdentities: [DirectoryIdentity] = []
    /// The user's second factors, oldest first.
    public var factors: [DirectoryFactor] = []
    /// The features whose values the backend did not return for this user.
    ///
    /// The values of these features are empty here. An empty value here means "unknown", not "none".
    public var notShown: Set<DirectoryFeature> = []
    /// The names of the user's ways to sign in, such as `email` or `apple`.
    ///
    /// Use these names if the backend returns only names and no identities.
    public var providers: [IdentityProvider] = []
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
    /// The names of stored values that no user has whom the backend itself has created, such as a missing value that it requires.
    ///
    /// Only a directory that reads the backend's storage returns them.
    public var irregularities: [String] = []
    /// All fields of the backend's response about this user, unchanged.
    public var fields: JSONObject = [:]

    /// Creates a user with an id and no other values.
    ///
    /// - Parameter id: The user's id at the backend.
    public init(id: String) { self.id = id }

    /// Reads or sets one of the ``values``.
    ///
    /// - Parameter path: The value.
    public subscript<Value>(dynamicMember path: WritableKeyPath<UserFields, Value>) -> Value {
        get { values[keyPath: path] }
        _modify { yield &values[keyPath: path] }
    }
}

extension DirectoryUser {
    /// All email addresses of the user, the primary one first.
    public var emails: [DirectoryAddress] {
        let first = self.email.map {
            DirectoryAddress($0, isConfirmed: self.isEmailConfirmed, confirmedAt: self.emailConfirmedAt, isPrimary: true)
        }
        return [first].compactMap(\.self) + self.otherEmails
    }

    /// All phone numbers of the user, the primary one first.
    public var phones: [DirectoryAddress] {
        let first = self.phone.map {
            DirectoryAddress($0, isConfirmed: self.isPhoneConfirmed, confirmedAt: self.phoneConfirmedAt, isPrimary: true)
        }
        return [first].compactMap(\.self) + self.otherPhones
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
    /// The new first name; an empty name removes the stored one.
    ///
    /// With a first or a last name, ``displayName`` must be `nil`.
    public var firstName: String?
    /// The new last name; an empty name removes the stored one.
    public var lastName: String?
    /// The new user name; an empty name removes the stored one.
    public var username: String?
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
        values.email = user.email
        values.isEmailConfirmed = user.isEmailVerified
        values.phone = user.phone
        values.displayName = user.displayName
        values.photoURL = user.photoURL
        values.isAnonymous = user.isAnonymous
        identities = user.identities
        values.createdAt = user.createdAt
    }
}
