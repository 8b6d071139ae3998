/// What an adapter does with a session that exists.
public protocol SessionAuthority: Sendable {
    /// A new access token for the session.
    ///
    /// It is called by one task at a time for a session, with the refresh token that the store held at that moment.
    ///
    /// - Throws: only what the backend explicitly said may end a session: `sessionRevoked`, `refreshTokenReused`,
    ///   `refreshTokenUnknown`, `userDeleted`, `userDisabled`, `credentialChanged`, `sessionExpired`. Anything else keeps it.
    func refresh(_ session: Session) async throws(AuthError) -> Session

    /// The session with the user as the backend has them now, and with a new token where the old one's claims are outdated.
    ///
    /// - Throws: `accessTokenRefused` where the token is not taken, as every call in a user's name does: the client renews it, and
    ///   asks once more.
    func reload(_ session: Session) async throws(AuthError) -> Session

    /// Ends sessions at the backend, as far as it can do that; one that has ended already is ended.
    ///
    /// It may be a session that nobody has any more.
    ///
    /// - Throws: `accessTokenRefused` where that takes an access token that lives, and this one does not: the client gets a new one
    ///   by ``refresh(_:)``, and asks once more.
    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError)
}
