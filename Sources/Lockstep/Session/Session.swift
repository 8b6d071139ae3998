public import LockstepPrimitives

/// A signed-in user and the tokens of one sign-in.
///
/// ```swift
/// let session = try await client.session(requiring: .verified)
/// print(session.user.id, session.provider, session.assurance)
/// ```
public struct Session: Sendable, Hashable, Codable {
    /// The provider's id for the session; `nil` if the provider has no such id.
    public var id: String?
    /// The name of the adapter that created the session.
    public var provider: String
    /// The user.
    public var user: User
    /// The access token, which the app sends to its own servers.
    public var accessToken: Secret
    /// The token with which the client gets a new access token.
    ///
    /// On Clerk, this is the client token.
    public var refreshToken: Secret
    /// The lifetime of the access token.
    public var lifetime: TokenLifetime
    /// Whether the user signed in with a second factor.
    public var assurance: Assurance
    /// The unverified claims of the access token.
    ///
    /// A server must not trust these claims. If the token has the claim `sub`, its value equals the id of ``user``: the
    /// client rejects a session with another `sub`.
    public var claims: JSONObject

    /// The strength of the sign-in.
    public enum Assurance: String, Sendable, Codable { case oneFactor, twoFactors }

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - id: The provider's id for the session.
    ///   - provider: The name of the adapter.
    ///   - user: The user.
    ///   - accessToken: The access token, which the app sends to its own servers.
    ///   - refreshToken: The token with which the client gets a new access token.
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
    /// In Clerk's session tokens, the id is in the claim `org_id` (version 1), or in the member `id` of the claim `o`
    /// (version 2). If another backend adds a custom claim with one of these names, the property also returns its
    /// value. The claims here are unverified. A server must read the claims from a verified token.
    public var organizationID: String? { claims["o"]?["id"]?.string ?? claims["org_id"]?.string }

    /// The time of the last sign-in with a first factor, according to the backend's clock.
    ///
    /// The value is `nil` if the access token does not contain the time.
    ///
    /// On Firebase, the time is in the claim `auth_time` (OpenID Connect Core 1.0, section 2). On GoTrue, the time is
    /// the latest `timestamp` in the claim `amr`. On Clerk, the first number in the claim `fva` is the age of the
    /// sign-in, in minutes before `iat`. The claims here are unverified. A server must read the claims from a verified
    /// token.
    public var signedInAt: Instant? {
        if let time = claims["auth_time"]?.int { return Instant(seconds: Int64(time)) }
        if let newest = claims["amr"]?.array?.compactMap({ $0["timestamp"]?.int }).max() {
            return Instant(seconds: Int64(newest))
        }
        // An age of more than a thousand years is cut to that value, so that sums cannot overflow.
        guard let minutes = claims["fva"]?[0]?.int, minutes >= 0, let issued = claims["iat"]?.int else { return nil }
        return Instant(seconds: Int64(issued)) - .seconds(min(Int64(minutes), 525_600_000) * 60)
    }

    /// Returns the time since the last sign-in with a first factor.
    ///
    /// The result is correct even if the device's clock is wrong.
    ///
    /// ```swift
    /// if let age = client.state.session?.timeSinceSignIn(on: SystemClock()), age > .seconds(600) {
    ///     print("ask the user to sign in again")
    /// }
    /// ```
    ///
    /// - Parameter clock: The device's clock.
    /// - Returns: The time; `nil` if the access token does not contain the time of the sign-in.
    public func timeSinceSignIn(on clock: some DeviceClock) -> Duration? {
        guard let signedInAt else { return nil }
        // The time on the backend's clock until the token was sent, plus the time on this device since then.
        let before = (lifetime.serverDate ?? lifetime.receivedAt) - signedInAt
        return max(before, .zero) + (lifetime.life - lifetime.remaining(on: clock))
    }

    /// The subject of the access token; `nil` if the token has no subject, or if it is not a JSON Web Token.
    public var subject: String? { claims["sub"]?.string }
}

/// A user in a format that is the same for all providers.
///
/// ```swift
/// if let user = client.user {
///     print(user.displayName ?? user.email ?? user.id)
/// }
/// ```
public struct User: Sendable, Hashable, Codable, Identifiable {
    /// The provider's user id.
    public var id: String
    /// The email address; `nil` if the user has no email address.
    public var email: String?
    /// Whether the email address is verified.
    public var isEmailVerified: Bool
    /// The phone number in E.164 form; `nil` if the user has no phone number.
    public var phone: String?
    /// The display name.
    public var displayName: String?
    /// The URL of the photo.
    public var photoURL: String?
    /// Whether the user is anonymous.
    public var isAnonymous: Bool
    /// The identities with which the user can sign in.
    public var identities: [Identity]
    /// The time when the account was created, according to the backend's clock.
    public var createdAt: Instant?
    /// The data that users can change themselves; `nil` if the backend has no such data.
    ///
    /// A server must not grant rights based on these data.
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
    ///   - metadata: The data that users can change themselves.
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
    /// The status of a user: anonymous, unverified or verified.
    public enum Standing: String, Sendable { case anonymous, unverified, verified }

    /// The status of the user: anonymous, unverified or verified.
    ///
    /// A user is unverified if the account has an unverified email address, and no other verified way to sign in. A
    /// phone number or an identity provider also makes a user verified.
    public var standing: Standing {
        if isAnonymous { return .anonymous }
        if isEmailVerified || phone != nil { return .verified }
        return identities.contains { $0.provider != .email } || email == nil ? .verified : .unverified
    }
}

/// An identity with which a user can sign in, such as an email address or an Apple account.
///
/// ```swift
/// for identity in client.user?.identities ?? [] { print(identity.provider, identity.email ?? "") }
/// ```
public struct Identity: Sendable, Hashable, Codable, Identifiable {
    /// The id that the backend uses to remove the identity.
    public var id: String
    /// The provider, such as `apple`.
    public var provider: IdentityProvider
    /// The email address of the identity.
    public var email: String?

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - id: The id that the backend uses to remove the identity.
    ///   - provider: The provider.
    ///   - email: The email address of the identity.
    public init(id: String, provider: IdentityProvider, email: String? = nil) {
        self.id = id
        self.provider = provider
        self.email = email
    }
}

/// The source of an identity: email, phone, or an identity provider such as Apple.
///
/// ```swift
/// let providers: [IdentityProvider] = [.apple, .google, IdentityProvider(rawValue: "gitlab")]
/// print(providers.map(\.rawValue))
/// ```
public struct IdentityProvider: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name in lower case that most backends use, such as `apple` or `google`.
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
    /// The source of an identity that is an email address.
    public static let email = IdentityProvider(rawValue: "email")
    /// The source of an identity that is a phone number.
    public static let phone = IdentityProvider(rawValue: "phone")
}

/// The lifetime of a token, which is measured correctly even if the device's clock is wrong.
///
/// The elapsed time comes from the machine's uptime, a clock that never jumps. A restart of the machine takes an
/// unknown time, so the client treats the token as expired after a restart. An unnecessary refresh does no harm, but an
/// expired token makes calls fail.
///
/// The client also treats a token as expired if the uptime is now shorter than when the token arrived. The uptime
/// becomes shorter in a container with its own clock, or after a restored snapshot. If another machine stored the
/// token, this machine compares its own clock with the server's date. So a wrong clock on the other machine does no
/// harm.
///
/// A lifetime is always between zero and ``longest``. A longer lifetime from a server or a store is shortened, so the
/// client refreshes the session earlier.
///
/// ```swift
/// if let session = client.state.session { print(session.lifetime.remaining(on: SystemClock())) }
/// ```
public struct TokenLifetime: Sendable, Hashable, Codable {
    /// The lifetime in the server's response, limited to the range from zero to ``longest``.
    public let life: Duration
    /// The `Date` header of the response, from which another machine measures the lifetime; `nil` if there was none.
    public let serverDate: Instant?
    /// The time on the device's clock when the response arrived.
    public let receivedAt: Instant
    /// The device's uptime when the response arrived.
    public let uptime: Duration
    /// The id of the machine's boot; ``uptime`` is the time since that boot.
    public let bootID: String
    /// The id of the machine; `nil` if the machine cannot be identified.
    public let hostID: String?

    /// Creates the lifetime of a token that has just arrived.
    ///
    /// - Parameters:
    ///   - life: The lifetime in the server's response.
    ///   - serverDate: The `Date` header of the response. Default: none.
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
    /// No provider has a longer default. Without a limit, the client would never refresh a token that does not expire.
    public static let longest: Duration = .seconds(30 * 24 * 3600)

    /// Decodes a stored lifetime, and replaces impossible values with the nearest valid values.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: The errors of the decoder.
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

    /// The time when the token expires, according to the device's clock at the arrival of the response.
    public var expiresAt: Instant { receivedAt + life }

    /// Returns the remaining lifetime.
    ///
    /// - Parameter clock: The device's clock.
    /// - Returns: The remaining time; zero or less if the token has expired.
    public func remaining(on clock: some DeviceClock) -> Duration {
        if clock.bootID == bootID {
            let passed = clock.uptime - uptime
            return passed < .zero ? .zero : life - passed
        }
        if let host = clock.hostID, host == hostID { return .zero }
        let passed = clock.now - (serverDate ?? receivedAt)
        return passed < .zero - Self.tolerance ? .zero : life - max(passed, .zero)
    }

    /// The maximum clock difference to another machine.
    ///
    /// If it is larger, the other machine's measurements are ignored.
    private static let tolerance = Duration.seconds(60)

    /// The client refreshes a token this long before it expires: a sixth of the lifetime, at most a minute.
    public var margin: Duration { min(life / 6, .seconds(60)) }

    /// Returns whether the token should be refreshed before it is used.
    ///
    /// - Parameter clock: The device's clock.
    /// - Returns: Whether to refresh.
    public func needsRefresh(on clock: some DeviceClock) -> Bool { remaining(on: clock) <= margin }
}
