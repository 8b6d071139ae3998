public import Lockstep
@_exported public import LockstepPrimitives

/// A person at an identity provider, by whom a user signs in.
///
/// The names of providers are the same on every directory: `google`, `apple`, `facebook`, `microsoft`. Another backend knows the person by
/// ``provider`` and ``subject``; the id by which this backend removes the identity is ``Identity/id``.
public struct DirectoryIdentity: Sendable, Hashable {
    /// The provider.
    public var provider: IdentityProvider
    /// The provider's own id of the person.
    public var subject: String
    /// The address of the person at the provider.
    public var email: String?
    /// The name of the person at the provider.
    public var displayName: String?
    /// The address of the person's photo at the provider.
    public var photoURL: String?
    /// The provider's data about the person, as the backend stores it.
    public var data: JSONObject
    /// When the user added it.
    public var createdAt: Instant?
    /// The last sign-in with it.
    public var lastSignInAt: Instant?

    /// A person at a provider.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - subject: The provider's own id of the person.
    ///   - email: The address of the person at the provider.
    ///   - data: The provider's data about the person.
    ///   - createdAt: When the user added it; without it, the time of the account.
    ///   - lastSignInAt: The last sign-in with it; without it, that of the user.
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
