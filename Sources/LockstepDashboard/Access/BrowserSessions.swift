internal import LockstepPrimitives
internal import Synchronization

/// A browser with access: its cookie, and the token of its forms.
struct BrowserSession: Sendable {
    /// The value of the cookie.
    let cookie: Secret
    /// The token that each form sends back, which other sites do not know.
    let formToken: Secret
}

/// The keys of links, and the browsers that have used them.
final class BrowserSessions: Sendable {
    private struct State {
        var keys: [Secret] = []
        var sessions: [BrowserSession] = []
    }

    /// The maximum number of links and browsers; the oldest are removed first.
    private static let limit = 64

    private let state = Mutex(State())
    private let randomness: any Randomness

    init(randomness: any Randomness) { self.randomness = randomness }

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
        let session = BrowserSession(cookie: Secret(randomness.text(32)), formToken: Secret(randomness.text(32)))
        return state.withLock { state in
            guard let place = state.keys.firstIndex(of: key) else { return nil }
            state.keys.remove(at: place)
            state.sessions.append(session)
            if state.sessions.count > Self.limit { state.sessions.removeFirst() }
            return session
        }
    }

    /// Returns the session of a cookie.
    func session(of cookie: Secret) -> BrowserSession? {
        state.withLock { $0.sessions.first { $0.cookie == cookie } }
    }
}
