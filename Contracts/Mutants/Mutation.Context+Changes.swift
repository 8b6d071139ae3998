package import Lockstep
package import LockstepContracts
internal import LockstepPrimitives

extension Mutation.Context {
    /// Returns a session that does not come from a backend.
    package func forged(email: String? = nil) -> Session {
        Session(
            id: "forged", provider: adapter.name, user: User(id: "forged", email: email, isEmailVerified: true),
            accessToken: "forged-access",
            refreshToken: "forged-refresh", lifetime: TokenLifetime(life: .seconds(3600), clock: environment.clock))
    }

    /// Sends an unnecessary request.
    package func waste() async { _ = try? await adapter.sessions.refresh(forged()) }

    /// The key of the stored session.
    var sessionKey: StoreKey { StoreKey(provider: adapter.name, backend: adapter.backend, slot: .session) }

    /// Returns whether the store contains a session.
    func hasStoredSession() async -> Bool { ((try? await store.load(sessionKey)) ?? nil) != nil }

    /// Writes to the empty slot of the session in the store.
    func storeSession() async { _ = try? await store.replace(sessionKey, with: [0], unlessChangedSince: nil) }

    /// Erases a value of all other backends in the store.
    func eraseOthers(_ slot: StoreKey.Slot = .session) async {
        for key in (try? await store.keys()) ?? [] where key.slot == slot && key.backend != adapter.backend {
            try? await store.remove(key)
        }
    }

    /// Returns whether another client has signed in on this client's device, and this client does not know about it.
    func isTwin(of client: any PortableClient) async -> Bool {
        let isStored = await hasStoredSession()
        return isStored && client.state.session == nil
    }

    /// Returns whether the backend has a user with this address.
    func isKnown(_ email: String) async -> Bool {
        let users = (try? await environment.administrator?.users()) ?? []
        return users.contains { $0.email?.lowercased() == email.lowercased() }
    }

    /// A challenge that does not belong to any call.
    package var forgedChallenge: Challenge {
        let flow = Flow(id: "forged", kind: .confirmation, capability: .password, startedAt: environment.clock.now)
        return Challenge(flow: flow, channel: .email, destination: "", accepts: [.code])
    }
}

extension Mutant<World> {
    /// Creates a mutant that replaces the client.
    ///
    /// It is active only in the check of its contract.
    static func alone(
        _ breaks: String, _ summary: String, matters: [Condition] = [], claims: Set<Capability> = [],
        _ build: @escaping @Sendable (inout FaultyClient, Mutation.Context) -> Void
    ) -> Mutant<World> {
        .client(breaks, summary, matters: matters, claims: claims) { faulty, context in
            if context.contract == breaks { build(&faulty, context) }
        }
    }

    /// Creates a mutant that changes how the client signs in with a password.
    static func password(
        _ breaks: String, _ summary: String,
        _ body:
            @escaping @Sendable (Mutation.Context, any PortableClient, PasswordCredential) async throws(AuthError) -> AuthStep
    ) -> Mutant<World> {
        .client(breaks, summary) { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard let password = credential as? PasswordCredential else { return try await base.signIn(with: credential) }
                return try await body(context, base, password)
            }
        }
    }

    /// Creates a mutant that changes the error of a failed sign-in.
    ///
    /// The second argument is the sent password, if any.
    static func failingSignIn(
        _ breaks: String, _ summary: String, _ alter: @escaping @Sendable (inout AuthError, Secret?) -> Void
    ) -> Mutant<World> {
        .client(breaks, summary) { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    var altered = error
                    alter(&altered, (credential as? PasswordCredential)?.password)
                    throw altered
                }
            }
        }
    }

    /// Creates a mutant that changes how the client signs in with an ID token.
    static func idToken(
        _ breaks: String, _ summary: String,
        _ body:
            @escaping @Sendable (Mutation.Context, any PortableClient, IDTokenCredential) async throws(AuthError) -> AuthStep
    ) -> Mutant<World> {
        .client(breaks, summary) { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard let token = credential as? IDTokenCredential else { return try await base.signIn(with: credential) }
                return try await body(context, base, token)
            }
        }
    }
}

extension AuthError {
    /// Returns the same error with another code.
    package func renamed(_ code: Code) -> AuthError {
        var copy = self
        copy.code = code
        return copy
    }
}

/// A session authority with changed refreshes or revocations.
struct AlteredAuthority: SessionAuthority {
    let base: any SessionAuthority
    var onRefresh: @Sendable (any SessionAuthority, Session) async throws(AuthError) -> Session = {
        base, session throws(AuthError) in try await base.refresh(session)
    }
    var onRevoke: @Sendable (any SessionAuthority, Session, SignOutScope) async throws(AuthError) -> Void = {
        base, session, scope throws(AuthError) in try await base.revoke(session, scope: scope)
    }

    func refresh(_ session: Session) async throws(AuthError) -> Session { try await onRefresh(base, session) }

    func reload(_ session: Session) async throws(AuthError) -> Session { try await base.reload(session) }

    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) { try await onRevoke(base, session, scope) }
}
