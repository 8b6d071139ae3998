/// One way to continue a flow: an adapter's implementation for one kind of answer.
public protocol VerificationStrategy: Sendable {
    /// The capability that it gives an adapter: `confirmationCode`, `confirmationLink`, `poll`, `secondFactor`,
    /// `newPasswordStep`…
    var capability: Capability { get }

    /// Whether it takes `answer` in a flow of that kind.
    func takes(_ answer: Answer.Kind, in kind: Flow.Kind) -> Bool

    /// Sends the link or code of the flow again.
    ///
    /// - Throws: `unsupported` where nothing can be sent again.
    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge

    /// Sends the answer to the backend.
    ///
    /// - Throws: an `AuthError` of the adapter's error table; the flow stays as it was, so that a right answer still works.
    func attempt(_ answer: Answer, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

extension VerificationStrategy {
    /// Nothing can be sent again.
    public func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        throw AuthError(.unsupported, "This step sends no message, so there is nothing to send again.")
    }
}
