public import LockstepPrimitives

/// The keys of an issuer, fetched when needed and kept: verifies its tokens.
///
/// A token of an unknown key makes it fetch the keys again, because issuers change them; however many such tokens come, it
/// fetches at most once per ``coolDown``. All waiting callers share one fetch.
public actor RemoteKeySet {
    /// The least time between the beginnings of two fetches.
    public let coolDown: Duration
    /// How long keys are trusted before they are fetched again; where that fails, they are still trusted, until ``maximumAge``.
    public let lifetime: Duration
    /// How long keys are trusted at most, where no new ones can be fetched: a key that was withdrawn since is not trusted for
    /// ever.
    public let maximumAge: Duration
    /// The longest answer that is read, in bytes: a set of keys has a few thousand.
    public static let sizeLimit = 1 << 20
    private let clock: any DeviceClock
    private let fetch: @Sendable () async throws -> [UInt8]

    private var keys: [VerificationKey]?
    /// Whether the issuer was reached and publishes nothing to verify with.
    private var isWithoutKeys = false
    private var fetchedAt: Duration?
    private var askedAt: Duration?
    private var running: Task<JSONWebKeySet, any Error>?

    /// Keys that `fetch` brings, as the bytes of a JSON Web Key Set.
    ///
    /// `fetch` must end by itself: it sets the deadline. It must throw for an answer that is no success.
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

    /// Checks a token as ``TokenVerifier/verify(_:at:)`` does, at the time of the clock given.
    ///
    /// - Throws: ``TokenError``, with `keysUnavailable` where there are no keys and none could be fetched, and `noPublicKeys` where
    ///   the issuer was reached and publishes none.
    public func verify(_ text: String, rules: TokenRules) async throws(TokenError) -> VerifiedToken {
        // A text that is no token must not cost a fetch.
        let token = try UnverifiedToken(text)
        if !knows(token.keyID) || isStale { await refresh() }
        if let fetchedAt, clock.uptime - fetchedAt >= maximumAge { keys = nil }
        guard let keys else {
            guard !isWithoutKeys else { throw Self.noPublicKeys }
            throw TokenError(.keysUnavailable, "The keys of the issuer could not be fetched; try again later.")
        }
        return try TokenVerifier(keys: keys, rules: rules).verify(text, at: clock.now)
    }

    private static let noPublicKeys = TokenError(
        .noPublicKeys,
        "The issuer publishes no key that signatures can be verified with: it signs with a shared secret (HS256), as a GoTrue project does "
            + "by default. Switch the project to asymmetric signing keys; or verify on your server with that secret, by a TokenVerifier "
            + "whose key is SigningKey.secret(…).verificationKey, and never in an app; or ask the backend for the user of the token."
    )

    private static let tooLong = TokenError(.keysUnavailable, "The answer with the issuer's keys is too long to be one.")

    private func knows(_ id: String?) -> Bool {
        guard let keys else { return false }
        return id == nil || keys.contains { $0.id == id || $0.id == nil }
    }

    private var isStale: Bool {
        guard let fetchedAt else { return true }
        return clock.uptime - fetchedAt >= lifetime
    }

    private func refresh() async {
        if let running { return await adopt(running) }
        if let askedAt, clock.uptime - askedAt < coolDown { return }
        askedAt = clock.uptime
        let fetch = fetch
        let task = Task {
            let bytes = try await fetch()
            guard bytes.count <= Self.sizeLimit else { throw Self.tooLong }
            return try JSONWebKeySet(bytes)
        }
        running = task
        await adopt(task)
    }

    private func adopt(_ task: Task<JSONWebKeySet, any Error>) async {
        let result = await task.result
        guard running == task else { return }
        running = nil
        // Keys that could not be fetched leave the known ones in place: no answer says nothing about them.
        guard case .success(let set) = result else { return }
        // A shared secret in a published set is not trusted: every reader of the set could sign with it.
        let published = set.verificationKeys.filter { ![.hs256, .hs384, .hs512].contains($0.algorithm) }
        isWithoutKeys = published.isEmpty
        guard !isWithoutKeys else { return }
        keys = published
        fetchedAt = clock.uptime
    }
}
