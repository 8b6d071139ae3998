/// Adding and removing second factors of the user who is signed in.
public protocol SecondFactors: Sendable {
    /// The factors that count at a sign-in, as the backend has them now, and the id of the user whom it has answered about.
    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice])

    /// Begins to add a factor.
    ///
    /// What follows is answered by the adapter's verification strategies; the factor counts from the first right answer on, which
    /// completes the flow with a session of two factors.
    ///
    /// - Throws: `unsupported` for a kind that the backend has not, `secondFactorRequired` where another factor has to be given
    ///   first.
    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment

    /// Removes a factor, and gives the session that goes on.
    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session
}
