internal import Lockstep
internal import LockstepPrimitives

/// Asks whether the proof was given on a page of Firebase, on this device or another.
struct PollVerification: VerificationStrategy {
    let api: FirebaseAPI

    var capability: Capability { .poll }

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool {
        response == .poll && [.confirmation, .emailChange].contains(kind)
    }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge { try await api.resend(in: flow) }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .poll = response, var session = flow.session else {
            throw AuthError(
                .notSignedIn, "Only a signed-in user can ask whether the address is proven.", remedies: [.signIn])
        }
        session = try await FirebaseSessions(api: api).reload(session)
        let isProven: Bool
        switch flow.message {
        case .emailChange: isProven = session.user.email?.lowercased() == flow[.email]?.lowercased()
        default: isProven = session.user.isEmailVerified
        }
        guard isProven else {
            throw AuthError(.notConfirmedYet, "The link is not opened yet.", retry: .after(.seconds(3)), remedies: [.resend])
        }
        return .complete(session)
    }
}
