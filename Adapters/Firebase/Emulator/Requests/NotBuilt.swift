internal import LockstepPrimitives

/// An operation that Firebase has and its emulator answers with 501.
struct NotBuilt: Operation {
    let shape = Shape.map(.anything)
    let effort = Effort.rows
    /// Its name in Google's description of the interface.
    let name: String

    func answer(_ call: Call) throws -> JSON {
        throw APIError.notImplemented("\(name) is not implemented in the Auth Emulator.")
    }
}
