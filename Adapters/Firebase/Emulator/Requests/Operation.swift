internal import LockstepPrimitives

/// One call of the interface: what its body is made of, and what it answers.
protocol Operation: Sendable {
    /// What the body may hold.
    var shape: Shape { get }

    /// What answering costs at most.
    var effort: Effort { get }

    /// What answering this call costs.
    func effort(of call: Call) -> Effort

    /// Does it.
    ///
    /// - Throws: ``APIError`` for a refusal; anything else is a failure of ours.
    func answer(_ call: Call) throws -> JSON
}

extension Operation {
    /// As much as any.
    func effort(of call: Call) -> Effort { effort }
}

/// What answering a call costs, and so on which thread it is done.
enum Effort: Sendable {
    /// A few rows: answered on the server's thread.
    case rows
    /// Signs tokens where tokens are signed.
    case tokens
    /// Hashes a password.
    case hashing
}
