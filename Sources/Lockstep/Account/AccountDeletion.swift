/// Deleting the account of the user who is signed in.
public protocol AccountDeletion: Sendable {
    /// Deletes the account at the backend.
    ///
    /// - Throws: `reauthenticationRequired` where the sign-in is too old.
    func delete(_ session: Session) async throws(AuthError)
}
