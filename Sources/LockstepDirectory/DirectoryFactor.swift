@_exported public import LockstepPrimitives

/// A second factor of a user.
public struct DirectoryFactor: Sendable, Hashable {
    /// The kinds of second factors.
    public enum Kind: Sendable, Hashable {
        /// Codes from an authenticator app.
        ///
        /// The secret is in base32 (SHA-1, six digits, 30 seconds). It is `nil` if the backend does not return it.
        case authenticatorApp(secret: Secret?)
        /// Codes by SMS to a phone number in E.164 form.
        case phone(String)
        /// A passkey.
        ///
        /// A passkey works only on the site where it was made. It cannot be moved to another backend.
        case passkey
        /// Backup codes, with the number of unused codes.
        ///
        /// The number is `nil` if the backend does not return it. No backend returns the codes themselves.
        case backupCodes(count: Int?)
        /// Any other kind, with the backend's name for it.
        case other(String)
    }

    /// The kind of this factor.
    public var kind: Kind
    /// The name that the user sees for this factor.
    public var friendlyName: String?
    /// Whether the user has verified this factor.
    public var isVerified: Bool
    /// The time when the user added this factor.
    public var createdAt: Instant?

    /// Creates a factor.
    ///
    /// - Parameters:
    ///   - kind: The kind of the factor.
    ///   - friendlyName: The name that the user sees for the factor.
    ///   - isVerified: Whether the user has verified the factor. Default: `true`.
    ///   - createdAt: The time when the user added the factor.
    public init(_ kind: Kind, friendlyName: String? = nil, isVerified: Bool = true, createdAt: Instant? = nil) {
        self.kind = kind
        self.friendlyName = friendlyName
        self.isVerified = isVerified
        self.createdAt = createdAt
    }
}
