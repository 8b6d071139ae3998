internal import LockstepEmulation
internal import LockstepPrimitives

/// Thrown to make the deferredWork be run.
struct NeedsDeferredWork: Error {
    var deferredWork: DeferredWork
}
