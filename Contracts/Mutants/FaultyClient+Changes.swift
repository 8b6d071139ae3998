internal import Lockstep
package import LockstepContracts

extension FaultyClient {
    /// Changes the identity conflict that a link returns.
    mutating func changeConflict(_ change: @escaping @Sendable (inout IdentityConflictStep) -> Void) {
        onLink = { base, credential async throws(AuthError) in
            let step = try await base.link(credential)
            guard case .identityConflict(var conflict) = step else { return step }
            change(&conflict)
            return .identityConflict(conflict)
        }
    }

    /// Changes every challenge that a call returns.
    package mutating func change(_ change: @escaping @Sendable (inout Challenge) -> Void) {
        base = ChallengeChanger(base: base, change: change)
    }
}

/// A client whose calls return changed challenges.
private struct ChallengeChanger: WrappingClient {
    let base: any PortableClient
    let change: @Sendable (inout Challenge) -> Void

    func perform<C: ClientCall>(_ call: C) async throws(AuthError) -> C.Output {
        let output = try await base.perform(call)
        return C.output(C.result(output).changing(change)) ?? output
    }
}

extension CallResult {
    /// Returns the result with a changed challenge, if it contains one.
    package func changing(_ change: (inout Challenge) -> Void) -> CallResult {
        switch self {
        case .step(.verify(var challenge)):
            change(&challenge)
            return .step(.verify(challenge))
        case .challenge(var challenge):
            change(&challenge)
            return .challenge(challenge)
        case .enrolment(var enrolment):
            change(&enrolment.challenge)
            return .enrolment(enrolment)
        default: return self
        }
    }
}
