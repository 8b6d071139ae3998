internal import LockstepEmulation
internal import LockstepPrimitives

/// Thrown to make the errand be run.
struct ErrandNeeded: Error {
    var errand: Errand
}
