internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let signOut: [Mutant<World>] = [
        .client("session.sign-out.only-this", "ends all sessions", matters: [.sessionsEnd]) { faulty, context in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                if scope == .local, base.capabilities.contains(.signOutOthers), case .signedIn = base.state,
                    !base.hasOldToken(context)
                {
                    try? await base.signOut(.others, discardingAnonymousUser: discarding)
                }
                try await base.signOut(scope, discardingAnonymousUser: discarding)
            }
        },
        .client("session.sign-out.others", "ends no session", matters: [.sessionsEnd]) { faulty, _ in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                if scope == .others, base.capabilities.contains(.signOutOthers) { return }
                try await base.signOut(scope, discardingAnonymousUser: discarding)
            }
        },
        .client("session.sign-out.everywhere", "ends only this session", matters: [.sessionsEnd]) { faulty, _ in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                let isLess = scope == .everywhere && base.capabilities.contains(.signOutEverywhere)
                try await base.signOut(isLess ? .local : scope, discardingAnonymousUser: discarding)
            }
        },
        .alone("session.sign-out.others", "ends no session once one was renewed", matters: [.sessionsEnd]) { faulty, context in
            faulty.noteRenewals(context)
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                if scope == .others, context.notebook["renewed"] != nil { return }
                try await base.signOut(scope, discardingAnonymousUser: discarding)
            }
        },
        .alone("session.sign-out.everywhere", "ends only this session once it was renewed", matters: [.sessionsEnd]) {
            faulty, context in
            faulty.noteRenewals(context)
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                let isLess = scope == .everywhere && context.notebook["renewed"] != nil
                try await base.signOut(isLess ? .local : scope, discardingAnonymousUser: discarding)
            }
        },
        .alone("session.sign-out.others", "ends other users' sessions too", matters: [.sessionsEnd]) { faulty, context in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                try await base.signOut(scope, discardingAnonymousUser: discarding)
                guard scope == .others, let own = base.state.session?.user.id else { return }
                let users = (try? await context.environment.administrator?.users()) ?? []
                for user in users where user.id != own { try? await context.environment.administrator?.endSessions(of: user.id) }
            }
        },
        .alone("session.sign-out.in-between", "reports a failed sign-out as done") { faulty, _ in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                do throws(AuthError) {
                    try await base.signOut(scope, discardingAnonymousUser: discarding)
                } catch {
                    guard scope != .local, error.code == .serverUnavailable else { throw error }
                }
            }
        },
        .alone("session.sign-out.in-between", "signs this device out when the other sessions cannot be ended") { faulty, _ in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                do throws(AuthError) {
                    try await base.signOut(scope, discardingAnonymousUser: discarding)
                } catch {
                    if scope == .others { try await base.signOut(.local, discardingAnonymousUser: true) }
                    throw error
                }
            }
        },
        Mutant(
            "session.sign-out.fault", "treats a 503 as success", matters: [.sessionsEnd],
            Mutation(adapter: { adapter, _ in
                AlteredAdapter(adapter) { changes in
                    changes.sessions = { base in
                        var altered = AlteredAuthority(base: base)
                        altered.onRevoke = { base, session, scope throws(AuthError) in
                            do throws(AuthError) {
                                try await base.revoke(session, scope: scope)
                            } catch {
                                guard error.provider?.status == 503 else { throw error }
                            }
                        }
                        return altered
                    }
                }
            })
        ),
        late,
        .otherBackend("leaves another backend's session") { $0.slot == .session },
        .otherBackend("leaves another backend's flow") { $0.slot == .flow },
        .alone("session.sign-out.other-backend", "forgets the end of another backend's session") { faulty, context in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                try await base.signOut(scope, discardingAnonymousUser: discarding)
                await context.eraseOthers(.revocations)
            }
        },
        .alone("session.sign-out.other-backend", "shows the move again after a sign-out") { faulty, _ in
            faulty.seeing = { $0 == .signedOut(.requested) ? .signedOut(.backendChanged) : $0 }
        },
        .alone("session.sign-out.two-backends", "erases the session of another client") { faulty, context in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                try await base.signOut(scope, discardingAnonymousUser: discarding)
                await context.eraseOthers()
            }
        },
    ]

    /// A mutant that forgets a sign-out if the access token has expired.
    private static let late: Mutant<World> = {
        let registers = Registers()
        return Mutant(
            "session.sign-out.late", "forgets a sign-out with an expired token", matters: [.sessionsEnd],
            Mutation(
                adapter: { adapter, environment in
                    let forgotten = registers.of(environment)
                    return AlteredAdapter(adapter) { changes in
                        changes.sessions = { base in
                            var altered = AlteredAuthority(base: base)
                            altered.onRefresh = { base, session throws(AuthError) in
                                guard !forgotten.contains(session.refreshToken.reveal()) else {
                                    throw AuthError(.sessionRevoked, "The session has ended on the backend.")
                                }
                                return try await base.refresh(session)
                            }
                            altered.onRevoke = { base, session, scope throws(AuthError) in
                                guard !forgotten.contains(session.refreshToken.reveal()) else { return }
                                try await base.revoke(session, scope: scope)
                            }
                            return altered
                        }
                    }
                },
                client: { client, context in
                    let forgotten = registers.of(context.environment)
                    var faulty = FaultyClient(client)
                    faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                        let hasEnded = base.state.session?.lifetime.remaining(on: context.environment.clock) ?? .zero <= .zero
                        if scope == .local, let session = base.state.session, hasEnded {
                            forgotten.insert(session.refreshToken.reveal())
                        }
                        try await base.signOut(scope, discardingAnonymousUser: discarding)
                    }
                    return faulty
                })
        )
    }()
}

extension Mutant<World> {
    /// Creates a mutant whose sign-out leaves values of another backend in the store.
    fileprivate static func otherBackend(
        _ summary: String, leaving isLeft: @escaping @Sendable (StoreKey) -> Bool
    ) -> Mutant<World> {
        .alone("session.sign-out.other-backend", summary) { faulty, context in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                var left: [StoreKey: [UInt8]] = [:]
                for key in (try? await context.store.keys()) ?? [] where isLeft(key) && key.backend != context.adapter.backend {
                    left[key] = (try? await context.store.load(key))??.bytes
                }
                try await base.signOut(scope, discardingAnonymousUser: discarding)
                for (key, bytes) in left { _ = try? await context.store.replace(key, with: bytes, unlessChangedSince: nil) }
            }
        }
    }
}
