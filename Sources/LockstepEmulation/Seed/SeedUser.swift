public import LockstepPrimitives

/// A user in a seed.
///
/// The user has the values that the control routes can set, and values that only a complete state contains.
public struct SeedUser: Sendable, Hashable {
    /// The values that the control routes can also set.
    public var values = UserValues()
    /// The user's id in another system.
    public var externalID: String?
    /// The hash of the password, in the text format of its algorithm: `$2b$…`, `$argon2id$…`, `$fbscrypt$…`.
    public var passwordHash: Secret?
    /// The time when the email address was verified; `nil` for the time when the user was created.
    public var emailConfirmedAt: Instant?
    /// The time when the phone number was verified; `nil` for the time when the user was created.
    public var phoneConfirmedAt: Instant?
    /// Whether the user is anonymous.
    public var isAnonymous = false
    /// The user's accounts at identity providers, oldest first.
    public var identities: [SeedIdentity] = []
    /// The user's second factors, oldest first.
    public var factors: [FactorValues] = []
    /// The user's sessions, oldest first.
    public var sessions: [SeedSession] = []
    /// The time when the user was created; `nil` for the time when the seed is loaded.
    public var createdAt: Instant?
    /// The time when the user last signed in.
    public var lastSignInAt: Instant?
    /// The user's email addresses except the primary one, oldest first.
    public var otherEmails: [SeedAddress] = []
    /// The user's phone numbers except the primary one, oldest first.
    public var otherPhones: [SeedAddress] = []
    /// Whether the user can sign in with the email address; `nil` for the backend's default.
    public var hasEmailIdentity: Bool?
    /// Whether the user can sign in with the phone number; `nil` for the backend's default.
    public var hasPhoneIdentity: Bool?
    /// The unique user name.
    public var username: String?
    /// The first name.
    ///
    /// If a user has a first or last name, the display name must be absent or consist of both names.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The time when the user's ban ends.
    ///
    /// The time is `nil` if the ban has no end, or if the user is not disabled.
    public var bannedUntil: Instant?
    /// Whether the user is locked, for example after too many failed sign-ins.
    public var isLocked = false
    /// The tenant that the user belongs to.
    public var tenant: String?
    /// Whether the user signs in with the identity provider of an organization (single sign-on).
    public var isSingleSignOn = false
    /// The role in the user's access tokens; `nil` for the backend's default.
    public var role: String?
    /// The audience in the user's access tokens; `nil` for the backend's default.
    public var audience: String?
    /// The user's second factors that an emulator cannot add, oldest first.
    public var otherFactors: [SeedFactor] = []
    /// The reason why the password hash is missing.
    ///
    /// The reason is `nil` if there is a hash, or if the user has no password.
    public var missingHash: String?
    /// The time when the user's password was last changed.
    public var passwordChangedAt: Instant?
    /// The earliest sign-in time of sessions that are still valid.
    public var sessionsValidSince: Instant?
    /// The time when the user was last changed.
    public var updatedAt: Instant?
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

    /// The name of the user in errors: the email address, or else the phone number or the id.
    var label: String? { [values.email, values.phone, values.id].compactMap(\.self).first { !$0.isEmpty } }
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

/// An email address or phone number of a user, in addition to the primary one.
public struct SeedAddress: Sendable, Hashable {
    /// The email address, or the phone number in E.164 form.
    public var value: String
    /// Whether the user has verified the address or number.
    public var isConfirmed: Bool
    /// The time when the user verified it; `nil` for the time when the user was created.
    public var confirmedAt: Instant?
    /// Whether the address or number is only a second factor.
    public var isSecondFactor: Bool

    /// Creates an address or number.
    ///
    /// - Parameters:
    ///   - value: The email address, or the phone number in E.164 form.
    ///   - isConfirmed: Whether the user has verified the address or number.
    ///   - confirmedAt: The time when the user verified it; `nil` for the time when the user was created.
    ///   - isSecondFactor: Whether the address or number is only a second factor.
    public init(_ value: String, isConfirmed: Bool, confirmedAt: Instant? = nil, isSecondFactor: Bool = false) {
        self.value = value
        self.isConfirmed = isConfirmed
        self.confirmedAt = confirmedAt
        self.isSecondFactor = isSecondFactor
    }
}

/// A second factor that a real backend has, but that no emulator can add.
public struct SeedFactor: Sendable, Hashable {
    /// The names of the possible kinds.
    public static let kinds = ["passkey", "backupCodes", "other"]

    /// The kind of the factor, one of ``kinds``.
    public var kind: String
    /// The backend's name for the kind, if ``kind`` is `other`.
    public var type: String?
    /// The number of unused backup codes.
    public var count: Int?
    /// The unused backup codes, if ``kind`` is `backupCodes` and the source knows them.
    public var codes: [Secret] = []
    /// The name that the user gave to the factor.
    public var name: String?
    /// Whether the user has verified the factor.
    public var isVerified: Bool
    /// The time when the user added the factor.
    public var createdAt: Instant?

    /// Creates a factor.
    ///
    /// - Parameters:
    ///   - kind: The kind of the factor, one of ``kinds``.
    ///   - type: The backend's name for the kind, if the kind is `other`.
    ///   - count: The number of unused backup codes.
    ///   - name: The name that the user gave to the factor.
    ///   - isVerified: Whether the user has verified the factor. Default: `true`.
    ///   - createdAt: The time when the user added the factor.
    public init(
        _ kind: String, type: String? = nil, count: Int? = nil, name: String? = nil, isVerified: Bool = true,
        createdAt: Instant? = nil
    ) {
        self.kind = kind
        self.type = type
        self.count = count
        self.name = name
        self.isVerified = isVerified
        self.createdAt = createdAt
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
