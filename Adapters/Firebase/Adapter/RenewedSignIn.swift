internal import Lockstep

/// Reauthentication: the user signs in again, and the session gets the new tokens.
struct RenewedSignIn: Reauthentication {
    let takesLinks: Bool

    func ways(for session: Session) -> [Capability] {
        var ways: [Capability] = []
        if session.user.identities.contains(where: { $0.provider == .email }) {
            ways += takesLinks ? [.password, .emailLinkSignIn] : [.password]
        }
        if session.user.identities.contains(where: { $0.provider != .email && $0.provider != .phone }) { ways.append(.idToken) }
        return ways
    }
}
