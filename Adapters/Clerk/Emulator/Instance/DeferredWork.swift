import LockstepPrimitives

/// Something that takes longer than a transaction may.
///
/// A handler that needs it throws it. The transaction is rolled back, the deferredWork is run on a thread of its own, and the handler
/// starts again with the answer: so handlers stay plain, and no lock is held while a password is hashed.
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
