@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
@_exported public import LockstepTokens
@_exported public import LockstepVerifier
internal import Synchronization

/// A backend for the tests of a server: it signs tokens as the real one does, publishes their key, and is asked about their sessions.
///
/// It is the transport of the server's own `SessionVerifier`, which then verifies as in production, the address included: a token of
/// another key, issuer or audience, or one that is expired, is refused. Production's verifier never takes one of its tokens, because
/// their key is made here.
///
/// ```swift
/// let backend = try TestBackend.goTrue(url: "https://ref.supabase.co/auth/v1")
/// let verifier = try SessionVerifier.goTrue(
///     url: "https://ref.supabase.co/auth/v1", check: .session(key: "publishable"), transport: backend)
///
/// let token = try backend.token(for: TestUser("user-1", email: "ada@example.com"))
/// let session = try await verifier.verify(token)       // what a route of the server finds
///
/// backend.endSession(of: token)                        // from here on `sessionEnded`, for the answer 401
/// backend.isReachable = false                          // from here on `sessionUnknown`, for the answer 503
/// ```
///
/// It keeps no users, takes every key that sessions are asked for with, and has no sign-in: for tests of an app and its server
/// together there are the emulators.
public final class TestBackend: HTTPTransport {
    /// A session that it has made a token of.
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

    /// What the verifier may ask about.
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

    /// Whether it answers; where not, keys and sessions cannot be asked for, as if the network was down.
    public var isReachable: Bool {
        get { state.withLock { $0.isReachable } }
        set { state.withLock { $0.isReachable = newValue } }
    }

    /// A token of a new session of the user.
    ///
    /// - Parameter life: How long it is good; by default as long as the backend's are: an hour, on Clerk a minute.
    /// - Throws: ``TokenError`` with `invalidKey` where libcrypto does not sign.
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

    /// Ends the session of a token: the user has signed out, or was disabled or deleted; on Firebase, the tokens were revoked.
    ///
    /// It is what ``SessionVerifier/Check/session(key:keptFor:)`` finds. Without that check the token is good until it expires.
    public func endSession(of token: Secret) {
        state.withLock { state in
            guard let id = state.tokens[token.reveal()] else { return }
            state.sessions[id]?.isEnded = true
        }
    }

    /// Answers what a verifier of this backend asks.
    ///
    /// - Throws: `cannotConnect` while it is not reachable, and for an address that is not this backend's.
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

/// One backend's part: its claims, and its answers to its verifier.
protocol TestWire: Sendable {
    /// How long its tokens live.
    var life: Duration { get }

    /// An id as it gives its sessions.
    func newSessionID(_ randomness: any Randomness) -> String

    /// What its tokens say of a user, but for `iat` and `exp`.
    func claims(of user: TestUser, session: String, now: Instant) -> JSONObject

    /// What a request asks about; `nil` for an address that is not its own.
    func question(_ request: HTTPRequest) -> TestBackend.Question?

    /// Its answer about a session; `nil` for one that it has not made.
    func answer(_ session: TestBackend.Session?) -> HTTPResponse
}

extension HTTPResponse {
    init(_ status: Int, _ json: JSON) {
        self.init(status: status, headers: ["Content-Type": "application/json"], body: json.bytes())
    }
}
