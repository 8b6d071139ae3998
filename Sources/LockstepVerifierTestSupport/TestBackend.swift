@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
@_exported public import LockstepTokens
@_exported public import LockstepVerifier
internal import Synchronization

/// A backend for the tests of a server.
///
/// The test backend signs tokens like the real backend, publishes its key, and responds to requests about sessions.
///
/// Use the test backend as the transport of your server's own `SessionVerifier`, with the URL of production. The
/// verifier then works as in production. For example, it rejects an expired token, and a token with another key, issuer
/// or audience. In production, the verifier never accepts a token from a test, because the test creates its own key.
///
/// ```swift
/// let backend = try TestBackend.goTrue(url: "https://ref.supabase.co/auth/v1")
/// let verifier = try SessionVerifier.goTrue(
///     url: "https://ref.supabase.co/auth/v1", check: .session(key: "publishable"), transport: backend)
///
/// let token = try backend.token(for: TestUser("user-1", email: "ada@example.com"))
/// let session = try await verifier.verify(token)       // what a route of your server gets
///
/// backend.endSession(of: token)                        // from now on `sessionEnded`: respond with 401
/// backend.isReachable = false                          // from now on `sessionUnknown`: respond with 503
/// ```
///
/// The test backend has no users and no sign-in. It accepts every API key in requests about sessions. To test an app
/// together with its server, use the emulators.
public final class TestBackend: HTTPTransport {
    /// A session for which the backend has made a token.
    struct Session: Sendable {
        let id: String
        let userID: String
        var isEnded = false
    }

    private struct State {
        var isReachable = true
        var sessions: [String: Session] = [:]
        /// The session of each token.
        var tokens: [String: String] = [:]
    }

    /// The requests that a verifier may send.
    enum Question {
        case keys
        case token(String)
        case session(String)
    }

    private let wire: any TestWire
    private let key: SigningKey
    private let clock: any DeviceClock
    private let randomness: any Randomness
    private let state = Mutex(State())

    init(
        _ wire: some TestWire, key: SigningKey?, or make: () throws(TokenError) -> SigningKey, clock: any DeviceClock,
        randomness: any Randomness
    ) throws(AuthError) {
        do throws(TokenError) {
            self.key = if let key { key } else { try make() }
        } catch {
            throw AuthError(.invalidConfiguration, error.message)
        }
        self.wire = wire
        self.clock = clock
        self.randomness = randomness
    }

    /// Whether the backend responds to requests.
    ///
    /// If the value is `false`, requests for keys and sessions fail, as if there were no network.
    public var isReachable: Bool {
        get { state.withLock { $0.isReachable } }
        set { state.withLock { $0.isReachable = newValue } }
    }

    /// Creates a token for a new session of a user.
    ///
    /// - Parameters:
    ///   - life: The lifetime of the token. Default: the real backend's lifetime, which is a minute on Clerk, and an
    ///     hour on Firebase and GoTrue.
    /// - Throws: ``TokenError`` with `invalidKey` if libcrypto fails.
    public func token(for user: TestUser, life: Duration? = nil) throws(TokenError) -> Secret {
        let (id, now) = (wire.newSessionID(randomness), clock.now)
        var claims = wire.claims(of: user, session: id, now: now)
        claims["iat"] = .int(now.seconds)
        claims["exp"] = .int((now + (life ?? wire.life)).seconds)
        for (name, value) in user.claims { claims[name] = value }
        let token = try TokenWriter.sign(claims, with: key)
        state.withLock { state in
            state.sessions[id] = Session(id: id, userID: user.id)
            state.tokens[token] = id
        }
        return Secret(token)
    }

    /// Ends the session of a token, as if the user had signed out or an administrator had disabled the user.
    ///
    /// On Firebase, this call revokes the user's tokens. A verifier with
    /// ``SessionVerifier/Check/session(key:keptFor:)`` rejects the token from then on. A verifier without that check
    /// accepts the token until it expires.
    public func endSession(of token: Secret) {
        state.withLock { state in
            guard let id = state.tokens[token.reveal()] else { return }
            state.sessions[id]?.isEnded = true
        }
    }

    /// Responds to the requests of a verifier.
    ///
    /// - Returns: The response.
    /// - Throws: `cannotConnect` if ``isReachable`` is `false`, or if the URL belongs to another backend.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        guard isReachable else {
            throw HTTPFailure(.cannotConnect, .neverSent, "The test has made its backend unreachable.")
        }
        switch wire.question(request) {
        case .keys: return HTTPResponse(200, JSONWebKeySet(publishing: [key]).json)
        case .token(let token): return wire.answer(state.withLock { state in state.tokens[token].flatMap { state.sessions[$0] } })
        case .session(let id): return wire.answer(state.withLock { $0.sessions[id] })
        case nil:
            throw HTTPFailure(
                .cannotConnect, .neverSent, "No test backend at \(request.route): give it and the verifier the same address.")
        }
    }
}

/// The part that differs between backends: the claims, and the responses to a verifier.
protocol TestWire: Sendable {
    /// The lifetime of the provider's tokens.
    var life: Duration { get }

    /// Creates an id in the form of the provider's session ids.
    func newSessionID(_ randomness: any Randomness) -> String

    /// Returns the claims of a user's token, except `iat` and `exp`.
    func claims(of user: TestUser, session: String, now: Instant) -> JSONObject

    /// Returns the meaning of a request; `nil` if the URL belongs to another backend.
    func question(_ request: HTTPRequest) -> TestBackend.Question?

    /// Returns the response about a session; `nil` means that the backend has not created the session.
    func answer(_ session: TestBackend.Session?) -> HTTPResponse
}

extension HTTPResponse {
    init(_ status: Int, _ json: JSON) {
        self.init(status: status, headers: ["Content-Type": "application/json"], body: json.bytes())
    }
}
