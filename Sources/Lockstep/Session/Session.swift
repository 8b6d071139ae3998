public import LockstepPrimitives

/// A signed-in user and the tokens of one sign-in.
///
/// ```swift
/// let session = try await client.session(requiring: .verified)
/// print(session.user.id, session.provider, session.assurance)
/// ```
public struct Session: Sendable, Hashable, Codable {
    /// The provider's session id; `nil` if the provider has none.
    public var id: String?
    /// The name of the adapter that created the session.
    public var provider: String
    /// The user.
    public var user: User
    /// The bearer token for your API.
    public var accessToken: Secret
    /// The token that obtains new access tokens.
    ///
    /// On Clerk it is the client token.
    public var refreshToken: Secret
    /// The lifetime of the access token.
    public var lifetime: TokenLifetime
    /// Whether the user signed in with a second factor.
    public var assurance: Assurance
    /// The claims of the access token, not verified.
    ///
    /// A server must not trust them.
    ///
    /// If the token has a subject, `sub` equals the id of ``user``. The client rejects any other session.
    public var claims: JSONObject

    /// The strength of the sign-in.
    public enum Assurance: String, Sendable, Codable { case oneFactor, twoFactors }

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - id: The provider's session id.
    ///   - provider: The name of the adapter.
    ///   - user: The user.
    ///   - accessToken: The bearer token for your API.
    ///   - refreshToken: The token that obtains new access tokens.
    ///   - lifetime: The lifetime of the access token.
    ///   - assurance: The strength of the sign-in. Default: one factor.
    ///   - claims: The claims of the access token. Default: none.
    public init(
        id: String? = nil, provider: String, user: User, accessToken: Secret, refreshToken: Secret, lifetime: TokenLifetime,
        assurance: Assurance = .oneFactor, claims: JSONObject = [:]
    ) {
        self.id = id
        self.provider = provider
        self.user = user
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.lifetime = lifetime
        self.assurance = assurance
        self.claims = claims
    }
}

extension Session {
    /// The id of the active organization, if the access token contains it.
    ///
    /// The claims are `org_id` and the `id` of `o` (Clerk, session tokens of version 1 and 2). On another backend, a
    /// custom claim with one of these names is returned, too. The claims are not verified here: a server reads them from
    /// the token.
    public var organizationID: String? { claims["o"]?["id"]?.string ?? claims["org_id"]?.string }

    /// The time of the last sign-in with a first factor, by the backend's clock, if the access token contains it.
    ///
    /// The claims are `auth_time` (Firebase; OpenID Connect Core 1.0, section 2), the latest `timestamp` in `amr`
    /// (GoTrue), and the first age in `fva`, in minutes before `iat` (Clerk). They are not verified here: a server reads
    /// them from the token.
    public var signedInAt: Instant? {
        if let time = claims["auth_time"]?.int { return Instant(seconds: Int64(time)) }
        if let newest = claims["amr"]?.array?.compactMap({ $0["timestamp"]?.int }).max() {
            return Instant(seconds: Int64(newest))
        }
        // An age of a thousand years is as good as any above it, and takes part in sums.
        guard let minutes = claims["fva"]?[0]?.int, minutes >= 0, let issued = claims["iat"]?.int else { return nil }
        return Instant(seconds: Int64(issued)) - .seconds(min(Int64(minutes), 525_600_000) * 60)
    }

    /// Returns the time since the last sign-in with a first factor.
    ///
    /// A wrong device clock does not change it.
    ///
    /// - Parameter clock: The device's clock.
    /// - Returns: The time; `nil` if the access token does not contain it.
    public func timeSinceSignIn(on clock: some DeviceClock) -> Duration? {
        guard let signedInAt else { return nil }
        // At the backend until the token came, by its own clock; here since then.
        let before = (lifetime.serverDate ?? lifetime.receivedAt) - signedInAt
        return max(before, .zero) + (lifetime.life - lifetime.remaining(on: clock))
    }

    /// The subject of the access token; `nil` if it has none, or if it is not a JSON Web Token.
    public var subject: String? { claims["sub"]?.string }
}

/// The signed-in user, in the same form for every provider.
///
/// ```swift
/// if let user = client.user {
///     print(user.displayName ?? user.email ?? user.id)
/// }
/// ```
public struct User: Sendable, Hashable, Codable, Identifiable {
    /// The provider's user id.
    public var id: String
    /// The email address; `nil` if the user has none.
    public var email: String?
    /// Whether the email address is verified.
    public var isEmailVerified: Bool
    /// The phone number in E.164 form; `nil` if the user has none.
    public var phone: String?
    /// The display name.
    public var displayName: String?
    /// The URL of the photo.
    public var photoURL: String?
    /// Whether the user is anonymous.
    public var isAnonymous: Bool
    /// The identities with which the user can sign in.
    public var identities: [Identity]
    /// The time when the account was created, by the backend's clock.
    public var createdAt: Instant?
    /// Data that users can change themselves, if the backend has it.
    ///
    /// A server must not grant anything based on it.
    public var metadata: JSONObject?
    /// The provider's own fields, unchanged.
    public var fields: JSONObject

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - id: The provider's user id.
    ///   - email: The email address.
    ///   - isEmailVerified: Whether the email address is verified.
    ///   - phone: The phone number in E.164 form.
    ///   - displayName: The display name.
    ///   - photoURL: The URL of the photo.
    ///   - isAnonymous: Whether the user is anonymous.
    ///   - identities: The identities with which the user can sign in.
    ///   - createdAt: The time when the account was created.
    ///   - metadata: Data that users can change themselves.
    ///   - fields: The provider's own fields.
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
    /// The verification status of a user.
    public enum Standing: String, Sendable { case anonymous, unverified, verified }

    /// The verification status.
    ///
    /// Unverified means that the account signs in with an email address that has not been verified. A phone number or an
    /// identity provider verifies a user, too.
    public var standing: Standing {
        if isAnonymous { return .anonymous }
        if isEmailVerified || phone != nil { return .verified }
        return identities.contains { $0.provider != .email } || email == nil ? .verified : .unverified
    }
}

/// An identity with which a user can sign in.
public struct Identity: Sendable, Hashable, Codable, Identifiable {
    /// The id with which the identity is removed.
    public var id: String
    /// The provider, such as `apple`.
    public var provider: IdentityProvider
    /// The email address of the identity.
    public var email: String?

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - id: The id with which the identity is removed.
    ///   - provider: The provider.
    ///   - email: The email address of the identity.
    public init(id: String, provider: IdentityProvider, email: String? = nil) {
        self.id = id
        self.provider = provider
        self.email = email
    }
}

/// The source of an identity: an OAuth provider, email, or phone.
public struct IdentityProvider: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The lower-case name that most backends use, such as `apple` or `google`.
    public let rawValue: String

    /// Creates a provider from its name.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// Sign in with Apple.
    public static let apple = IdentityProvider(rawValue: "apple")
    /// Google.
    public static let google = IdentityProvider(rawValue: "google")
    /// GitHub.
    public static let github = IdentityProvider(rawValue: "github")
    /// Email, for an identity with an email address.
    public static let email = IdentityProvider(rawValue: "email")
    /// Phone, for an identity with a phone number.
    public static let phone = IdentityProvider(rawValue: "phone")
}

/// The lifetime of a token.
///
/// A wrong device clock does not change it.
///
/// While the machine runs, the elapsed time comes from a clock that never jumps. A restart takes an unknown time, so the
/// token is treated as expired afterwards: an extra refresh does no harm, an expired token does. A token is also treated
/// as expired if the machine's uptime is shorter than when the token arrived, as in a container with its own clock or a
/// restored snapshot. If another machine stored the token, this machine compares its own wall clock with the server's
/// date, so a wrong clock on the other machine does no harm.
///
/// A lifetime is between zero and ``longest``, even if a server or a store has a larger number. Such a session is
/// refreshed sooner.
public struct TokenLifetime: Sendable, Hashable, Codable {
    /// The lifetime from the server's response, limited to the valid range.
    public let life: Duration
    /// The `Date` of that response, if the server sent one.
    public let serverDate: Instant?
    /// The device's wall clock when the response arrived.
    public let receivedAt: Instant
    /// The device's uptime when the response arrived.
    public let uptime: Duration
    /// The boot that ``uptime`` is measured from.
    public let bootID: String
    /// The machine; `nil` if it cannot be identified.
    public let hostID: String?

    /// Creates a lifetime that begins now.
    ///
    /// - Parameters:
    ///   - life: The lifetime from the server's response.
    ///   - serverDate: The `Date` of the response.
    ///   - clock: The device's clock.
    public init(life: Duration, serverDate: Instant? = nil, clock: any DeviceClock) {
        self.life = life.clamped(to: .zero...Self.longest)
        self.serverDate = serverDate
        receivedAt = clock.now
        uptime = clock.uptime
        bootID = clock.bootID
        hostID = clock.hostID
    }

    /// The longest accepted lifetime: thirty days.
    ///
    /// No provider's default is longer, and a token without an end would never be refreshed.
    public static let longest: Duration = .seconds(30 * 24 * 3600)

    /// Decodes a stored lifetime.
    ///
    /// Impossible values are limited to the valid range.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        life = try container.decode(Duration.self, forKey: .life).clamped(to: .zero...Self.longest)
        serverDate = try container.decodeIfPresent(Instant.self, forKey: .serverDate)
        receivedAt = try container.decode(Instant.self, forKey: .receivedAt)
        uptime = try container.decode(Duration.self, forKey: .uptime).clamped(to: .zero...Self.longestUptime)
        bootID = try container.decode(String.self, forKey: .bootID)
        hostID = try container.decodeIfPresent(String.self, forKey: .hostID)
    }

    /// A hundred years.
    private static let longestUptime: Duration = .seconds(36_525 * 24 * 3600)

    /// The time when the token expires, by the device's clock at the time of the response.
    public var expiresAt: Instant { receivedAt + life }

    /// Returns the remaining lifetime.
    ///
    /// - Parameter clock: The device's clock.
    /// - Returns: The time; zero or less if the token has expired.
    public func remaining(on clock: some DeviceClock) -> Duration {
        if clock.bootID == bootID {
            let passed = clock.uptime - uptime
            return passed < .zero ? .zero : life - passed
        }
        if let host = clock.hostID, host == hostID { return .zero }
        let passed = clock.now - (serverDate ?? receivedAt)
        return passed < .zero - Self.tolerance ? .zero : life - max(passed, .zero)
    }

    /// Maximum tolerated clock skew of another machine; beyond it, its measurements are ignored.
    private static let tolerance = Duration.seconds(60)

    /// The time before the expiry at which a token is refreshed: a sixth of its lifetime, at most a minute.
    public var margin: Duration { min(life / 6, .seconds(60)) }

    /// Returns whether the token should be refreshed before it is used.
    ///
    /// - Parameter clock: The device's clock.
    /// - Returns: Whether to refresh.
    public func needsRefresh(on clock: some DeviceClock) -> Bool { remaining(on: clock) <= margin }
}
