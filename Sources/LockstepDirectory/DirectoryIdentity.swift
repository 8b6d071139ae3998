public import Lockstep
@_exported public import LockstepPrimitives

/// A user's account at an identity provider, with which the user signs in.
///
/// The names of providers are the same in every directory: `google`, `apple`, `facebook`, `microsoft`. Another backend
/// recognizes the account by ``provider`` and ``subject``. This backend removes it by ``Identity/id``.
public struct DirectoryIdentity: Sendable, Hashable {
    /// The provider.
    public var provider: IdentityProvider
    /// The provider's own id of the account.
    public var subject: String
    /// The email address of the account at the provider.
    public var email: String?
    /// The name of the account at the provider.
    public var displayName: String?
    /// The URL of the account's photo at the provider.
    public var photoURL: String?
    /// The provider's data about the account, as the backend stores it.
    public var data: JSONObject
    /// The time when the user added it.
    public var createdAt: Instant?
    /// The time of the last sign-in with it.
    public var lastSignInAt: Instant?

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - subject: The provider's own id of the account.
    ///   - email: The email address of the account at the provider.
    ///   - data: The provider's data about the account.
    ///   - createdAt: The time when the user added it. Default: the time when the account was created.
    ///   - lastSignInAt: The time of the last sign-in with it. Default: the user's last sign-in.
    public init(
        _ provider: IdentityProvider, subject: String, email: String? = nil, data: JSONObject = [:], createdAt: Instant? = nil,
        lastSignInAt: Instant? = nil
    ) {
        self.provider = provider
        self.subject = subject
        self.email = email
        self.data = data
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
    }
}
