/// The reason why a user has no password hash.
public enum MissingHash: String, Sendable, Hashable, CaseIterable {
    /// The user has no password.
    case noPassword
    /// The directory was not configured to read hashes.
    case notRequested
    /// The account that reads has no permission to read hashes.
    case notPermitted
    /// The server encrypted the hash with its own key.
    case encryptedByServer
    /// The hash was imported.
    ///
    /// The backend returns a hash only after the next sign-in, when it has created its own.
    case notRehashed
    /// The backend's API returns no hashes.
    case notInAPI
    /// This version cannot read the format of the hash.
    case unreadable
}
