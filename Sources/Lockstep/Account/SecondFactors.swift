/// Adding and removing second factors of the user who is signed in.
public protocol SecondFactors: Sendable {
    /// The user's active factors, as the backend has them now, and the id of the user that the answer is about.
    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice])

    /// Begins to add a factor.
    ///
    /// What follows is answered by the adapter's verification strategies; the factor is active after the first right answer,
    /// which completes the flow with a session of two factors.
    ///
    /// - Throws: `unsupported` for a kind that the backend does not have, `secondFactorRequired` where another factor has to be
    ///   given first.
    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment

    /// Removes a factor, and returns the session that continues.
    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session
}
