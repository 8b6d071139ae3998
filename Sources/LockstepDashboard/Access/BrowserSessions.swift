internal import LockstepPrimitives
internal import Synchronization

/// A browser that was let in: its cookie, and the token of its forms.
struct BrowserSession: Sendable {
    /// The value of the cookie.
    let cookie: Secret
    /// The token that each form sends back: another site does not know it.
    let formToken: Secret
}

/// The keys of links, and the browsers that were let in by them.
final class BrowserSessions: Sendable {
    private struct State {
        var keys: [Secret] = []
        var sessions: [BrowserSession] = []
    }

    /// More links and browsers than a person has; older ones go first.
    private static let limit = 64

    private let state = Mutex(State())
    private let randomness: any Randomness

    init(randomness: any Randomness) { self.randomness = randomness }

    /// Makes the key of a link.
    func makeKey() -> Secret {
        let key = Secret(randomness.text(26))
        state.withLock { state in
            state.keys.append(key)
            if state.keys.count > Self.limit { state.keys.removeFirst() }
        }
        return key
    }

    /// Exchanges a key for a session; a key works once.
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

    /// The session of a cookie.
    func session(of cookie: Secret) -> BrowserSession? {
        state.withLock { $0.sessions.first { $0.cookie == cookie } }
    }
}
