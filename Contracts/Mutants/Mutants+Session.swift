internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let session: [Mutant<World>] = [
        .client("session.restore.same-user", "sends a request") { faulty, context in
            faulty.onRestore = { base in
                let state = await base.restore()
                if state.session != nil { await context.waste() }
                return state
            }
        },
        .client("session.restore.expired-is-not-signed-out", "shows the state signedOut") { faulty, context in
            let isRestored = Flag()
            faulty.onRestore = { base in
                isRestored.raise()
                return await base.restore()
            }
            faulty.seeing = { state in
                guard isRestored.isUp, let session = state.session,
                    session.lifetime.remaining(on: context.environment.clock) <= .zero
                else {
                    return state
                }
                return .signedOut(.expired)
            }
        },
        .token("session.token.valid-needs-no-request", "always refreshes") { context, base async throws(AuthError) in
            let token = try await base.accessToken()
            await context.waste()
            return token
        },
        .token("session.token.single-flight", "refreshes for each caller") { context, base async throws(AuthError) in
            let isOld = base.state.session?.lifetime.needsRefresh(on: context.environment.clock) == true
            let token = try await base.accessToken()
            if isOld { await context.waste() }
            return token
        },
        .token("session.token.cancel-one", "cancels all callers") { context, base async throws(AuthError) in
            do throws(AuthError) {
                let token = try await base.accessToken()
                guard context.notebook["cancelled"] == nil else { throw .cancelled }
                return token
            } catch {
                if error.code == .cancelled { context.notebook["cancelled"] = "yes" }
                throw error
            }
        },
        .token("session.refresh.after-sign-out", "stores the session again") { context, base async throws(AuthError) in
            let before = base.state.session
            do throws(AuthError) {
                return try await base.accessToken()
            } catch {
                if before != nil, base.state == .signedOut(.requested) {
                    await context.storeSession()
                }
                throw error
            }
        },
        .token("session.fault.offline", "signs out") { _, base async throws(AuthError) in
            try await base.tokenOrSignOut(on: [.network])
        },
        .token("session.fault.server", "signs out") { _, base async throws(AuthError) in
            try await base.tokenOrSignOut(on: [.serverUnavailable, .tooManyRequests])
        },
        .token("session.fault.garbage", "treats garbage as a rejected token") { _, base async throws(AuthError) in
            try await base.tokenOrSignOut(on: [.invalidResponse])
        },
        .client("session.fault.numbers", "loses a wait that was limited to a day") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    var error = error
                    if error.retry == .after(RetryAdvice.longest) { error.retry = .now }
                    throw error
                }
            }
        },
        Mutant(
            "session.sign-out.local", "does not end the session",
            Mutation(
                adapter: { adapter, _ in
                    AlteredAdapter(adapter) { changes in
                        changes.sessions = { base in
                            var altered = AlteredAuthority(base: base)
                            altered.onRevoke = { _, _, _ throws(AuthError) in }
                            return altered
                        }
                    }
                },
                client: { client, context in
                    var faulty = FaultyClient(client)
                    guard context.behavior.refreshTokenAfterSignOut != .dies, context.behavior.accessTokenAfterSignOut != .dies
                    else {
                        return faulty
                    }
                    // The backend ends nothing here. So only the data on the device shows the fault.
                    faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                        let stored = try? await context.store.load(context.sessionKey)
                        try await base.signOut(scope, discardingAnonymousUser: discarding)
                        if let bytes = stored?.bytes {
                            _ = try? await context.store.replace(context.sessionKey, with: bytes, unlessChangedSince: nil)
                        }
                    }
                    return faulty
                })
        ),
        .client("session.sign-out.offline", "throws") { faulty, context in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                try await base.signOut(scope, discardingAnonymousUser: discarding)
                let probe = await Deadline.first(of: .milliseconds(500)) { () -> AuthError? in
                    do throws(AuthError) {
                        _ = try await context.adapter.sessions.refresh(context.forged())
                        return nil
                    } catch { return error }
                }
                if let error = probe ?? nil, error.code == .network { throw error }
            }
        },
        .client("session.events.order", "drops one change") { faulty, _ in
            faulty.subscribing = { base in base.states.changed { place, state in place == 1 ? nil : state } }
        },
        .client("session.events.slow", "keeps every change for a subscriber that does not read") { faulty, _ in
            faulty.subscribing = { $0.states.changed(keeping: .unbounded) { $1 } }
        },
        .alone("session.events.slow", "keeps the oldest changes for a subscriber that does not read") { faulty, _ in
            faulty.subscribing = { $0.states.changed(keeping: .bufferingOldest(16)) { $1 } }
        },
        .client("session.events.reentrant", "holds a lock during events") { faulty, _ in
            let (isBusy, isWaiting) = (Flag(), Flag())
            faulty.onSignIn = { base, credential async throws(AuthError) in
                isBusy.raise()
                defer { isBusy.lower() }
                let step = try await base.signIn(with: credential)
                for _ in 0..<60 where !isWaiting.isUp { await Deadline.pause() }
                while isWaiting.isUp, !Task.isCancelled { await Deadline.pause() }
                return step
            }
            faulty.onToken = { base async throws(AuthError) in
                if isBusy.isUp {
                    isWaiting.raise()
                    while isBusy.isUp, !Task.isCancelled { await Deadline.pause() }
                }
                return try await base.accessToken()
            }
        },
        .client("session.user.refresh", "returns the cached user") { faulty, _ in
            faulty.onRefreshUser = { base async throws(AuthError) in
                guard let user = base.state.session?.user else { return try await base.refreshUser() }
                return user
            }
        },
        .client("session.required", "returns any session") { faulty, context in
            faulty.onSession = { base, requirement async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.session(requiring: requirement)
                } catch  where error.code == .verificationRequired {
                    return base.state.session ?? context.forged()
                }
            }
        },
        .client("session.deadline", "multiplies each deadline by ten") { faulty, context in
            var options = context.options
            options.deadline *= 10
            faulty.base = AuthClient(adapter: context.adapter, store: context.store, effects: context.effects, options: options)
        },
        .client("session.deadline", "waits") { faulty, _ in
            faulty.onRefreshUser = { base async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.refreshUser()
                } catch {
                    if error.code == .timedOut { await Deadline.never() }
                    throw error
                }
            }
        },
    ]
}

extension Mutant<World> {
    /// Creates a mutant that changes how the client returns access tokens.
    static func token(
        _ breaks: String, _ summary: String, claims: Set<Capability> = [],
        _ body: @escaping @Sendable (Mutation.Context, any PortableClient) async throws(AuthError) -> Secret
    ) -> Mutant<World> {
        .client(breaks, summary, claims: claims) { faulty, context in
            faulty.onToken = { base async throws(AuthError) in try await body(context, base) }
        }
    }
}

extension PortableClient {
    /// Returns an access token.
    ///
    /// Signs the user out if the call fails with one of these codes.
    fileprivate func tokenOrSignOut(on codes: Set<AuthError.Code>) async throws(AuthError) -> Secret {
        do throws(AuthError) {
            return try await accessToken()
        } catch {
            if codes.contains(error.code) { try await signOut(.local, discardingAnonymousUser: true) }
            throw error
        }
    }
}
