import Lockstep
import LockstepPrimitives
import LockstepTestSupport

/// A backend that knows families of tokens.
///
/// If refresh tokens work once, it sees every reuse.
struct SimulatedBackend {
    struct Family {
        let user: Int
        /// The number of the newest tokens.
        var current = 0
        var isAlive = true
        /// The time of the last token.
        ///
        /// If the backend tolerates reuse, it accepts the previous one as the newest for ten more seconds.
        var renewedAt: Duration = .zero
    }

    /// The response to a used refresh token.
    enum Reuse: CaseIterable {
        case ends, forgivenForTenSeconds
        /// As for the first use: the token of the sign-in is valid forever, and only the access token is new each time.
        case expected
    }

    let reuse: Reuse
    private(set) var families: [Family] = []
    private(set) var reusesSeen = 0
    private(set) var names = 0

    init(reuse: Reuse) { self.reuse = reuse }

    mutating func signIn(user: Int, on clock: ManualClock) -> Session {
        families.append(Family(user: user, renewedAt: clock.uptime))
        return session(of: families.count - 1, named: nil, on: clock)
    }

    mutating func refresh(_ sent: Session, on clock: ManualClock) -> SessionOperation.Event {
        let token = TokenName(of: sent)
        guard families[token.family].isAlive else { return .failed(Self.refusal(.sessionRevoked)) }
        if token.number == families[token.family].current || reuse == .expected {
            families[token.family].current += 1
            families[token.family].renewedAt = clock.uptime
        } else if reuse == .ends || token.number + 1 < families[token.family].current
            || clock.uptime - families[token.family].renewedAt > .seconds(10)
        {
            families[token.family].isAlive = false
            reusesSeen += 1
            return .failed(Self.refusal(.refreshTokenReused))
        }
        return .answered(session(of: token.family, named: sent.user.displayName, on: clock))
    }

    /// A change of the user that returns no new tokens.
    mutating func rename(_ session: Session) -> Session {
        names += 1
        var copy = session
        copy.user.displayName = "name \(names)"
        return copy
    }

    mutating func end(_ family: Int) { families[family].isAlive = false }

    private func session(of family: Int, named name: String?, on clock: ManualClock) -> Session {
        let token = TokenName(family: family, number: families[family].current)
        return Session(
            provider: "sim", user: User(id: "user \(families[family].user)", displayName: name, isAnonymous: false),
            accessToken: Secret(token.text),
            refreshToken: Secret(reuse == .expected ? "refresh \(family)" : "refresh \(token.text)"),
            lifetime: TokenLifetime(life: .seconds(3600), serverDate: nil, clock: clock))
    }

    private static func refusal(_ code: AuthError.Code) -> AuthError { AuthError(code, "refused") }
}

/// An access token names its family and its number in the family.
struct TokenName: Hashable {
    let family: Int
    let number: Int

    init(family: Int, number: Int) {
        self.family = family
        self.number = number
    }

    init(of session: Session) {
        let parts = session.accessToken.reveal().split(separator: ".").map { Int($0) ?? 0 }
        self.init(family: parts[0], number: parts[1])
    }

    var text: String { "\(family).\(number)" }
}
