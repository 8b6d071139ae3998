@_exported public import LockstepPrimitives

/// A second factor of a user.
public struct DirectoryFactor: Sendable, Hashable {
    /// The kinds of second factor.
    public enum Kind: Sendable, Hashable {
        /// Codes of an app: the secret in base 32 (SHA-1, six digits, 30 seconds); `nil` if the backend does not show it.
        case authenticatorApp(secret: Secret?)
        /// Codes by text message to a number in E.164 form.
        case phone(String)
        /// A passkey, which is bound to its site and cannot be moved.
        case passkey
        /// Codes for use in an emergency: how many are left; `nil` if the backend does not say so. No backend shows the codes.
        case backupCodes(count: Int?)
        /// Any other kind, by the backend's name.
        case other(String)
    }

    /// The kind.
    public var kind: Kind
    /// The name to show.
    public var friendlyName: String?
    /// Whether the user has verified it once.
    public var isVerified: Bool
    /// When the user added it.
    public var createdAt: Instant?

    /// A factor.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - friendlyName: The name to show.
    ///   - isVerified: Whether the user has verified it once.
    ///   - createdAt: When the user added it.
    public init(_ kind: Kind, friendlyName: String? = nil, isVerified: Bool = true, createdAt: Instant? = nil) {
        self.kind = kind
        self.friendlyName = friendlyName
        self.isVerified = isVerified
        self.createdAt = createdAt
    }
}
