/// Changing the address of the user who is signed in.
public protocol EmailChange: Sendable {
    /// Asks for the proof of the new address; until it is given the old one stays valid.
    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}
