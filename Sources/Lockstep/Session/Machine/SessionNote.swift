/// What happened to a session, for the event sink.
package enum SessionNote: Sendable {
    /// A refreshed session is stored and shown.
    case renewed(Session)
    /// The session that another process has stored is shown.
    case adopted(Session)
    /// Tokens came for a user who is not signed in any more; they are revoked at the backend.
    case discarded(Session)
    /// A refresh failed and the session stays.
    case refreshFailed(AuthError, Session)
    /// A session ended without being asked for.
    case ended(SignOutReason, AuthError?, Session)
    /// An answer about another user has come, of which nothing was kept; the session stays.
    case mismatched(Session?)
    /// The store could not be written; that is tried again.
    case persistenceFailed(StoreError.Code)
    /// What could not be written is written.
    case persisted
}
