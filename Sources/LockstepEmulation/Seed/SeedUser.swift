public import LockstepPrimitives
@_exported public import LockstepUserFields

/// A user in a seed.
///
/// The values of ``UserFields`` are members of a user in a seed, as in `user.email`.
@dynamicMemberLookup
public struct SeedUser: Sendable, Hashable {
    /// The id of the user; `nil` to create a new id.
    public var id: String?
    /// The password, to which the backend does not apply its password policy.
    public var password: Secret?
    /// The hash of the password, in the text format of its algorithm: `$2b$…`, `$argon2id$…`, `$fbscrypt$…`.
    public var passwordHash: Secret?
    /// The values that a user of every form has.
    public var values = UserFields()
    /// The user's accounts at identity providers, oldest first.
    public var identities: [SeedIdentity] = []
    /// The user's second factors, oldest first.
    public var factors: [DirectoryFactor] = []
    /// The user's sessions, oldest first.
    public var sessions: [SeedSession] = []
    /// The reason why the password hash is missing.
    ///
    /// The reason is `nil` if there is a hash, or if the user has no password.
    public var missingHash: String?
    /// The time when the user's password was last changed.
    public var passwordChangedAt: Instant?
    /// The earliest sign-in time of sessions that are still valid.
    public var sessionsValidSince: Instant?
    /// The names of the ways to sign in, if the source of the user contains only their names.
    public var providers: [String] = []
    /// The names of the values that the source of the user did not return.
    ///
    /// If such a value is absent, it is unknown.
    public var notShown: [String] = []
    /// The providers that create this user; empty for all providers.
    public var only: [String] = []

    /// Creates a user without values.
    public init() {}

    /// Reads or sets one of the ``values``.
    public subscript<Value>(dynamicMember path: WritableKeyPath<UserFields, Value>) -> Value {
        get { values[keyPath: path] }
        _modify { yield &values[keyPath: path] }
    }

    /// The name of the user in errors: the email address, or else the phone number or the id.
    var label: String? { [self.email, self.phone, id].compactMap(\.self).first { !$0.isEmpty } }
}

/// A user's account at an identity provider.
public struct SeedIdentity: Sendable, Hashable {
    /// The short name of the identity provider, such as `google` or `apple`, or the backend's own name for it.
    public var provider: String
    /// The id that the identity provider gave to the person.
    public var subject: String
    /// The email address of the account.
    public var email: String?
    /// The name of the person at the identity provider.
    public var displayName: String?
    /// The URL of the person's photo at the identity provider.
    public var photoURL: String?
    /// Further values of the account, by the backend's own names.
    public var data: JSONObject
    /// The time when the user connected the account; `nil` for the time when the user was created.
    public var createdAt: Instant?
    /// The time of the last sign-in with the account.
    public var lastSignInAt: Instant?

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - provider: The short name of the identity provider.
    ///   - subject: The id that the identity provider gave to the person.
    ///   - email: The email address of the account.
    ///   - data: Further values of the account, by the backend's own names.
    public init(provider: String, subject: String, email: String? = nil, data: JSONObject = [:]) {
        self.provider = provider
        self.subject = subject
        self.email = email
        self.data = data
    }
}

/// A session of a user.
public struct SeedSession: Sendable, Hashable {
    /// The id of the session; `nil` to create a new id.
    public var id: String?
    /// The refresh token of the session; `nil` to create a new token.
    public var refreshToken: Secret?
    /// The time when the user signed in; `nil` for the time when the seed is loaded.
    public var createdAt: Instant?
    /// The time when the session was last renewed or used.
    public var lastUsedAt: Instant?
    /// The `User-Agent` of the program with which the user signed in.
    public var userAgent: String?
    /// The IP address from which the user signed in.
    public var address: String?
    /// The backend's own name for the way in which the user signed in; `nil` for a password.
    public var method: String?
    /// Whether the user has passed a second factor in this session.
    public var hasSecondFactor: Bool

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - id: The id of the session; `nil` to create a new id.
    ///   - refreshToken: The refresh token of the session; `nil` to create a new token.
    ///   - createdAt: The time when the user signed in; `nil` for the time when the seed is loaded.
    ///   - hasSecondFactor: Whether the user has passed a second factor in this session. Default: `false`.
    public init(id: String? = nil, refreshToken: Secret? = nil, createdAt: Instant? = nil, hasSecondFactor: Bool = false) {
        self.id = id
        self.refreshToken = refreshToken
        self.createdAt = createdAt
        self.hasSecondFactor = hasSecondFactor
    }
}
