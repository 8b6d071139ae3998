internal import LockstepPrimitives

/// An operation that Firebase has and its emulator answers with 501.
struct NotBuilt: Endpoint {
    let shape = Shape.map(.anything)
    let isReading = true
    /// Its name in Google's description of the interface.
    let name: String

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        throw APIError.notImplemented("\(name) is not implemented in the Auth Emulator.")
    }
}
