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
        .answering("session.user.verified", "treats every address as verified") { _, _, session, _ in
            if session.user.email != nil { session.user.isEmailVerified = true }
        },
        .answering("session.user.verified", "keeps whether the address was verified at the sign-in") { call, asked, session, _ in
            if call == .reload, let asked { session.user.isEmailVerified = asked.user.isEmailVerified }
        },
        .answering("session.restore.other-machine", "drops the date of the backend") { $2.dropDate($3) },
        .answering("session.restore.other-machine", "drops the date of the backend at a refresh") { call, _, session, clock in
            if call == .refresh { session.dropDate(clock) }
        },
        .answering("sign-in.step.device-clock", "compares the sign-in's time with the device's clock") { $2.dropDate($3) },
        .alone("sign-in.step.device-clock", "returns times of the backend's clock", matters: [.proofIsRequired]) {
            faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                let step = try await base.signUp(with: credential, displayName: name)
                guard case .verify(var challenge) = step else { return step }
                let clock = context.environment.clock
                let skew = clock.now - Instant(seconds: 0) - clock.uptime
                // The first sign-up of the check is on a right clock.
                let right = context.notebook["skew"].flatMap { Int64($0.reveal()) } ?? skew.components.seconds
                context.notebook["skew"] = Secret(String(right))
                let shift = skew - .seconds(right)
                challenge.expiresAt = challenge.expiresAt.map { $0 - shift }
                challenge.resendAvailableAt = challenge.resendAvailableAt.map { $0 - shift }
                return .verify(challenge)
            }
        },
    ]
}

extension Session {
    /// Forgets the backend's date of the response.
    fileprivate mutating func dropDate(_ clock: ManualClock) { lifetime = TokenLifetime(life: lifetime.life, clock: clock) }
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

    /// Creates a mutant that changes the sessions in the adapter's responses.
    fileprivate static func answering(
        _ breaks: String, _ summary: String,
        _ change: @escaping @Sendable (AlteredAdapter.Call, _ asked: Session?, inout Session, ManualClock) -> Void
    ) -> Mutant<World> {
        Mutant(
            breaks, summary,
            Mutation(adapter: { adapter, environment in
                AlteredAdapter(adapter) { changes in
                    changes.answering = { call, asked, _, session throws(AuthError) in
                        var session = session
                        change(call, asked, &session, environment.clock)
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
    fileprivate static func acceptingDeadTokens(_ summary: String, _ accepts: @escaping @Sendable (Bool) -> Bool) -> Mutant<World>
    {
        Mutant(
            "session.token.ends", summary,
            Mutation(controls: { environment, notebook in
                environment.administrator = environment.administrator.map {
                    var altered = AlteredAdministrator(base: $0)
                    altered.acceptingToken = { token, isTaken in
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
