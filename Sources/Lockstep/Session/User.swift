public import LockstepPrimitives

/// The signed-in user, in the same form for every provider.
public struct User: Sendable, Hashable, Codable, Identifiable {
    /// The provider's id of the user.
    public var id: String
    /// The address, where there is one.
    public var email: String?
    /// Whether the address is proven.
    public var isEmailVerified: Bool
    /// The number in E.164 form, where there is one.
    public var phone: String?
    /// The name to show.
    public var displayName: String?
    /// The address of a photo.
    public var photoURL: String?
    /// Whether it is a guest.
    public var isAnonymous: Bool
    /// The identities by which the user can sign in.
    public var identities: [Identity]
    /// When the account was made, by the backend's clock.
    public var createdAt: Instant?
    /// What users may change of themselves beside name and photo, where the backend keeps such; a server must never grant
    /// anything by it.
    public var metadata: JSONObject?
    /// The provider's own fields, as they stood on the wire.
    public var fields: JSONObject

    /// A user.
    public init(
        id: String, email: String? = nil, isEmailVerified: Bool = false, phone: String? = nil, displayName: String? = nil,
        photoURL: String? = nil, isAnonymous: Bool = false, identities: [Identity] = [], createdAt: Instant? = nil,
        metadata: JSONObject? = nil, fields: JSONObject = [:]
    ) {
        self.id = id
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.phone = phone
        self.displayName = displayName
        self.photoURL = photoURL
        self.isAnonymous = isAnonymous
        self.identities = identities
        self.createdAt = createdAt
        self.metadata = metadata
        self.fields = fields
    }
}

extension User {
    /// Verification status.
    public enum Standing: String, Sendable { case anonymous, unverified, verified }

    /// Verification status.
    ///
    /// Unverified means that the account signs in by an address that has not been proven. Users of a phone or of an identity
    /// provider have proven themselves in another way.
    public var standing: Standing {
        if isAnonymous { return .anonymous }
        if isEmailVerified || phone != nil { return .verified }
        return identities.contains { $0.provider != .email } || email == nil ? .verified : .unverified
    }
}

/// An identity by which a user can sign in.
public struct Identity: Sendable, Hashable, Codable, Identifiable {
    /// The id by which it can be removed.
    public var id: String
    /// Whose it is, for instance `apple`.
    public var provider: IdentityProvider
    /// The address that it came with.
    public var email: String?

    /// An identity.
    public init(id: String, provider: IdentityProvider, email: String? = nil) {
        self.id = id
        self.provider = provider
        self.email = email
    }
}
