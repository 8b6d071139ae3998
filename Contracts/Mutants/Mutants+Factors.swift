internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let factors: [Mutant] = [
        .alone("sign-in.second-factor.own-only", "takes any code") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    guard error.code == .invalidCode else { throw error }
                    return .complete(context.forged())
                }
            }
        },
        .alone("account.factor.several", "loses the labels") { faulty, _ in
            faulty.onFactors = { base async throws(AuthError) in
                try await base.factors().map { FactorChoice(id: $0.id, kind: $0.kind) }
            }
        },
        .alone("account.factor.several", "removes the newest") { faulty, _ in
            faulty.onRemoveFactor = { base, factor async throws(AuthError) in
                try await base.removeFactor(try await base.factors().last ?? factor)
            }
        },
        .alone("account.factor.several", "gives the app no address") { faulty, _ in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                var enrolment = try await base.addFactor(factor)
                enrolment.uri = nil
                return enrolment
            }
        },
        .alone("account.factor.phone", "makes an enrolment up") { faulty, context in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                guard factor.kind == .phone else { return try await base.addFactor(factor) }
                return FactorEnrolment(challenge: context.forgedChallenge)
            }
        },
        .alone("account.factor.phone", "offers what it has not got") { faulty, _ in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                guard factor.kind == .phone else { return try await base.addFactor(factor) }
                throw AuthError(.unsupported, "There is no such second factor.")
            }
        },
    ]
}
