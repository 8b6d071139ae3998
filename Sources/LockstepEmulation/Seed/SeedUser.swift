public import LockstepPrimitives

/// A user of a seed: the values of the control routes, and the values that only a complete state contains.
public struct SeedUser: Sendable, Hashable {
    /// The values that the control routes can set, too.
    public var values = UserValues()
    /// The id of the same person in another system.
    public var externalID: String?
    /// The hash of the password in the encoded form of its scheme: `$2b$…`, `$argon2id$…`, `$fbscrypt$…`.
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
    /// Further addresses, the oldest first.
    public var otherEmails: [SeedAddress] = []
    /// Further numbers, the oldest first.
    public var otherPhones: [SeedAddress] = []
    /// Whether the address is a separate sign-in method; `nil` for the backend's default.
    public var hasEmailIdentity: Bool?
    /// Whether the number is a separate sign-in method; `nil` for the backend's default.
    public var hasPhoneIdentity: Bool?
    /// The unique user name.
    public var username: String?
    /// The first name.
    ///
    /// If there is a first or last name, the display name is absent, or consists of both.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The end of a ban; `nil` for a ban without an end, and for a user who is not disabled.
    public var bannedUntil: Instant?
    /// Whether the user is locked, for example after too many attempts.
    public var isLocked = false
    /// The tenant of the user.
    public var tenant: String?
    /// Whether the user signs in with an organization's own identity provider.
    public var isSingleSignOn = false
    /// The role of the user's tokens; `nil` for the backend's default.
    public var role: String?
    /// The audience of the user's tokens; `nil` for the backend's default.
    public var audience: String?
    /// Second factors that an emulator cannot enroll, the oldest first.
    public var otherFactors: [SeedFactor] = []
    /// The reason for a missing password hash; `nil` if there is a hash or no password.
    public var missingHash: String?
    /// The time when the password was changed.
    public var passwordChangedAt: Instant?
    /// The time from which sessions are valid.
    public var sessionsValidSince: Instant?
    /// The last change of the user.
    public var updatedAt: Instant?
    /// The names of the sign-in methods, if the source lists only names.
    public var providers: [String] = []
    /// The names of values that the source did not show.
    ///
    /// Their absence means unknown.
    public var notShown: [String] = []
    /// The providers that get the user; empty for all.
    public var only: [String] = []

    /// Creates a user without values.
    public init() {}

    /// The name of the user in errors: the address, else the number or the id.
    var label: String? { [values.email, values.phone, values.id].compactMap(\.self).first { !$0.isEmpty } }
}

/// An account of a user at an identity provider.
public struct SeedIdentity: Sendable, Hashable {
    /// The short name of the provider, such as `google` or `apple`, or the backend's own name for it.
    public var provider: String
    /// The provider's own id of the person.
    public var subject: String
    /// The address at the provider.
    public var email: String?
    /// The name of the person at the provider.
    public var displayName: String?
    /// The address of the person's photo at the provider.
    public var photoURL: String?
    /// Further values of the account, by the backend's own names.
    public var data: JSONObject
    /// The time when the user added it; `nil` for the creation time of the user.
    public var createdAt: Instant?
    /// The last sign-in with it.
    public var lastSignInAt: Instant?

    /// Creates an identity.
    public init(provider: String, subject: String, email: String? = nil, data: JSONObject = [:]) {
        self.provider = provider
        self.subject = subject
        self.email = email
        self.data = data
    }
}

/// A further address or number of a user.
public struct SeedAddress: Sendable, Hashable {
    /// The address, or the number in E.164 form.
    public var value: String
    /// Whether it is verified.
    public var isConfirmed: Bool
    /// The time when it was verified; `nil` for the creation time of the user.
    public var confirmedAt: Instant?
    /// Whether the address is reserved for a second factor.
    public var isSecondFactor: Bool

    /// Creates an address.
    public init(_ value: String, isConfirmed: Bool, confirmedAt: Instant? = nil, isSecondFactor: Bool = false) {
        self.value = value
        self.isConfirmed = isConfirmed
        self.confirmedAt = confirmedAt
        self.isSecondFactor = isSecondFactor
    }
}

/// A second factor that exists on a backend, but that no emulator can enroll.
public struct SeedFactor: Sendable, Hashable {
    /// The kinds, by their names in a file.
    public static let kinds = ["passkey", "backupCodes", "other"]

    /// The kind, one of ``kinds``.
    public var kind: String
    /// The backend's name of another kind.
    public var type: String?
    /// The number of unused backup codes.
    public var count: Int?
    /// The name that the user gave it.
    public var name: String?
    /// Whether the user has verified it.
    public var isVerified: Bool
    /// The time when the user added it.
    public var createdAt: Instant?

    /// Creates a factor.
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
    /// The backend's id; `nil` creates a new one.
    public var id: String?
    /// The token that renews the session; `nil` creates a new one.
    public var refreshToken: Secret?
    /// The sign-in time; `nil` for the time when the seed is read.
    public var createdAt: Instant?
    /// The last renewal or use.
    public var lastUsedAt: Instant?
    /// The `User-Agent` of the program that signed in.
    public var userAgent: String?
    /// The address that the user signed in from.
    public var address: String?
    /// The method of the sign-in, by the backend's own name; `nil` for a password.
    public var method: String?
    /// Whether the user has passed a second factor.
    public var hasSecondFactor: Bool

    /// Creates a session.
    public init(id: String? = nil, refreshToken: Secret? = nil, createdAt: Instant? = nil, hasSecondFactor: Bool = false) {
        self.id = id
        self.refreshToken = refreshToken
        self.createdAt = createdAt
        self.hasSecondFactor = hasSecondFactor
    }
}
