internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives
internal import Synchronization

extension Mutants {
    static let calls: [Mutant<World>] = [
        .refusing("session.refused-token-heals", "reports a rejected token as a signed-out user", [.reload, .account]),
        .refusing(
            "session.sign-out.dead-token", "treats a rejected token as an ended session", [.revoke],
            matters: [.sessionsEnd]),
        switching,
        .client("session.authorized.same-token", "renews an unchanged token again") { faulty, context in
            faulty.onAuthorized = { base, request, send in
                let before = base.state.session?.accessToken
                let count = Mutex(0)
                let response = try await base.authorized(request) { request in
                    count.withLock { $0 += 1 }
                    return try await send(request)
                }
                if count.withLock({ $0 }) > 1, base.state.session?.accessToken == before { await context.waste() }
                return response
            }
        },
        deaf,
        .client("session.deadline.every-call", "never ends one call") { faulty, _ in
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                do throws(AuthError) {
                    try await base.changePassword(to: new, current: current)
                } catch {
                    if error.code == .timedOut { await Deadline.never() }
                    throw error
                }
            }
        },
        .forgetting("session.deadline.late-tokens", "discards tokens that arrive too late", .refresh),
        .forgetting(
            "session.deadline.late-sign-in", "discards a sign-in that arrives too late", .flow,
            matters: [.sessionsEnd]),
        .alone("session.deadline.late-sign-in", "stores the late session", matters: [.sessionsEnd]) { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) { return try await base.signIn(with: credential) } catch {
                    if error.code == .timedOut { await context.storeSession() }
                    throw error
                }
            }
        },
        .client("session.deadline.store", "waits forever for the store") { faulty, _ in
            faulty.onRestore = { base in
                let state = await base.restore()
                if case .unavailable(let failure) = state, failure.code == .busy {
                    await Deadline.never()
                }
                return state
            }
        },
    ]

    /// A mutant that does not revoke a session after a sign-in replaces it.
    private static let switching: Mutant<World> = {
        let registers = Registers()
        return Mutant(
            "session.replaced", "does not end the old session", matters: [.sessionsEnd],
            Mutation(
                adapter: { adapter, environment in ForgetfulAdapter.make(adapter, registers.of(environment)) },
                client: { client, context in
                    let replaced = registers.of(context.environment)
                    var faulty = FaultyClient(client)
                    faulty.onSignIn = { base, credential async throws(AuthError) in
                        let old = base.state.session?.refreshToken
                        if let old { replaced.insert(old.reveal()) }
                        do throws(AuthError) {
                            return try await base.signIn(with: credential)
                        } catch {
                            if let old { replaced.remove(old.reveal()) }
                            throw error
                        }
                    }
                    return faulty
                }))
    }()

    /// A mutant that waits for an adapter that ignores its cancellation.
    private static let deaf: Mutant<World> = {
        let registers = Registers()
        return Mutant(
            "session.deadline.deaf-adapter", "waits until the adapter returns",
            Mutation(
                adapter: { adapter, environment in
                    let deafened = registers.of(environment)
                    return AlteredAdapter(adapter) { changes in
                        changes.instead = { call, asked throws(AuthError) in
                            guard call == .reload, let asked else { return nil }
                            return try await Mutants.noting(asked, in: deafened, adapter)
                        }
                    }
                },
                client: { client, context in
                    let deafened = registers.of(context.environment)
                    var faulty = FaultyClient(client)
                    faulty.onRefreshUser = { base async throws(AuthError) in
                        let user = base.state.session?.user.id ?? ""
                        do throws(AuthError) {
                            return try await base.refreshUser()
                        } catch {
                            guard error.code == .timedOut else { throw error }
                            try? await SystemClock().sleep(for: .milliseconds(200))
                            if deafened.contains(user) { await Deadline.never() }
                            throw error
                        }
                    }
                    return faulty
                }))
    }()

    /// Reloads the session.
    ///
    /// Records its user if the call continues for a moment after it was cancelled.
    private static func noting(
        _ session: Session, in register: Register, _ adapter: any AuthAdapter
    ) async throws(AuthError) -> Session {
        let hasEnded = Flag()
        let result: Result<Session, AuthError> = await withTaskCancellationHandler {
            defer { hasEnded.raise() }
            do throws(AuthError) { return .success(try await adapter.sessions.reload(session)) } catch { return .failure(error) }
        } onCancel: {
            Task {
                try? await SystemClock().sleep(for: .milliseconds(50))
                if !hasEnded.isUp { register.insert(session.user.id) }
            }
        }
        return try result.get()
    }
}

/// The registers of one mutant, one for each run.
///
/// Two runs may use identical tokens.
final class Registers: Sendable {
    private let all = Mutex<[ObjectIdentifier: (clock: any DeviceClock, register: Register)]>([:])

    /// Returns the register of a run.
    ///
    /// The clock identifies the run, and is retained so that its id stays unique.
    func of(_ environment: TestEnvironment) -> Register {
        let clock = environment.clock
        return all.withLock { all in
            let id = ObjectIdentifier(clock as AnyObject)
            if let known = all[id] { return known.register }
            let register = Register()
            all[id] = (clock, register)
            return register
        }
    }
}

/// A set of recorded names.
final class Register: Sendable {
    private let names = Mutex<Set<String>>([])

    func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}

/// An adapter that does not send all sign-outs to the backend.
private struct ForgetfulAdapter: SessionAuthority {
    let base: any SessionAuthority
    let forgotten: Register

    static func make(_ adapter: any AuthAdapter, _ forgotten: Register) -> any AuthAdapter {
        AlteredAdapter(adapter) { changes in changes.sessions = { ForgetfulAdapter(base: $0, forgotten: forgotten) } }
    }

    func refresh(_ session: Session) async throws(AuthError) -> Session { try await base.refresh(session) }

    func reload(_ session: Session) async throws(AuthError) -> Session { try await base.reload(session) }

    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {
        guard !forgotten.contains(session.refreshToken.reveal()) else { return }
        try await base.revoke(session, scope: scope)
    }
}

extension Mutant<World> {
    /// Creates a mutant whose adapter changes the error code for a rejected access token.
    fileprivate static func refusing(
        _ breaks: String, _ summary: String, _ calls: Set<AlteredAdapter.Call>, matters: [Condition] = []
    ) -> Mutant<World> {
        Mutant(
            breaks, summary, matters: matters + [.callsShowAccessTokens],
            Mutation(adapter: { adapter, _ in
                AlteredAdapter(adapter) { changes in
                    changes.refusing = { call, error in
                        guard calls.contains(call), error.code == .accessTokenRefused else { return error }
                        var renamed = error.renamed(call == .revoke ? .sessionRevoked : .notSignedIn)
                        renamed.retry = .never
                        return renamed
                    }
                }
            }))
    }

    /// Creates a mutant whose adapter discards a response that arrives after the cancellation.
    fileprivate static func forgetting(
        _ breaks: String, _ summary: String, _ forgotten: AlteredAdapter.Call, matters: [Condition] = []
    ) -> Mutant<World> {
        Mutant(
            breaks, summary, matters: matters,
            Mutation(adapter: { adapter, _ in
                AlteredAdapter(adapter) { changes in
                    changes.answering = { call, _, _, response throws(AuthError) in
                        if call == forgotten, Task.isCancelled { throw .cancelled }
                        return response
                    }
                }
            }))
    }
}
