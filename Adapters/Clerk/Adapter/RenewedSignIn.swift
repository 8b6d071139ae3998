internal import Lockstep

/// Proving again that the user is there: by the password.
struct RenewedSignIn: Reauthentication {
    func ways(for session: Session) -> [Capability] { [.password] }
}
