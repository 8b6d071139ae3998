import LockstepPrimitives

/// What a handler of the Backend API gives back.
enum BackendAnswer {
    /// 200 with this body, which has no envelope.
    case resource(JSON)
    /// 204
    case nothing
}
