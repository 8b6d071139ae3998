/// Renewing the sign-in of the user who is signed in, for a sensitive call.
///
/// It goes through the sign-in strategies, with the purpose `reauthenticate`.
public protocol Reauthentication: Sendable {
    /// The ways that this user has.
    func ways(for session: Session) -> [Capability]
}
