internal import Lockstep
internal import LockstepPrimitives

/// A new address: counts when the link that was sent to it is opened.
struct OwnEmailChange: EmailChange {
    let api: FirebaseAPI

    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        flow[.requiredUser] = session.user.id
        return .verify(try await api.send(.emailChange, to: email, as: session.accessToken, in: flow))
    }
}
