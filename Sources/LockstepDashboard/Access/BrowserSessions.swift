internal import LockstepCrypto
internal import LockstepPrimitives
internal import Synchronization

/// A browser with access: its cookie, and the token of its forms.
struct BrowserSession: Sendable {
    /// The value of the cookie.
    let cookie: Secret
    /// The token that each form sends back, which other sites do not know.
    let formToken: Secret

    init(cookie: Secret, formToken: Secret) { (self.cookie, self.formToken) = (cookie, formToken) }

    /// A session whose form token follows from its cookie, so that an open form survives a restart of the server.
    init(cookie: Secret) {
        let code = HashFunction.sha256.authenticate(Array("form".utf8), key: Array(cookie.reveal().utf8))
        self.init(cookie: cookie, formToken: Secret(Hex.encode(code)))
    }
}

/// The keys of links, and the browsers that have used them.
///
/// It knows only digests of the cookies.
final class BrowserSessions: Sendable {
    private struct State {
        var keys: [Secret] = []
        /// `nil` until the kept sessions are read.
        var sessions: [KeptSession]?
    }

    /// The maximum number of links and browsers; the oldest are removed first.
    private static let limit = 64

    private let state = Mutex(State())
    private let randomness: any Randomness
    private let clock: any DeviceClock
    private let place: KeptSessions?
    private let port = Mutex<UInt16>(0)

    init(randomness: any Randomness, clock: any DeviceClock, place: KeptSessions?) {
        (self.randomness, self.clock, self.place) = (randomness, clock, place)
    }

    /// Whether the sessions outlive the process.
    var areKept: Bool { place != nil }

    /// Sets the port, which the server has chosen.
    func serve(on port: UInt16) { self.port.withLock { $0 = port } }

    /// Creates the key of a link.
    func makeKey() -> Secret {
        let key = Secret(randomness.text(26))
        state.withLock { state in
            state.keys.append(key)
            if state.keys.count > Self.limit { state.keys.removeFirst() }
        }
        return key
    }

    /// Exchanges a key, which works once, for a session.
    func open(with key: Secret) -> BrowserSession? {
        let session = BrowserSession(cookie: Secret(randomness.text(32)))
        return state.withLock { state in
            guard let index = state.keys.firstIndex(of: key) else { return nil }
            state.keys.remove(at: index)
            let now = clock.now
            var sessions = known(&state).filter { $0.counts(at: now) }
            sessions.append(KeptSession(digest: Self.digest(session.cookie), createdAt: now, usedAt: now))
            keep(sessions.suffix(Self.limit), &state)
            return session
        }
    }

    /// Returns the session of a cookie.
    func session(of cookie: Secret) -> BrowserSession? {
        let digest = Self.digest(cookie)
        return state.withLock { state in
            var sessions = known(&state)
            let now = clock.now
            guard let index = sessions.firstIndex(where: { $0.digest == digest }), sessions[index].counts(at: now) else {
                return nil
            }
            if sessions[index].use(at: now) { keep(sessions[...], &state) }
            return BrowserSession(cookie: cookie)
        }
    }

    /// Ends all sessions and links.
    func forget() {
        state.withLock { state in
            state.keys = []
            keep([], &state)
        }
    }

    private func known(_ state: inout State) -> [KeptSession] {
        if let sessions = state.sessions { return sessions }
        let sessions = place?.sessions(port: port.withLock { $0 }, at: clock.now) ?? []
        state.sessions = sessions
        return sessions
    }

    private func keep(_ sessions: ArraySlice<KeptSession>, _ state: inout State) {
        state.sessions = Array(sessions)
        place?.keep(Array(sessions), port: port.withLock { $0 })
    }

    private static func digest(_ cookie: Secret) -> [UInt8] { HashFunction.sha256.digest(Array(cookie.reveal().utf8)) }
}
