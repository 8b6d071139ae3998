@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepTokens

/// Verifies the access tokens of one project.
///
/// Your server calls it for each request.
///
/// Create it for your backend: ``firebase(project:tenant:url:check:transport:clock:)``,
/// ``goTrue(url:issuer:audience:signedBy:oauthClients:check:transport:clock:)``,
/// ``clerk(url:authorizedParties:nativeApps:audience:backendURL:check:transport:clock:)``. One value serves a
/// whole server, because it caches the published keys.
///
/// ```swift
/// let verifier = try SessionVerifier.goTrue(url: "https://ref.supabase.co/auth/v1", transport: CurlTransport())
/// let session = try await verifier.verify(authorization: request.headers["Authorization"])
/// ```
public struct SessionVerifier: Sendable {
    /// The request to the backend for each token.
    public enum Check: Sendable {
        /// No request: a token is accepted until it expires, even if its session was ended or its user was disabled or
        /// deleted.
        ///
        /// That is up to an hour on Firebase, an hour on GoTrue unless the project sets another time, and a minute on
        /// Clerk.
        case untilExpiry
        /// A request that checks that the session exists, and that its user is neither disabled nor deleted.
        ///
        /// On Firebase, a sign-out ends nothing at the backend. There, the check finds out whether the user's tokens were
        /// revoked.
        ///
        /// - Parameters:
        ///   - key: Firebase: the project's web API key. GoTrue: its publishable (anon) key. Clerk: the instance's secret
        ///     key.
        ///   - keptFor: The time for which a response is cached, measured from when the check began. An ended session may
        ///     be accepted for this time. Failed checks are not cached. Default: no caching.
        case session(key: Secret, keptFor: Duration = .zero)
    }

    /// What signs a project's tokens.
    enum Keys: Sendable {
        case published(RemoteKeySet)
        case known([VerificationKey])
    }

    /// A question for the backend, by the token and what it says.
    typealias Question = @Sendable (Secret, VerifiedSession) async throws(TokenError) -> Void

    /// What one backend's tokens are verified by.
    struct Project: Sendable {
        let keys: Keys
        let rules: TokenRules
        let clock: any DeviceClock
        let read: @Sendable (VerifiedToken) throws(TokenError) -> VerifiedSession
        let question: Question?
    }

    let projects: [Project]

    init(_ project: Project) { projects = [project] }

    /// Creates a verifier that accepts the tokens of two backends, such as the old and the new one while users move.
    ///
    /// A token is checked by the rules of the backend that it names as its issuer. Both may be the same backend: two
    /// tenants, or a project that changes from its legacy secret to published keys.
    ///
    /// - Parameters:
    ///   - first: The verifier of one backend.
    ///   - second: The verifier of the other backend.
    public init(_ first: SessionVerifier, or second: SessionVerifier) { projects = first.projects + second.projects }

    /// Verifies a token: signature, algorithm, issuer, audience and times, then the backend's own rules, and then the
    /// session if ``Check/session(key:keptFor:)`` is set.
    ///
    /// A token with an unknown key makes it fetch the keys again, at most every 30 seconds. A token of an unknown issuer
    /// is rejected without the keys. If the keys cannot be fetched, a token whose claims break the rules is still
    /// rejected for its claims.
    ///
    /// - Parameter token: The token.
    /// - Returns: The session.
    /// - Throws: ``TokenError``. `keysUnavailable` and `sessionUnknown` do not mean that the token is invalid
    ///   (``TokenError/isTransient``). Any other code rejects it. `sessionEnded` means that the session was ended, or
    ///   that its user was disabled or deleted.
    public func verify(_ token: Secret) async throws(TokenError) -> VerifiedSession {
        // The signature is verified after that: until then the claims can only speak against the token.
        let claims = try UnverifiedToken(token.reveal()).claims
        let named = projects.filter { $0.rules.accepts(issuer: claims["iss"]) }
        guard !named.isEmpty else { throw claims["iss"] == nil ? .noIssuer : .unknownIssuer }
        var refusal: TokenError?
        for project in named {
            do throws(TokenError) {
                return try await verify(token, for: project)
            } catch {
                // What could not be found out says more than a refusal by the other's rules.
                if refusal?.isTransient != true { refusal = error }
            }
        }
        throw refusal ?? .invalid("iss")
    }

    private func verify(_ token: Secret, for project: Project) async throws(TokenError) -> VerifiedSession {
        let text = token.reveal()
        let verified: VerifiedToken
        do throws(TokenError) {
            verified =
                switch project.keys {
                case .published(let keys): try await keys.verify(text, rules: project.rules)
                case .known(let keys): try TokenVerifier(keys: keys, rules: project.rules).verify(text, at: project.clock.now)
                }
        } catch  where error.code == .keysUnavailable {
            // No key is needed to see that the token expired, or that it is meant for somebody else.
            try project.rules.check(try UnverifiedToken(text).claims, at: project.clock.now)
            throw error
        }
        let session = try project.read(verified)
        guard let question = project.question else { return session }
        // The backend has no leeway: it would call a token at its end a session that has ended.
        guard project.clock.now < session.expiresAt else { throw TokenError(.expired, "The token is expired.") }
        try await question(token, session)
        return session
    }

    /// Maximum clock skew between a backend and the server.
    static let leeway = Duration.seconds(5)

    /// Verifies the token in a request's `Authorization` header, which is `Bearer` and the token.
    ///
    /// - Parameter header: The value of the header.
    /// - Returns: The session.
    /// - Throws: ``TokenError``: `missing` if there is no such header, and the errors of ``verify(_:)``.
    public func verify(authorization header: String?) async throws(TokenError) -> VerifiedSession {
        let parts = header?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw TokenError(.missing, "The request has no Authorization header with a bearer token.")
        }
        return try await verify(Secret(parts[1].trimmingPrefix { $0 == " " }.description))
    }
}

extension RemoteKeySet {
    /// The keys that are published at an address.
    init(at url: String, over transport: some HTTPTransport, clock: any DeviceClock) {
        self.init(clock: clock) {
            let request = HTTPRequest(
                .get, url, deadline: .seconds(10), connectDeadline: .seconds(5), responseLimit: Self.sizeLimit)
            let response = try await transport.send(request)
            guard response.isSuccess else {
                throw TokenError(.keysUnavailable, "The address of the keys answers with the status \(response.status).")
            }
            return response.body
        }
    }
}

extension TokenError.Code {
    /// The request has no token.
    public static let missing = Self(rawValue: "missing")
    /// The token is valid, but its session was ended, or its user was disabled or deleted.
    public static let sessionEnded = Self(rawValue: "sessionEnded")
    /// The session is pending: the backend requires something of its user first, such as the choice of an organization.
    public static let sessionPending = Self(rawValue: "sessionPending")
    /// The backend could not be asked about the session.
    public static let sessionUnknown = Self(rawValue: "sessionUnknown")
}

extension TokenError {
    /// Whether the keys or the backend failed, and not the token.
    ///
    /// Then your server returns 503. With 401, the app would sign the user out.
    public var isTransient: Bool { [.keysUnavailable, .noPublicKeys, .sessionUnknown].contains(code) }
}

extension TokenError {
    /// What is wrong with a claim.
    static func invalid(_ claim: String) -> TokenError {
        TokenError(.invalidClaim, "The claim \(claim) of the token is not what this backend writes there.")
    }

    static let noIssuer = TokenError(.missingClaim, "The token has no claim iss.")

    static let unknownIssuer = TokenError(.wrongIssuer, "The token was issued by another issuer.")

    static let pending = TokenError(
        .sessionPending, "The session of the token is not active yet: its user has something to do first.")

    static let ended = TokenError(.sessionEnded, "The session of the token was ended, or its user disabled or deleted.")

    /// The backend gave no answer that says something of the session.
    static func unknown(_ reason: String) -> TokenError {
        TokenError(.sessionUnknown, "The backend could not be asked about the session: \(reason).")
    }
}
