internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let endings: [Mutant<World>] = [
        .ending("session.end.deleted", "reports no reason", \.sessionOfDeletedUser) { _ in .signedOut(.neverSignedIn) },
        .ending("session.end.disabled", "reports no reason", \.sessionOfDisabledUser) { _ in .signedOut(.neverSignedIn) },
        .ending("session.end.revoked", "reports no reason", \.endedSession) { _ in .signedOut(.neverSignedIn) },
        .ending("session.end.credential-changed", "reports no reason", \.sessionAfterNewPassword) { _ in
            .signedOut(.neverSignedIn)
        },
        .store("session.sign-out.revocation-queued", "stores no note about the sign-out") { store in
            store.onReplace = { base, key, bytes, revision async throws(StoreError) in
                guard key.slot != .revocations else { return Revision(rawValue: "forgotten") }
                return try await base.replace(key, with: bytes, unlessChangedSince: revision)
            }
        },
        .store("session.sign-out.revocation-queued", "stores only the first note") { store in
            store.onReplace = { base, key, bytes, revision async throws(StoreError) in
                guard key.slot == .revocations, try await base.load(key) != nil else {
                    return try await base.replace(key, with: bytes, unlessChangedSince: revision)
                }
                return Revision(rawValue: "forgotten")
            }
        },
        .store("session.sign-out.revocation-queued", "lets the stored notes grow") { store in
            store.onReplace = { base, key, bytes, revision async throws(StoreError) in
                let before = key.slot == .revocations ? try await base.load(key)?.bytes.count ?? 0 : 0
                let padding = [UInt8](repeating: UInt8(ascii: " "), count: before)
                return try await base.replace(key, with: bytes + padding, unlessChangedSince: revision)
            }
        },
        .alone("session.backend-changed", "erases the other backend's session at a sign-in") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                await context.eraseOthers()
                return step
            }
        },
        .client("session.backend-changed", "reports the other backend's session at each launch") { faulty, context in
            faulty.onRestore = { base in
                let state = await base.restore()
                if state == .signedOut(.backendChanged), context.notebook.count("launch") > 1 {
                    context.events(AuthEvent(.backendChanged, at: context.environment.clock.now))
                }
                return state
            }
        },
        .client("session.backend-changed", "sends a request to the new backend") { faulty, context in
            faulty.onRestore = { base in
                let state = await base.restore()
                if state == .signedOut(.backendChanged) { await context.waste() }
                return state
            }
        },
        .token("session.reboot", "trusts the wall clock") { context, base async throws(AuthError) in
            let clock = context.environment.clock
            if base.state == .restoring { await base.restore() }
            if let session = base.state.session, session.lifetime.bootID != clock.bootID, session.lifetime.expiresAt > clock.now {
                return session.accessToken
            }
            return try await base.accessToken()
        },
        .token("session.reboot", "sends three requests after a restart") { context, base async throws(AuthError) in
            if context.contract == "session.reboot" { for _ in 0..<3 { await context.waste() } }
            return try await base.accessToken()
        },
        .token("session.persistence-retried", "returns no token that it cannot store") { context, base async throws(AuthError) in
            guard base.hasOldToken(context) else { return try await base.accessToken() }
            let token = try await base.accessToken()
            do throws(StoreError) {
                _ = try await context.store.replace(context.sessionKey, with: [], unlessChangedSince: Revision(rawValue: "probe"))
            } catch {
                guard error.code == .conflict else { throw context.refusal(.storeUnavailable) }
            }
            return token
        },
        .store("session.unavailable-heals", "stores a copy of the unreadable value") { store in
            let wasUnreadable = Flag()
            store.onLoad = { base, key async throws(StoreError) in
                do throws(StoreError) {
                    let stored = try await base.load(key)
                    if let stored, wasUnreadable.isUp, key.slot == .session {
                        let copy = StoreKey(provider: key.provider, backend: "https://copy.example.com", slot: .session)
                        _ = try? await base.replace(copy, with: stored.bytes, unlessChangedSince: nil)
                    }
                    return stored
                } catch {
                    if error.code == .unreadable { wasUnreadable.raise() }
                    throw error
                }
            }
        },
        .client("session.unavailable-heals", "recovers only after a call") { faulty, _ in
            let kept = Keeper<AuthState>()
            faulty.seeing = { state in
                if case .unavailable = state { kept.value = state }
                return kept.value ?? state
            }
            faulty.onRestore = { base in
                kept.value = nil
                return await base.restore()
            }
        },
        .store("session.damaged-kept", "erases the damaged value") { store in
            store.onQuarantine = { base, key, revision async throws(StoreError) in
                try await base.remove(key, unlessChangedSince: revision)
            }
        },
        .client("session.isolation", "shares a token between clients") { faulty, context in
            let place = context.notebook.count("clients")
            faulty.onToken = { base async throws(AuthError) in
                let token = try await base.accessToken()
                guard place > 40 else { return token }
                if context.notebook["shared"] == nil { context.notebook["shared"] = token }
                return context.notebook["shared"] ?? token
            }
        },
    ]
}

extension Mutant<World> {
    /// Creates a mutant that replaces the store of every device.
    static func store(
        _ breaks: String, _ summary: String, _ build: @escaping @Sendable (inout MutantStore) -> Void
    ) -> Mutant<World> {
        Mutant(
            breaks, summary,
            Mutation(store: { store, _ in
                var faulty = MutantStore(base: store)
                build(&faulty)
                return faulty
            }))
    }
}
