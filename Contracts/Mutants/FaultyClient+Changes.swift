internal import Lockstep
package import LockstepContracts

extension FaultyClient {
    /// Notes that a session was renewed.
    mutating func noteRenewals(_ context: Mutation.Context) {
        onSession = { base, requirement async throws(AuthError) in
            let isOld = base.hasOldToken(context)
            let session = try await base.session(requiring: requirement)
            if isOld { context.notebook["renewed"] = "yes" }
            return session
        }
    }

    /// Goes on with an invented token when a session that was renewed has ended.
    mutating func keepRenewedSessions(_ context: Mutation.Context) {
        let isRenewed = Flag()
        onSession = { base, requirement async throws(AuthError) in
            let isOld = base.hasOldToken(context)
            let session = try await base.session(requiring: requirement)
            if isOld { isRenewed.raise() }
            return session
        }
        onToken = { base async throws(AuthError) in
            do throws(AuthError) {
                return try await base.accessToken()
            } catch {
                guard isRenewed.isUp else { throw error }
                return context.forged().accessToken
            }
        }
    }

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
