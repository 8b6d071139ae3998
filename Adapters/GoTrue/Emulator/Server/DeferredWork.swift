internal import LockstepEmulation
internal import LockstepPrimitives

/// Work that must not run inside a transaction: a long computation, or a call to another server.
///
/// A handler asks its ``Turn`` for the result. Where there is none yet, the transaction is rolled back, the work
/// runs on another thread, and the handler runs again with the result. So handlers read from top to bottom.
enum DeferredWork: Sendable, Hashable {
    case hash(password: Secret)
    case verify(password: Secret, hash: String)
    case send(OutgoingRequest)

    enum Result: Sendable {
        case text(String)
        case flag(Bool)
        case answer(OutgoingAnswer)
        case failure(OutgoingError)
        /// The password or the hash is unusable.
        case impossible
    }
}
