internal import Lockstep

/// Reauthentication by the password.
struct RenewedSignIn: Reauthentication {
    func ways(for session: Session) -> [Capability] { [.password] }
}
