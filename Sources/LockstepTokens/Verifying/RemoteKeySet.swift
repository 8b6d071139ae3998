public import LockstepPrimitives

/// The published keys of an issuer, which are fetched when needed and then cached.
///
/// Issuers change their keys. If a token has an unknown key, the keys are fetched again. Even if many such tokens
/// arrive, there is at most one fetch per ``coolDown``, and all waiting callers share it. If the newest fetch succeeded, such a
/// token fails with `unknownKey`. If it failed, the token may be valid, and fails with `keysUnavailable`.
///
/// If the key is known and was fetched recently, a caller does not wait. After half of the ``lifetime``, the keys are
/// fetched in the background. After the whole lifetime, callers wait for one fetch. If that fetch fails, later callers
/// do not wait for another fetch. So an issuer that does not respond cannot block a server.
///
/// ```swift
/// let keys = RemoteKeySet(clock: SystemClock()) { try await fetch("https://issuer.example/.well-known/jwks.json") }
/// let rules = TokenRules(issuers: ["https://issuer.example"], audiences: ["orders"])
/// print(try await keys.verify(text, rules: rules).subject ?? "no subject")
/// ```
public actor RemoteKeySet {
    /// The minimum time between two fetches.
    public let coolDown: Duration
    /// The time after which keys are fetched again.
    ///
    /// If the fetch fails, the old keys are used until ``maximumAge``.
    public let lifetime: Duration
    /// The maximum time for which old keys are used if new keys cannot be fetched.
    ///
    /// After this time, a key that the issuer has withdrawn is no longer accepted.
    public let maximumAge: Duration
    /// The maximum size of a response in bytes.
    ///
    /// A usual key set has a few thousand bytes.
    public static let sizeLimit = 1 << 20
    private let clock: any DeviceClock
    private let fetch: @Sendable () async throws -> [UInt8]

    private var keys: [VerificationKey]?
    /// Whether the issuer responded, but publishes no keys that can verify tokens.
    private var isWithoutKeys = false
    private var fetchedAt: Duration?
    private var askedAt: Duration?
    /// Whether the last fetch has failed.
    private var hasFailed = false
    private var running: Task<Void, Never>?

    /// Creates a key set, which fetches no keys yet.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures the age of the keys.
    ///   - coolDown: The minimum time between two fetches. Default: 30 seconds.
    ///   - lifetime: The time after which keys are fetched again. Default: 10 minutes.
    ///   - maximumAge: The maximum time for which old keys are used if new keys cannot be fetched. Default: one day.
    ///   - fetch: A function that returns the bytes of a JSON Web Key Set. The function must have its own time limit,
    ///     and must throw an error unless the response is successful.
    public init(
        clock: any DeviceClock, coolDown: Duration = .seconds(30), lifetime: Duration = .seconds(600),
        maximumAge: Duration = .seconds(86_400), fetch: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.clock = clock
        self.coolDown = coolDown
        self.lifetime = lifetime
        self.maximumAge = maximumAge
        self.fetch = fetch
    }

    /// Verifies a token with the issuer's keys, as ``TokenVerifier/verify(_:at:)`` does.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - rules: The rules for the claims of the token.
    /// - Returns: The verified token.
    /// - Throws: ``TokenError``: `keysUnavailable` if no cached key has the token's key id, and the last fetch has failed;
    ///   `noPublicKeys` if the issuer publishes no keys.
    public nonisolated func verify(_ text: String, rules: TokenRules) async throws(TokenError) -> VerifiedToken {
        let keys = try await keys(for: text)
        // Signatures are verified outside the actor, so that many can be verified at the same time.
        return try TokenVerifier(keys: keys, rules: rules).verify(text, at: clock.now)
    }

    /// Verifies only the signature of a token, not its issuer, audience or times.
    ///
    /// - Throws: The errors of ``verify(_:rules:)``, except those about claims.
    package nonisolated func verifySignature(of text: String) async throws(TokenError) -> VerifiedToken {
        return try TokenVerifier.verifySignature(of: text, keys: try await keys(for: text))
    }

    /// Returns the keys for a token.
    ///
    /// If no key can verify the token, no request is sent. So the error of an unsigned token says so, and such tokens cause no
    /// requests.
    private nonisolated func keys(for text: String) async throws(TokenError) -> [VerificationKey] {
        let token = try UnverifiedToken(text)
        try TokenVerifier.algorithm(of: token)
        return try await keys(named: token.keyID)
    }

    /// Returns the keys that may verify a token with this key id.
    private func keys(named id: String?) async throws(TokenError) -> [VerificationKey] {
        let age = self.age
        if !knows(id) || age.map({ $0 >= lifetime && !hasFailed }) ?? true {
            await refresh()?.value
        } else if let age, age >= lifetime / 2 {
            refresh()
        }
        if let age = self.age, age >= maximumAge { keys = nil }
        guard let keys else {
            guard !isWithoutKeys else { throw Self.noPublicKeys }
            throw TokenError(.keysUnavailable, "The keys of the issuer could not be fetched. Try again later.")
        }
        // Only a successful fetch shows that the issuer does not have the key. Without this check, each token by a new key would be
        // rejected for good while the issuer is down.
        guard knows(id) || !hasFailed else {
            throw TokenError(
                .keysUnavailable,
                "The token has an unknown key id (kid), and the current keys of the issuer could not be fetched. Try again later."
            )
        }
        return keys
    }

    /// The age of the keys.
    ///
    /// If the clock went back, the age is unknown, so the keys have the maximum age.
    private var age: Duration? {
        fetchedAt.map { clock.uptime < $0 ? maximumAge : clock.uptime - $0 }
    }

    private static let noPublicKeys = TokenError(
        .noPublicKeys,
        "The issuer publishes no public key. It signs tokens with a shared secret (HS256), as GoTrue projects do by default. "
            + "Switch the project to asymmetric signing keys. Or verify tokens on your server, never in an app, with a TokenVerifier "
            + "and the key SigningKey.secret(…).verificationKey. Or request the token's user from the backend."
    )

    private func knows(_ id: String?) -> Bool {
        guard let keys else { return false }
        return id == nil || keys.contains { $0.id == id || $0.id == nil }
    }

    /// Returns the fetch in progress, or starts a new one; `nil` if the last one was too recent.
    @discardableResult private func refresh() -> Task<Void, Never>? {
        if let running { return running }
        if let askedAt, (.zero..<coolDown).contains(clock.uptime - askedAt) { return nil }
        askedAt = clock.uptime
        let task = Task { [fetch] in
            // Fetches outside the actor, until the response is read.
            let set = await Self.set(by: fetch)
            adopt(set)
        }
        running = task
        return task
    }

    /// Fetches the published set; `nil` if the fetch failed.
    @concurrent
    private static func set(by fetch: @Sendable () async throws -> [UInt8]) async -> JSONWebKeySet? {
        guard let bytes = try? await fetch(), bytes.count <= sizeLimit else { return nil }
        return try? JSONWebKeySet(bytes)
    }

    private func adopt(_ set: JSONWebKeySet?) {
        running = nil
        hasFailed = set == nil
        // If the fetch failed, the known keys stay, because the failure says nothing about them.
        guard let set else { return }
        // A shared secret in a published set is not trusted, because every reader of the set could sign with it.
        let published = set.verificationKeys.filter { ![.hs256, .hs384, .hs512].contains($0.algorithm) }
        isWithoutKeys = published.isEmpty
        guard !isWithoutKeys else { return }
        keys = published
        fetchedAt = clock.uptime
    }
}
