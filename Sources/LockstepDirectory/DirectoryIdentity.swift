public import Lockstep
@_exported public import LockstepPrimitives

/// A user's account at an identity provider.
///
/// The user can sign in with this account. Every directory uses the same provider names: `google`, `apple`, `facebook`, `microsoft`. To
/// find the account at another backend, use ``provider`` and ``subject``. To remove the account at this backend, use
/// ``Identity/id``.
public struct DirectoryIdentity: Sendable, Hashable {
    /// The identity provider.
    public var provider: IdentityProvider
    /// The id that the provider gave to the account.
    public var subject: String
    /// The email address of the account at the provider.
    public var email: String?
    /// The name of the account at the provider.
    public var displayName: String?
    /// The URL of the account's photo at the provider.
    public var photoURL: String?
    /// The provider's data about the account, as the backend stores it.
    public var data: JSONObject
    /// The time when the user connected the account.
    public var createdAt: Instant?
    /// The time of the last sign-in with the account.
    public var lastSignInAt: Instant?

    /// Creates the description of an account at an identity provider.
    ///
    /// - Parameters:
    ///   - provider: The identity provider.
    ///   - subject: The id that the provider gave to the account.
    ///   - email: The email address of the account at the provider.
    ///   - data: The provider's data about the account.
    ///   - createdAt: The time when the user connected the account. Default: the time when the user was created.
    ///   - lastSignInAt: The time of the last sign-in with the account. Default: the user's last sign-in.
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
