@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepTokens

/// A verifier of the access tokens of one project, which your server calls for each request.
///
/// Create the verifier for your backend: ``firebase(project:tenant:requiresVerifiedEmail:url:check:transport:clock:)``,
/// ``goTrue(url:issuer:audience:signedBy:oauthClients:check:transport:clock:)``,
/// ``clerk(url:authorizedParties:nativeApps:audience:backendURL:check:transport:clock:)``. Create one verifier for the
/// whole server, because it caches the published keys.
///
/// ```swift
/// let verifier = try SessionVerifier.goTrue(url: "https://ref.supabase.co/auth/v1", transport: CurlTransport())
/// let session = try await verifier.verify(authorization: request.headers["Authorization"])
/// ```
public struct SessionVerifier: Sendable {
    /// The request that the verifier sends to the backend for each token.
    ///
    /// ```swift
    /// let check = SessionVerifier.Check.session(key: "sb_publishable_…", keptFor: .seconds(10))
    /// let verifier = try SessionVerifier.goTrue(
    ///     url: "https://ref.supabase.co/auth/v1", check: check, transport: CurlTransport())
    /// print(try await verifier.verify(token).userID)
    /// ```
    public enum Check: Sendable {
        /// The verifier sends no request, and accepts a token until it expires.
        ///
        /// It does so even if the session has ended, or if the user was disabled or deleted. A token lives up to an
        /// hour on Firebase, an hour on GoTrue unless the project sets another time, and a minute on Clerk.
        case untilExpiry
        /// The verifier asks the backend whether the session still exists and its user is neither disabled nor deleted.
        ///
        /// On Firebase, a sign-out ends nothing on the backend. There, the verifier asks whether the user's tokens were
        /// revoked.
        ///
        /// - Parameters:
        ///   - key: The key for the request. On Firebase, it is the project's web API key. On GoTrue, it is the
        ///     publishable (anon) key. On Clerk, it is the instance's secret key.
        ///   - keptFor: The time for which the verifier caches a response, measured from the start of the request.
        ///     During this time, the verifier may accept a session that has ended. It does not cache failures. Default:
        ///     no cache.
        case session(key: Secret, keptFor: Duration = .zero)
    }

    /// The keys that sign a project's tokens.
    enum Keys: Sendable {
        case published(RemoteKeySet)
        case known([VerificationKey])
    }

    /// A request to the backend about a token, with the session that the token describes.
    typealias Question = @Sendable (Secret, VerifiedSession) async throws(TokenError) -> Void

    /// The rules with which the tokens of one backend are verified.
    struct Project: Sendable {
        let keys: Keys
        let rules: TokenRules
        let clock: any DeviceClock
        let read: @Sendable (VerifiedToken) throws(TokenError) -> VerifiedSession
        let question: Question?
    }

    let projects: [Project]

    init(_ project: Project) { projects = [project] }

    /// Creates a verifier that accepts the tokens of two backends, such as the old and the new backend during a migration.
    ///
    /// The issuer in the token determines which verifier checks the token. Both verifiers may be for the same backend.
    /// For example, the backend has two tenants, or a project changes from its legacy secret to published keys.
    ///
    /// ```swift
    /// let both = SessionVerifier(old, or: new)
    /// print(try await both.verify(token).issuer)
    /// ```
    ///
    /// - Parameters:
    ///   - first: The verifier of one backend.
    ///   - second: The verifier of the other backend.
    public init(_ first: SessionVerifier, or second: SessionVerifier) { projects = first.projects + second.projects }

    /// Verifies a token, and returns its user and session.
    ///
    /// The verifier checks the signature, the algorithm, the issuer, the audience and the times, and then the backend's
    /// own rules. Finally it asks the backend about the session if ``Check/session(key:keptFor:)`` is set.
    ///
    /// If a token has an unknown key, the verifier fetches the keys again, at most every 30 seconds. The verifier
    /// rejects a token of an unknown issuer without fetching keys. If the keys cannot be fetched, it still rejects a
    /// token if the claims break a rule.
    ///
    /// - Parameter token: The token.
    /// - Returns: The session.
    /// - Throws: ``TokenError``. The errors `keysUnavailable` and `sessionUnknown` mean that the token may be valid
    ///   (``TokenError/isTransient``). Every other error means that the token is invalid. `sessionEnded` means that the
    ///   session has ended, or that its user was disabled or deleted.
    public func verify(_ token: Secret) async throws(TokenError) -> VerifiedSession {
        // The signature is verified later. Until then, the claims can only cause a rejection.
        let claims = try UnverifiedToken(token.reveal()).claims
        let named = projects.filter { $0.rules.accepts(issuer: claims["iss"]) }
        guard !named.isEmpty else {
            throw claims["iss"] == nil ? .noIssuer : .wrongIssuer(expected: Set(projects.flatMap(\.rules.issuers)))
        }
        var refusal: TokenError?
        for project in named {
            do throws(TokenError) {
                return try await verify(token, for: project)
            } catch {
                // An unknown result is more important than a rejection by the other project's rules.
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
            // Even without a key, the verifier can reject a token that has expired or is meant for another server. With
            // `keysUnavailable`, the app would send it again and again.
            try project.rules.check(try UnverifiedToken(text).claims, at: project.clock.now)
            throw error
        }
        let session = try project.read(verified)
        guard let question = project.question else { return session }
        // The backend has no leeway, so it would report an expired token as an ended session.
        guard project.clock.now < session.expiresAt else { throw TokenError(.expired, "The token is expired.") }
        try await question(token, session)
        return session
    }

    /// Maximum clock skew between a backend and the server.
    static let leeway = Duration.seconds(5)

    /// Verifies the token in the `Authorization` header of a request.
    ///
    /// The header consists of `Bearer` and the token.
    ///
    /// - Parameter header: The value of the header; `nil` if the request has no such header.
    /// - Returns: The session.
    /// - Throws: ``TokenError``: `missing` if the request has no such header; the errors of ``verify(_:)``.
    public func verify(authorization header: String?) async throws(TokenError) -> VerifiedSession {
        let parts = header?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw TokenError(.missing, "The request has no Authorization header with a bearer token.")
        }
        return try await verify(Secret(parts[1].trimmingPrefix { $0 == " " }.description))
    }
}

extension RemoteKeySet {
    /// Creates a source for the keys that are published at a URL.
    init(at url: String, over transport: some HTTPTransport, clock: any DeviceClock) {
        self.init(clock: clock) {
            let request = HTTPRequest(
                .get, url, deadline: .seconds(10), connectDeadline: .seconds(5), responseLimit: Self.sizeLimit)
            let response = try await transport.send(request)
            guard response.isSuccess else {
                throw TokenError(.keysUnavailable, "The URL of the keys returned the status \(response.status).")
            }
            return response.body
        }
    }
}

extension TokenError.Code {
    /// The request has no token.
    public static let missing = Self(rawValue: "missing")
    /// The token itself is valid, but its session has ended, or its user was disabled or deleted.
    public static let sessionEnded = Self(rawValue: "sessionEnded")
    /// The user has not verified the email address (``SessionVerifier/firebase(project:tenant:requiresVerifiedEmail:url:check:transport:clock:)``).
    public static let emailUnverified = Self(rawValue: "emailUnverified")
    /// The session is pending until the user completes a step that the backend requires, such as choosing an
    /// organization.
    public static let sessionPending = Self(rawValue: "sessionPending")
    /// The verifier could not ask the backend about the session.
    public static let sessionUnknown = Self(rawValue: "sessionUnknown")
}

extension TokenError {
    /// Whether the token may be valid, because the verifier could not get the keys or could not ask the backend.
    ///
    /// If the value is `true`, your server must return 503. If it returned 401, an app could sign the user out.
    ///
    /// ```swift
    /// do {
    ///     _ = try await old.verify(token)
    /// } catch {
    ///     print("respond with \(error.isTransient ? 503 : 401)")
    /// }
    /// ```
    public var isTransient: Bool { [.keysUnavailable, .noPublicKeys, .sessionUnknown].contains(code) }
}

extension TokenError {
    /// Returns the error for an invalid claim.
    static func invalid(_ claim: String) -> TokenError {
        TokenError(.invalidClaim, "The claim \(claim) of the token has a value that this backend never uses.")
    }

    static let noIssuer = TokenError(.missingClaim, "The token has no claim iss.")

    static let pending = TokenError(
        .sessionPending, "The session of the token is not active yet: the user must first complete a task.")

    static let emailUnverified = TokenError(
        .emailUnverified,
        "The user has not verified the email address. Accept such users with requiresVerifiedEmail: false, and check "
            + "isEmailVerified yourself.")

    static let ended = TokenError(.sessionEnded, "The session of the token was ended, or its user was disabled or deleted.")

    /// Returns the error if the backend's response says nothing about the session.
    static func unknown(_ reason: String) -> TokenError {
        TokenError(.sessionUnknown, "The backend did not confirm the session: \(reason).")
    }
}
