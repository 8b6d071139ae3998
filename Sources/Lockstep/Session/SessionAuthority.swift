/// What an adapter does with a session that exists.
public protocol SessionAuthority: Sendable {
    /// Refreshes the session and returns it with a new access token.
    ///
    /// It is called by one task at a time for a session, with the refresh token that the store held at that moment.
    ///
    /// - Throws: only what the backend explicitly said may end a session: `sessionRevoked`, `refreshTokenReused`,
    ///   `refreshTokenUnknown`, `userDeleted`, `userDisabled`, `credentialChanged`, `sessionExpired`. Anything else keeps it.
    func refresh(_ session: Session) async throws(AuthError) -> Session

    /// Reloads the user from the backend and returns the session, with a new token where the old one's claims are outdated.
    ///
    /// - Throws: `accessTokenRefused` where the backend refuses the token, as in every call made for a user: the client refreshes
    ///   it and calls once more.
    func reload(_ session: Session) async throws(AuthError) -> Session

    /// Ends sessions at the backend, as far as it can do that; one that has ended already is ended.
    ///
    /// The session may be one that no client uses any more.
    ///
    /// - Throws: `accessTokenRefused` where the backend wants a valid access token and this one is not: the client gets a new one
    ///   by ``refresh(_:)`` and calls once more.
    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError)
}
