internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let refreshFaults: [Mutant<World>] = [
        .token("session.refresh.bare-refusal", "treats any 401 as a revoked session") { _, base async throws(AuthError) in
            do throws(AuthError) {
                return try await base.accessToken()
            } catch {
                if [401, 403, 404, 407, 451].contains(error.provider?.status), error.provider?.code == nil {
                    try await base.signOut(.local, discardingAnonymousUser: true)
                }
                throw error
            }
        },
        .token("session.refresh.unknown-code", "treats an unknown code as a revoked session") {
            _, base async throws(AuthError) in
            do throws(AuthError) {
                return try await base.accessToken()
            } catch {
                if error.provider?.code == "lockstep_unheard_of" { try await base.signOut(.local, discardingAnonymousUser: true) }
                throw error
            }
        },
        .alone("session.refused-credential", "treats a rejected request as the end of the session") { faulty, _ in
            faulty.onToken = { base async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.accessToken()
                } catch {
                    if error.provider?.code != nil { try await base.signOut(.local, discardingAnonymousUser: true) }
                    throw error
                }
            }
        },
        .alone("session.refused-credential", "asks about the session twice") { faulty, context in
            faulty.onRefreshUser = { base async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.refreshUser()
                } catch {
                    await context.waste()
                    throw error
                }
            }
        },
        .alone("session.refused-credential", "advises no retry") { faulty, _ in
            faulty.onToken = { base async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.accessToken()
                } catch {
                    throw AuthError(.sessionRevoked, "The session has ended.", provider: error.provider)
                }
            }
        },
        .client(
            "session.refresh.answer-lost", "continues with the used token",
            matters: [Condition("a lost response ends the session") { $0.sessionAfterLostRefresh != .goesOn }]
        ) { faulty, _ in
            let isLost = Flag()
            let kept = Keeper<AuthState>()
            faulty.onToken = { base async throws(AuthError) in
                if base.state.session != nil { kept.value = base.state }
                do throws(AuthError) {
                    let token = try await base.accessToken()
                    isLost.lower()
                    return token
                } catch {
                    if error.code == .network { isLost.raise() }
                    throw error
                }
            }
            faulty.seeing = { state in
                guard isLost.isUp, state == .signedOut(.refreshReuse) else { return state }
                return kept.value ?? state
            }
        },
    ]
}
