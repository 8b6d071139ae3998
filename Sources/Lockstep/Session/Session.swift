public import LockstepPrimitives

/// A user with the tokens of one sign-in.
public struct Session: Sendable, Hashable, Codable {
    /// The provider's id of the session, where it gives one.
    public var id: String?
    /// The adapter that made it.
    public var provider: String
    /// The user.
    public var user: User
    /// Bearer token for your API.
    public var accessToken: Secret
    /// Token used to obtain new access tokens; for Clerk the client token.
    public var refreshToken: Secret
    /// How long the access token lives.
    public var lifetime: TokenLifetime
    /// Whether a second factor was given.
    public var assurance: Assurance
    /// The claims of the access token, as they stood in it; not verified here, and not to be trusted by a server.
    ///
    /// Where the token has a subject, `sub` is the id of ``user``: the client rejects a session in which it is another user's.
    public var claims: JSONObject

    /// How strongly the user has signed in.
    public enum Assurance: String, Sendable, Codable { case oneFactor, twoFactors }

    /// A session.
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
    /// The id of the active organization, where the access token tells one and the backend has organizations.
    ///
    /// The claims are `org_id`, and `id` of `o` (Clerk, session tokens of version 1 and 2); on another backend a claim that a project adds
    /// under these names reads as one, too. They are not verified here: a server reads them from the token itself.
    public var organizationID: String? { claims["o"]?["id"]?.string ?? claims["org_id"]?.string }

    /// When the user last gave a first factor, by the backend's clock, where the access token tells it.
    ///
    /// The claims are `auth_time` (OpenID Connect Core 1.0, section 2; Firebase), the newest `timestamp` of `amr` (GoTrue), and the
    /// first age of `fva`, in minutes before `iat` (Clerk). They are not verified here: a server reads them from the token itself.
    public var signedInAt: Instant? {
        if let time = claims["auth_time"]?.int { return Instant(seconds: Int64(time)) }
        if let newest = claims["amr"]?.array?.compactMap({ $0["timestamp"]?.int }).max() {
            return Instant(seconds: Int64(newest))
        }
        // An age of a thousand years is as good as any above it, and takes part in sums.
        guard let minutes = claims["fva"]?[0]?.int, minutes >= 0, let issued = claims["iat"]?.int else { return nil }
        return Instant(seconds: Int64(issued)) - .seconds(min(Int64(minutes), 525_600_000) * 60)
    }

    /// How long ago the user last gave a first factor, measured so that a wrong device clock does no harm; `nil` where the token
    /// does not tell.
    ///
    /// - Parameter clock: The device's clock.
    public func timeSinceSignIn(on clock: some DeviceClock) -> Duration? {
        guard let signedInAt else { return nil }
        // At the backend until the token came, by its own clock; here since then.
        let before = (lifetime.serverDate ?? lifetime.receivedAt) - signedInAt
        return max(before, .zero) + (lifetime.life - lifetime.remaining(on: clock))
    }

    /// The subject of the access token; `nil` where it has none, as with a token that is no JSON Web Token.
    public var subject: String? { claims["sub"]?.string }
}

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

/// Source of an identity: an OAuth provider, e-mail, or phone.
public struct IdentityProvider: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The lower-case name that most backends use: `apple`, `google`.
    public let rawValue: String

    /// A provider by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// Sign in with Apple.
    public static let apple = IdentityProvider(rawValue: "apple")
    /// Google.
    public static let google = IdentityProvider(rawValue: "google")
    /// GitHub.
    public static let github = IdentityProvider(rawValue: "github")
    /// E-mail, as the provider of an identity that a user has by address.
    public static let email = IdentityProvider(rawValue: "email")
    /// Phone, as the provider of an identity that a user has by number.
    public static let phone = IdentityProvider(rawValue: "phone")
}

/// How long a token lives, measured so that a wrong device clock does no harm.
///
/// While the machine runs, elapsed time is read from a clock that never jumps. A restart takes an unknown time, so the token counts as
/// expired after one: an extra refresh does no harm, a dead token does. A token also counts as expired if the machine has run for a
/// shorter time than when the token came: a container with a time of its own, or a restored snapshot. What another machine has measured is read by this one's wall
/// clock from the server's date, so that a wrong clock there does no harm here.
///
/// A life is from zero to ``longest``, even where a server or a store says more: a session that claims more is refreshed sooner.
public struct TokenLifetime: Sendable, Hashable, Codable {
    /// The life that the server gave, from the moment of its answer, within its bounds.
    public let life: Duration
    /// The server's date at that moment, where it sent one.
    public let serverDate: Instant?
    /// This device's wall clock at that moment.
    public let receivedAt: Instant
    /// The time since start at that moment.
    public let uptime: Duration
    /// The start that ``uptime`` counts from.
    public let bootID: String
    /// The machine, where it can be identified.
    public let hostID: String?

    /// A life that begins now.
    public init(life: Duration, serverDate: Instant? = nil, clock: any DeviceClock) {
        self.life = life.clamped(to: .zero...Self.longest)
        self.serverDate = serverDate
        receivedAt = clock.now
        uptime = clock.uptime
        bootID = clock.bootID
        hostID = clock.hostID
    }

    /// The longest life that is accepted: thirty days.
    ///
    /// No provider's tokens live longer in its default configuration, and a token without an end would never be refreshed.
    public static let longest: Duration = .seconds(30 * 24 * 3600)

    /// Reads what a store holds; impossible values are brought within their bounds.
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

    /// When the token ends, by this device's clock as it was when the token came.
    public var expiresAt: Instant { receivedAt + life }

    /// The remaining life; zero or less when it has ended.
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

    /// How long before its end a token is renewed: a sixth of its life, a minute at most.
    public var margin: Duration { min(life / 6, .seconds(60)) }

    /// Whether the token should be renewed before it is used.
    public func needsRefresh(on clock: some DeviceClock) -> Bool { remaining(on: clock) <= margin }
}
