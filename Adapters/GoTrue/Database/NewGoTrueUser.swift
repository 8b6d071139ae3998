internal import Lockstep
public import LockstepDirectory
internal import LockstepGoTrueDirectory
public import LockstepPrimitives

/// A new user with fields that only SQL can set: identities, second factors, times of confirmation.
public struct NewGoTrueUser: Sendable, Hashable {
    /// A person at an identity provider.
    public struct ProviderIdentity: Sendable, Hashable {
        /// The server's name of the provider: `google`, `apple`.
        public var provider: String
        /// The provider's id of the person; not the id of a row, which ``Identity/id`` is.
        public var subject: String
        /// What the provider says of the person: `email`, `email_verified`, `full_name`; `sub` is added.
        public var data: JSONObject
        /// When it was added; without it, the time of the account.
        public var createdAt: Instant?
        /// The last sign-in with it; without it, that of the user.
        public var lastSignInAt: Instant?

        /// A person at a provider.
        public init(
            _ provider: String, subject: String, data: JSONObject = [:], createdAt: Instant? = nil, lastSignInAt: Instant? = nil
        ) {
            self.provider = provider
            self.subject = subject
            self.data = data
            self.createdAt = createdAt
            self.lastSignInAt = lastSignInAt
        }
    }

    /// The user, as every directory takes it.
    public var user: NewDirectoryUser
    /// Sign-in methods beside the address and the number.
    public var identities: [ProviderIdentity]
    /// Second factors: apps with their secret, and phones.
    public var factors: [GoTrueStoredFactor]
    /// Whether the address is a sign-in method of its own; `nil` for: where there is a password, or no provider's identity.
    public var hasEmailIdentity: Bool?
    /// Whether the number is a sign-in method; `nil` for yes.
    public var hasPhoneIdentity: Bool?
    /// When the address was proven; without it, the time of the account, where the user says that it is.
    public var emailConfirmedAt: Instant?
    /// When the number was proven.
    public var phoneConfirmedAt: Instant?
    /// Whether it is a guest.
    public var isAnonymous: Bool
    /// The end of a ban; `nil` for one without end, where the user is disabled.
    public var bannedUntil: Instant?
    /// The role of the user's tokens in the database.
    public var role = "authenticated"
    /// The audience of the user's tokens.
    public var audience = "authenticated"

    /// A user, with what only SQL can set.
    public init(
        _ user: NewDirectoryUser, identities: [ProviderIdentity] = [], factors: [GoTrueStoredFactor] = [],
        emailConfirmedAt: Instant? = nil, phoneConfirmedAt: Instant? = nil, isAnonymous: Bool = false, bannedUntil: Instant? = nil
    ) {
        self.user = user
        self.identities = identities
        self.factors = factors
        self.emailConfirmedAt = emailConfirmedAt
        self.phoneConfirmedAt = phoneConfirmedAt
        self.isAnonymous = isAnonymous
        self.bannedUntil = bannedUntil
    }

    /// The user of another GoTrue server as ``GoTrueDatabase`` has read it, to be written here with the same id, times and identities.
    ///
    /// A hash that the other server has encrypted with its own key cannot be carried over: such a user has no password here.
    public init(_ read: DirectoryUser, factors: [GoTrueStoredFactor] = []) {
        var user = NewDirectoryUser(email: read.email, phone: read.phone, password: read.passwordHash.map { .hash($0) })
        user.id = read.id
        user.isEmailConfirmed = read.isEmailConfirmed
        user.isPhoneConfirmed = read.phoneConfirmedAt != nil
        user.isDisabled = read.isDisabled
        user.userMetadata = read.userMetadata
        user.appMetadata = read.appMetadata
        user.createdAt = read.createdAt
        user.lastSignInAt = read.lastSignInAt
        self.init(
            user, factors: factors, emailConfirmedAt: read.emailConfirmedAt, phoneConfirmedAt: read.phoneConfirmedAt,
            isAnonymous: read.isAnonymous, bannedUntil: read.isDisabled ? Self.time(read.fields["banned_until"]) : nil)
        role = read.fields["role"]?.string ?? role
        audience = read.fields["aud"]?.string ?? audience
        hasEmailIdentity = false
        hasPhoneIdentity = false
        for identity in read.fields["identities"]?.array ?? [] {
            guard let provider = identity["provider"]?.string, let subject = identity["id"]?.string else { continue }
            switch provider {
            case "email": hasEmailIdentity = true
            case "phone": hasPhoneIdentity = true
            default:
                identities.append(
                    ProviderIdentity(
                        provider, subject: subject, data: identity["identity_data"]?.object ?? [:],
                        createdAt: Self.time(identity["created_at"]), lastSignInAt: Self.time(identity["last_sign_in_at"])))
            }
        }
    }

    private static func time(_ value: JSON?) -> Instant? { value?.string.flatMap { Instant(rfc3339: $0) } }
}
