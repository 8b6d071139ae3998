internal import LockstepEmulation
internal import LockstepPrimitives

/// Work that must not be done while the database is held: it computes for long, or waits for another server.
///
/// A handler asks its ``Turn`` for the result. Where there is none yet, what the handler did is undone, the deferredWork is
/// run on a thread of its own, and the handler runs again, now with the result. So handlers read from top to bottom.
enum DeferredWork: Sendable, Hashable {
    case hash(password: Secret)
    case verify(password: Secret, hash: String)
    case send(OutgoingRequest)

    enum Result: Sendable {
        case text(String)
        case flag(Bool)
        case answer(OutgoingAnswer)
        case failure(OutgoingError)
        /// The password or the hash cannot be worked with.
        case impossible
    }
}
