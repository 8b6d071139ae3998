/// The reason why a user comes without the hash of a password.
public enum MissingHash: String, Sendable, Hashable, CaseIterable {
    /// The user has no password.
    case noPassword
    /// The directory was not asked for hashes.
    case notRequested
    /// The account that reads may not read hashes.
    case notPermitted
    /// The server has encrypted the hash with a key of its own.
    case encryptedByServer
    /// The hash was imported, and the backend shows it only after the next sign-in, when it has made a hash of its own.
    case notRehashed
    /// The backend's API shows no hashes.
    case notInAPI
    /// The hash has a form that this version does not read.
    case unreadable
}
