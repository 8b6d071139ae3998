internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    // If the provider of a session changes, the client treats it as another session, and ends the previous one.
    static let sessionOrigin: [Mutant<World>] = [
        .renaming("uses another name for the session's provider", in: [.flow]),
        .renaming("uses another name for the session's provider after a refresh", in: [.refresh]),
        .renaming("uses another name for the session's provider after a reload", in: [.reload]),
        .renaming("writes the session's provider in capital letters", in: [.flow, .refresh, .reload]) { $0.uppercased() },
        .acceptingDeadTokens("accepts every access token") { _ in true },
        .acceptingDeadTokens("accepts every access token that it has accepted once") { $0 },
    ]
}

extension Mutant<World> {
    /// Creates a mutant whose sessions name a provider other than their adapter.
    fileprivate static func renaming(
        _ summary: String, in calls: Set<AlteredAdapter.Call>, _ change: @escaping @Sendable (String) -> String = { $0 + "-auth" }
    ) -> Mutant<World> {
        Mutant(
            "session.names-its-adapter", summary,
            Mutation(adapter: { adapter, _ in
                AlteredAdapter(adapter) { changes in
                    changes.answering = { call, _, _, session throws(AuthError) in
                        guard calls.contains(call) else { return session }
                        var session = session
                        session.provider = change(session.provider)
                        return session
                    }
                }
            }))
    }

    /// Returns a mutant of a backend that continues to accept access tokens.
    ///
    /// - Parameters:
    ///   - summary: A short description.
    ///   - accepts: Returns whether the backend accepts a token. The argument says whether it has accepted the token before.
    /// - Returns: The mutant.
    fileprivate static func acceptingDeadTokens(_ summary: String, _ accepts: @escaping @Sendable (Bool) -> Bool) -> Mutant<World>
    {
        Mutant(
            "session.token.ends", summary,
            Mutation(controls: { environment, notebook in
                environment.administrator = environment.administrator.map {
                    var altered = AlteredAdministrator(base: $0)
                    altered.takingToken = { token, isTaken in
                        let known = notebook["accepted"]?.reveal() ?? ""
                        let text = token.reveal() + "\n"
                        let wasTaken = known.contains(text)
                        if isTaken, !wasTaken { notebook["accepted"] = Secret(known + text) }
                        return isTaken || accepts(wasTaken)
                    }
                    return altered
                }
            }))
    }
}
