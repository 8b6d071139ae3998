import LockstepPrimitives

/// Work that takes too long for a transaction.
///
/// A handler that needs it throws it. The transaction is rolled back, the work runs on another thread, and the handler
/// starts again with the result: handlers stay synchronous, and no lock is held while a password is hashed.
enum DeferredWork: Error, Hashable {
    /// The bcrypt digest of a new password.
    case hash(Secret)
    /// Whether a password belongs to a digest.
    case compare(Secret, digest: String, hasher: String)
    /// Whether a digest is one that its hasher could have made.
    case inspect(digest: String, hasher: String)
    /// The instance's signing key, where it is not made yet.
    case makeKey
}
