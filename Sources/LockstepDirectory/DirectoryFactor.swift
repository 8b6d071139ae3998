@_exported public import LockstepPrimitives

/// A second factor of a user.
public struct DirectoryFactor: Sendable, Hashable {
    /// The kinds of second factors.
    public enum Kind: Sendable, Hashable {
        /// Codes from an authenticator app, with the secret in base32 (SHA-1, six digits, 30 seconds); `nil` if the
        /// backend does not return it.
        case authenticatorApp(secret: Secret?)
        /// Codes by SMS to a phone number in E.164 form.
        case phone(String)
        /// A passkey.
        ///
        /// It is bound to its site and cannot be moved.
        case passkey
        /// Backup codes, with the number of unused codes; `nil` if the backend does not return it.
        ///
        /// No backend returns the codes.
        case backupCodes(count: Int?)
        /// Any other kind, by the backend's name.
        case other(String)
    }

    /// The kind.
    public var kind: Kind
    /// The display name.
    public var friendlyName: String?
    /// Whether the user has verified it.
    public var isVerified: Bool
    /// The time when the user added it.
    public var createdAt: Instant?

    /// Creates a factor.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - friendlyName: The display name.
    ///   - isVerified: Whether the user has verified it. Default: `true`.
    ///   - createdAt: The time when the user added it.
    public init(_ kind: Kind, friendlyName: String? = nil, isVerified: Bool = true, createdAt: Instant? = nil) {
        self.kind = kind
        self.friendlyName = friendlyName
        self.isVerified = isVerified
        self.createdAt = createdAt
    }
}
