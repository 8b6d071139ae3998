internal import Lockstep

/// Reauthentication: GoTrue has no call for it, so the user signs in again and the older session ends.
struct RenewedSignIn: Reauthentication {
    let takesLinks: Bool

    func ways(for session: Session) -> [Capability] {
        var ways: [Capability] = []
        // The server does not tell whether an address has a password.
        if session.user.email != nil {
            ways += takesLinks ? [.password, .emailCodeSignIn, .emailLinkSignIn] : [.password, .emailCodeSignIn]
        }
        if session.user.phone != nil { ways.append(.phoneCode) }
        if session.user.identities.contains(where: { $0.provider != .email && $0.provider != .phone }) {
            ways += takesLinks ? [.idToken, .oauth] : [.idToken]
        }
        return ways
    }
}
