/// The reason why a user has no password hash.
public enum MissingHash: String, Sendable, Hashable, CaseIterable {
    /// The user has no password.
    case noPassword
    /// The directory was not configured to read hashes.
    case notRequested
    /// The account that reads the users has no permission to read hashes.
    case notPermitted
    /// The server encrypted the hash with its own key.
    case encryptedByServer
    /// The hash was imported, and the backend returns only hashes that it made itself.
    ///
    /// It makes its own hash when the user next signs in.
    case notRehashed
    /// The backend's API returns no hashes.
    case notInAPI
    /// The password was changed after the backend exported its hashes.
    case outdated
    /// The file with the backend's hashes has none of this user.
    case notExported
    /// This version cannot read the format of the hash.
    case unreadable
}
