internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    /// Faults for the contract about sessions that a sign-in replaces.
    static let replaced: [Mutant<World>] = [
        .alone("session.replaced.behind", "waits for the end of the old session", matters: [.sessionsEnd]) { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                if step.session != nil { await base.settle() }
                return step
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                if step.session != nil { await base.settle() }
                return step
            }
        },
        Mutant(
            "session.replaced.behind", "stores no note with the session", matters: [.sessionsEnd],
            Mutation(store: { store, _ in
                var forgetful = MutantStore(base: store)
                forgetful.onReplace = { base, key, bytes, revision throws(StoreError) in
                    var bytes = bytes
                    if key.slot == .session, var stored = (try? JSON.parse(bytes))?.object, var session = stored["value"]?.object
                    {
                        session["replaced"] = nil
                        stored["value"] = .object(session)
                        bytes = JSON.object(stored).bytes()
                    }
                    return try await base.replace(key, with: bytes, unlessChangedSince: revision)
                }
                return forgetful
            })
        ),
    ]
}
