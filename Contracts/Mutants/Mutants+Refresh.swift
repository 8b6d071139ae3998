internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives
internal import Synchronization

extension Mutants {
    static let refresh: [Mutant<World>] = [
        .client("session.refresh.reads-store", "renews a token that another process has renewed") { faulty, context in
            let own = Secret(String(context.notebook.count("clients")))
            faulty.onToken = { base async throws(AuthError) in
                let isOld = base.hasOldToken(context)
                let token = try await base.accessToken()
                let owner = "owner of " + token.reveal()
                if let other = context.notebook[owner], other != own, isOld { await context.waste() }
                if context.notebook[owner] == nil { context.notebook[owner] = own }
                return token
            }
        },
        .client("session.refresh.loser-adopts", "signs out the late process") { faulty, context in
            let own = context.notebook.count("clients")
            faulty.onToken = { base async throws(AuthError) in
                let (isOld, user) = (base.hasOldToken(context), base.state.session?.user.id ?? "")
                let start = context.notebook.count("calls")
                let token = try await base.accessToken()
                let last = context.notebook["served " + user]?.reveal().split(separator: " ").compactMap { Int($0) } ?? []
                if isOld, last.count == 2, last[0] != own, last[1] > start {
                    try await base.signOut(.local, discardingAnonymousUser: true)
                    throw context.refusal(.refreshTokenReused)
                }
                context.notebook["served " + user] = Secret("\(own) \(context.notebook.count("calls"))")
                return token
            }
        },
        .ending("session.refresh.reuse-ends", "stays signed in", \.sessionWithSpentToken) { .signedIn($0.forged()) },
        .ending("session.refresh.replayed", "stays signed in", \.sessionAfterReplay) { .signedIn($0.forged()) },
        .token("session.refresh.after-switch", "returns the second user's token to the first user's caller") {
            _, base async throws(AuthError) in
            let before = base.state.session?.user.id
            do throws(AuthError) {
                return try await base.accessToken()
            } catch {
                if let before, let session = base.state.session, session.user.id != before { return session.accessToken }
                throw error
            }
        },
        .token("session.refresh.once-a-life", "compares wall clocks") { context, base async throws(AuthError) in
            let clock = context.environment.clock
            if let life = base.state.session?.lifetime, !life.needsRefresh(on: clock),
                clock.now > life.expiresAt || clock.now < life.receivedAt - .seconds(60)
            {
                await context.waste()
            }
            return try await base.accessToken()
        },
        .token("session.token.alive-while-failing", "fails as soon as a renewal fails") { context, base async throws(AuthError) in
            let before = base.state.session?.accessToken
            let isOld = base.hasOldToken(context)
            let token = try await base.accessToken()
            if isOld, token == before { throw context.refusal(.serverUnavailable) }
            return token
        },
        .token("session.fault.retry-budget", "loops") { context, base async throws(AuthError) in
            do throws(AuthError) {
                return try await base.accessToken()
            } catch {
                if error.code == .tooManyRequests { await context.waste() }
                throw error
            }
        },
        .alone("session.update.during-refresh", "returns to the name from before the refresh") { faulty, _ in
            faulty.onAuthorized = { base, request, send in
                let former = base.state.session?.user.displayName
                let response = try await base.authorized(request, by: send)
                if let former, base.state.session?.user.displayName != former {
                    _ = try await base.update(displayName: former, photoURL: nil)
                }
                return response
            }
        },
        .client("session.update.keeps-new-tokens", "returns to the tokens from before the change") { faulty, context in
            let former = Keeper<AuthState>()
            faulty.seeing = { former.value ?? $0 }
            faulty.onAuthorized = { base, request, send in
                let response = try await base.authorized(request, by: send)
                _ = context.notebook.count("renewals")
                return response
            }
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                let (before, start) = (base.state.session, context.notebook.count("renewals"))
                let user = try await base.update(displayName: name, photoURL: photo)
                if context.notebook.count("renewals") > start + 1, var session = before {
                    session.user = user
                    former.value = .signedIn(session)
                }
                return user
            }
        },
        .client("session.authorized.listed-origins", "sends the token to every origin") { faulty, _ in
            faulty.onAuthorized = { base, request, send in
                do {
                    return try await base.authorized(request, by: send)
                } catch let error as AuthError where [.invalidConfiguration, .invalidInput].contains(error.code) {
                    var request = request
                    request.headers.append(.init("Authorization", "Bearer \(try await base.accessToken().reveal())"))
                    return try await send(request)
                }
            }
        },
        .alone("session.authorized.one-retry", "reports every response as a success") { faulty, _ in
            faulty.onAuthorized = { base, request, send in
                var response = try await base.authorized(request, by: send)
                response.status = 200
                return response
            }
        },
        .alone("session.authorized.one-retry", "sends the caller's own token too") { faulty, _ in
            faulty.onAuthorized = { base, request, send in
                let own = request.headers
                return try await base.authorized(request) { request in
                    var request = request
                    request.headers += own
                    return try await send(request)
                }
            }
        },
        .client("session.authorized.one-retry", "loops") { faulty, _ in
            faulty.onAuthorized = { base, request, send in
                var response = try await base.authorized(request, by: send)
                for _ in 0..<3 where response.status == 401 { response = try await base.authorized(request, by: send) }
                return response
            }
        },
    ]
}

/// A value that a mutant stores.
final class Keeper<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    var value: Value? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

extension PortableClient {
    /// Returns whether the token must be refreshed before its use.
    func hasOldToken(_ context: Mutation.Context) -> Bool {
        state.session?.lifetime.needsRefresh(on: context.environment.clock) == true
    }
}

extension Mutation.Context {
    /// Returns an error that only a mutant throws.
    func refusal(_ code: AuthError.Code) -> AuthError { AuthError(code, "The mutant rejects the call.", retry: .now) }
}

extension Mutant<World> {
    /// Creates a mutant that shows another state after a session has ended.
    ///
    /// It also ends a session that should continue.
    static func ending(
        _ breaks: String, _ summary: String, _ declared: @escaping @Sendable (ProviderBehavior) -> ProviderBehavior.NextRefresh,
        shows state: @escaping @Sendable (Mutation.Context) -> AuthState
    ) -> Mutant<World> {
        .client(breaks, summary) { faulty, context in
            let hasEnded = Flag()
            let reason = declared(context.behavior).reason
            faulty.onToken = { base async throws(AuthError) in
                let isOld = base.hasOldToken(context)
                do throws(AuthError) {
                    let token = try await base.accessToken()
                    // The contracts that this contract builds on also have such sessions. The fault must not break them.
                    if isOld, reason == nil, context.contract == breaks {
                        try await base.signOut(.local, discardingAnonymousUser: true)
                    }
                    return token
                } catch {
                    if isOld, let reason, base.state == .signedOut(reason) { hasEnded.raise() }
                    throw error
                }
            }
            faulty.seeing = { hasEnded.isUp && $0.session == nil ? state(context) : $0 }
        }
    }
}
