internal import LockstepEmulation
internal import LockstepPrimitives

/// Thrown to request deferred work.
struct NeedsDeferredWork: Error {
    var deferredWork: DeferredWork
}
