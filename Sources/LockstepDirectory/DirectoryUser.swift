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
    /// The hash of the password in the form of ``NewDirectoryUser/Password/hash(_:)``, where the backend gives it out.
    public var passwordHash: Secret?
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
        fields = [:]
    }
}
