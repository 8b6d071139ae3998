internal import LockstepPrimitives

/// One call of the API: the shape of its body, and its answer.
protocol Operation: Sendable {
    /// The shape of the body.
    var shape: Shape { get }

    /// The maximum cost of the call.
    var effort: Effort { get }

    /// The cost of this call.
    func effort(of call: Call) -> Effort

    /// Runs the operation.
    ///
    /// - Throws: ``APIError`` for a refusal; any other error is an internal failure.
    func answer(_ call: Call) throws -> JSON
}

extension Operation {
    /// The operation's maximum.
    func effort(of call: Call) -> Effort { effort }
}

/// The cost of a call, which decides its thread.
enum Effort: Sendable {
    /// A few rows: answered on the server's thread.
    case rows
    /// Signs tokens, in strict mode.
    case tokens
    /// Hashes a password.
    case hashing
}
