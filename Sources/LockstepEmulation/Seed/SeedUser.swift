public import LockstepPrimitives

/// A user of a seed: the values of the control routes, and those that only a whole state has.
public struct SeedUser: Sendable, Hashable {
    /// The values that the control routes set, too.
    public var values = UserValues()
    /// The id that another system has for the same person.
    public var externalID: String?
    /// The hash of the password in the text form of its scheme: `$2b$…`, `$argon2id$…`, `$fbscrypt$…`.
    public var passwordHash: Secret?
    /// The time when the address was verified; `nil` for the creation time.
    public var emailConfirmedAt: Instant?
    /// The time when the number was verified; `nil` for the creation time.
    public var phoneConfirmedAt: Instant?
    /// Whether the user is a guest.
    public var isAnonymous = false
    /// The accounts at identity providers, the oldest first.
    public var identities: [SeedIdentity] = []
    /// The second factors, the oldest first.
    public var factors: [FactorValues] = []
    /// The sessions, the oldest first.
    public var sessions: [SeedSession] = []
    /// The creation time; `nil` for the time when the seed is read.
    public var createdAt: Instant?
    /// The last sign-in.
    public var lastSignInAt: Instant?
    /// The providers that get the user; empty for all.
    public var only: [String] = []

    /// A user without values.
    public init() {}

    /// The name of the user in errors: the address, else the number or the id.
    var label: String? { [values.email, values.phone, values.id].compactMap(\.self).first { !$0.isEmpty } }
}

/// An account of a user at an identity provider.
public struct SeedIdentity: Sendable, Hashable {
    /// The short name of the provider: `google`, `apple`; or the backend's own name for it.
    public var provider: String
    /// The provider's own id of the person.
    public var subject: String
    /// The address at the provider.
    public var email: String?
    /// Further values of the account, by the backend's own names.
    public var data: JSONObject

    /// An identity from its parts.
    public init(provider: String, subject: String, email: String? = nil, data: JSONObject = [:]) {
        self.provider = provider
        self.subject = subject
        self.email = email
        self.data = data
    }
}

/// A session of a user.
public struct SeedSession: Sendable, Hashable {
    /// The backend's id; `nil` makes a new one.
    public var id: String?
    /// The token that renews the session; `nil` makes a new one.
    public var refreshToken: Secret?
    /// The sign-in time; `nil` for the time when the seed is read.
    public var createdAt: Instant?
    /// The last renewal or use.
    public var lastUsedAt: Instant?
    /// The program that signed in, by its `User-Agent`.
    public var userAgent: String?
    /// The address that the user signed in from.
    public var address: String?
    /// The method of the sign-in, by the backend's own name; `nil` for a password.
    public var method: String?
    /// Whether a second factor was given.
    public var hasSecondFactor: Bool

    /// A session from its parts.
    public init(id: String? = nil, refreshToken: Secret? = nil, createdAt: Instant? = nil, hasSecondFactor: Bool = false) {
        self.id = id
        self.refreshToken = refreshToken
        self.createdAt = createdAt
        self.hasSecondFactor = hasSecondFactor
    }
}
