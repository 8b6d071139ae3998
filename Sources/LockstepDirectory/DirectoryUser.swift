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
    /// When the number was proven.
    public var phoneConfirmedAt: Instant?
    /// The name to show.
    public var displayName: String?
    /// The address of a photo.
    public var photoURL: String?
    /// Whether it is a guest.
    public var isAnonymous: Bool
    /// Whether sign-in is refused.
    public var isDisabled: Bool
    /// The sign-in methods.
    public var identities: [Identity]
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
    /// Whether there is a password, where the backend says.
    public var hasPassword: Bool?
    /// When the account was made.
    public var createdAt: Instant?
    /// The last sign-in.
    public var lastSignInAt: Instant?
    /// The backend's own fields, as they stood on the wire.
    public var fields: JSONObject

    /// A user of whom nothing but the id is known.
    public init(id: String) {
        self.id = id
        isEmailConfirmed = false
        isAnonymous = false
        isDisabled = false
        identities = []
        providers = []
        userMetadata = [:]
        appMetadata = [:]
        privateMetadata = [:]
        fields = [:]
    }
}

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
    /// The number in E.164 form.
    public var phone: String?
    /// Whether the number counts as proven.
    public var isPhoneConfirmed = false
    /// The password; without one the user needs another way to sign in.
    public var password: Password?
    /// The name to show.
    public var displayName: String?
    /// The address of a photo.
    public var photoURL: String?
    /// Whether sign-in is refused.
    public var isDisabled = false
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
