public import LockstepPrimitives

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

    /// A user with an address, a number, or both.
    public init(email: String? = nil, phone: String? = nil, password: Password? = nil) {
        self.email = email
        self.phone = phone
        self.password = password
    }
}
