internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    /// Faults for the contract about phone numbers of other accounts.
    static let takenNumbers: [Mutant<World>] = [
        .alone("linking.taken-number", "requires another code") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard let number = credential as? PhoneCodeCredential, base.state.session != nil else {
                    return try await base.signIn(with: credential)
                }
                // Another client uses up the verification of the conflict.
                let other = AuthClient(
                    adapter: context.adapter, store: MemorySessionStore(clock: context.effects.clock), effects: context.effects)
                _ = try await other.signIn(with: number)
                return try await base.signIn(with: credential)
            }
        },
        .alone("linking.taken-number", "keeps the verification after a sign-out") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard credential is PhoneCodeCredential, context.notebook["left"] != nil else { return step }
                return .complete(context.forged())
            }
            faulty.onSignOut = { base, scope, isLost async throws(AuthError) in
                try await base.signOut(scope, discardingAnonymousUser: isLost)
                context.notebook["left"] = "the user"
            }
        },
        .alone("linking.taken-number", "signs out at the conflict") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                if case .identityConflict = step { try await base.signOut(.local, discardingAnonymousUser: true) }
                return step
            }
            faulty.onLink = { base, credential async throws(AuthError) in
                let step = try await base.link(credential)
                if case .identityConflict = step { try await base.signOut(.local, discardingAnonymousUser: true) }
                return step
            }
        },
    ]
}
