import LockstepPrimitives

/// The result of a handler of the Backend API.
enum BackendAnswer {
    /// 200 with this body, which has no envelope.
    case resource(JSON)
    /// 204
    case nothing
}
