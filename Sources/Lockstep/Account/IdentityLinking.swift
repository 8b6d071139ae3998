/// Adding and removing identities of the user who is signed in.
///
/// Adding goes through the sign-in strategies, with the purpose `link`.
public protocol IdentityLinking: Sendable {
    /// Removes an identity.
    ///
    /// - Throws: `lastIdentity` where the user could not sign in any more.
    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session
}
