internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives
internal import Synchronization

extension Mutants {
    static let keeping: [Mutant<World>] = [
        .client("verification.no-dead-end", "returns a challenge without accepted answers") { faulty, _ in
            faulty.onReset = { base, email async throws(AuthError) in
                let step = try await base.requestPasswordReset(email: email)
                guard case .verify(var challenge) = step else { return step }
                challenge.accepts = []
                return .verify(challenge)
            }
        },
        .alone("verification.no-dead-end", "reports that a challenge with a code ends elsewhere") { faulty, _ in
            faulty.change { $0.ending = .webPage }
        },
        .client("sign-in.step.cancelled", "does not cancel the flow") { faulty, _ in
            faulty.onCancel = { _, _ async throws(AuthError) in }
        },
        .client("sign-in.step.newest-kept", "replaces a newer step with the older one") { faulty, context in
            let key = StoreKey(provider: context.adapter.name, backend: context.adapter.backend, slot: .flow)
            faulty.onResend = { base, flow async throws(AuthError) in
                let older = (try? await context.store.load(key)) ?? nil
                let challenge = try await base.resend(flow)
                let newer = (try? await context.store.load(key)) ?? nil
                if let older { _ = try? await context.store.replace(key, with: older.bytes, unlessChangedSince: newer?.revision) }
                return challenge
            }
        },
        .client("verification.code.attempts-shared", "forgets the attempts of other processes") { faulty, context in
            let key = StoreKey(provider: context.adapter.name, backend: context.adapter.backend, slot: .flow)
            let name = Array(#""guesses":"#.utf8)
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if let stored = (try? await context.store.load(key)) ?? nil,
                    let place = stored.bytes.indices.first(where: { stored.bytes[$0...].starts(with: name) })
                {
                    let head = stored.bytes[..<(place + name.count)]
                    let rest = stored.bytes[head.endIndex...].drop { (0x30...0x39).contains($0) }
                    let bytes = head + [0x30] + rest
                    _ = try? await context.store.replace(key, with: Array(bytes), unlessChangedSince: stored.revision)
                }
                return try await base.respond(to: flow, with: response)
            }
        },
        .client("sign-in.step.ends-by-age", "accepts an answer to the expired flow") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let isOver = context.environment.clock.now > flow.startedAt + Flow.longestLife
                return isOver ? .complete(context.forged()) : try await base.respond(to: flow, with: response)
            }
        },
        .store("session.sign-out.wipes-flow", "leaves the flow in the store") { store in
            store.onRemoveIfUnchanged = { base, key, revision async throws(StoreError) in
                if key.slot != .flow { try await base.remove(key, unlessChangedSince: revision) }
            }
        },
        .store("session.sign-out.reason-kept", "stores no reason") { store in
            store.onReplace = { base, key, bytes, revision async throws(StoreError) in
                guard key.slot != .signOut else { return Revision(rawValue: "forgotten") }
                return try await base.replace(key, with: bytes, unlessChangedSince: revision)
            }
        },
        .alone("session.persistence-told", "reports a full disk as an unreadable store") { faulty, _ in
            faulty.persisting = { base in
                guard case .memoryOnly(var failure) = base.persistence else { return base.persistence }
                failure.code = .unreadable
                return .memoryOnly(failure)
            }
        },
        .client("session.persistence-told", "reports the session as stored") { faulty, _ in faulty.persisting = { _ in .stored }
        },
        .client("session.user.unchanged-not-written", "writes the session anyway") { faulty, context in
            faulty.onRefreshUser = { base async throws(AuthError) in
                let user = try await base.refreshUser()
                let stored = (try? await context.store.load(context.sessionKey)) ?? nil
                if let stored {
                    _ = try? await context.store.replace(
                        context.sessionKey, with: stored.bytes, unlessChangedSince: stored.revision)
                }
                return user
            }
        },
        .client("session.events.tokens-are-no-change", "reports every new token") { faulty, _ in
            let relay = Relay()
            faulty.subscribing = { relay.states(of: $0) }
            faulty.onToken = { base async throws(AuthError) in
                let before = base.state.session?.accessToken
                let token = try await base.accessToken()
                if before != nil, before != token { relay.tell(base.state) }
                return token
            }
        },
        .store("session.refresh.waits-for-holder", "gives up after ten seconds") { store in store.lockTimeout = .seconds(10) },
        .client("linking.anonymous.sign-up-interrupted", "throws an error after a success") { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                let isGuest = base.state.session?.user.isAnonymous == true
                let step = try await base.signUp(with: credential, displayName: name)
                guard isGuest, name != nil, let session = step.session ?? base.state.session, session.user.displayName == nil
                else { return step }
                do throws(AuthError) { try await base.signOut(.local, discardingAnonymousUser: true) } catch {}
                throw AuthError(.serverUnavailable, "The name could not be set.", retry: .now)
            }
        },
        .keepingPassword("stores the password") { Array(JSON.object(["value": .string($0), "version": 1]).text().utf8) },
        .keepingPassword("stores the password in JSON within JSON") { password in
            let note = JSON.object(["password": .string(password)]).text()
            return Array(JSON.object(["value": .string(note), "version": 1]).text().utf8)
        },
        .keepingPassword("stores the password in Base64 within a longer value") {
            Array(JSON.object(["value": .string(Base64.encode(Array("user:\($0)!".utf8))), "version": 1]).text().utf8)
        },
        .keepingPassword("stores the password as a list of numbers") { password in
            Array(JSON.object(["value": .array(password.utf8.map { .int(Int64($0)) }), "version": 1]).text().utf8)
        },
    ]
}

extension Mutant<World> {
    /// Creates a mutant that stores the password of a sign-up, in the format of `note`.
    fileprivate static func keepingPassword(_ summary: String, _ note: @escaping @Sendable (String) -> [UInt8]) -> Mutant<World> {
        .client("privacy.password-not-stored", summary) { faulty, context in
            let key = StoreKey(provider: context.adapter.name, backend: context.adapter.backend, slot: .signOut)
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                let step = try await base.signUp(with: credential, displayName: name)
                guard let password = credential as? PasswordCredential else { return step }
                let stored = (try? await context.store.load(key)) ?? nil
                _ = try? await context.store.replace(
                    key, with: note(password.password.reveal()), unlessChangedSince: stored?.revision)
                return step
            }
        }
    }
}

/// Forwards states from the client and from the mutant to subscribers.
private final class Relay: Sendable {
    private let subscribers = Mutex<[AsyncStream<AuthState>.Continuation]>([])

    func states(of client: any PortableClient) -> AsyncStream<AuthState> {
        let (stream, subscriber) = AsyncStream<AuthState>.makeStream(bufferingPolicy: .bufferingNewest(16))
        subscribers.withLock { $0.append(subscriber) }
        let states = client.states
        let task = Task {
            for await state in states { subscriber.yield(state) }
            subscriber.finish()
        }
        subscriber.onTermination = { _ in task.cancel() }
        return stream
    }

    func tell(_ state: AuthState) {
        for subscriber in subscribers.withLock({ $0 }) { subscriber.yield(state) }
    }
}
