internal import LockstepCrypto
internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Makes a new account.
    ///
    /// On a guest's session the guest becomes that account and keeps the user id, where the provider can do that. A name that
    /// cannot be set afterwards is reported by the event `profile.update-failed`: the session has none then, and `account.update`
    /// sets it.
    ///
    /// - Returns: the session, or the next step: most backends want the address proven first.
    /// - Throws: `invalidEmail`, `weakPassword`, `emailAlreadyInUse` (only where the backend reveals it), `notEnabled`,
    ///   `unsupported`, `messageNotSent` (the account is there; the same call again, or a sign-in, sends at once)… Where the call
    ///   had made the account before it failed, ``AuthError/completed`` says so, and the same call again continues there.
    @concurrent
    public func signUp<C: Credential>(with credential: C, displayName: String? = nil) async throws(AuthError) -> SignInStep {
        try await call("signUp") { () async throws(AuthError) in
            let profile = Profile(displayName: displayName.map { $0.trimmingPlainSpace() }.flatMap { $0.isEmpty ? nil : $0 })
            let isGuest = if case .anonymous = self.state { true } else { false }
            let step = try await self.enter(with: credential, otherwise: .signUp(profile))
            guard isGuest, let name = profile.displayName else { return step }
            return await self.naming(name, after: step)
        }
    }

    /// Gives a guest who has become a user the name of the sign-up: linking knows no profile.
    ///
    /// The sign-up has succeeded, with the name or without.
    private func naming(_ name: String, after step: SignInStep) async -> SignInStep {
        if case .identityConflict = step { return step }
        guard adapter.profile != nil, let session = core.withLock({ $0.session }), session.user.displayName == nil else {
            return step
        }
        do throws(AuthError) {
            let named = try await account.updated(ProfileChanges(displayName: name))
            return step.session == nil ? step : .complete(named)
        } catch {
            tell(.profileUpdateFailed, [.code: error.code.rawValue])
            return step
        }
    }

    /// Signs in.
    ///
    /// On a guest's session the credential is linked to the guest, where the provider can do that; on any other session it
    /// replaces the user. It never adds a credential to a user who is not a guest: that is `account.link`.
    ///
    /// It takes effect at once, also where the store cannot be written: ``persistence`` says whether a relaunch will find it.
    ///
    /// - Throws: `invalidCredentials`, `userDisabled`, `notEnabled`, `unsupported`, `guestWouldBeLost`…; state and store are as
    ///   they were then.
    @concurrent
    public func signIn<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep {
        try await call("signIn") { () async throws(AuthError) in try await self.enter(with: credential, otherwise: .signIn) }
    }

    private func enter<C: Credential>(with credential: C, otherwise purpose: Purpose) async throws(AuthError) -> SignInStep {
        guard case .anonymous(let guest) = state else { return try await begin(credential, for: purpose, kind: .signIn) }
        if C.self == AnonymousCredential.self { return .complete(guest) }
        do throws(AuthError) {
            return try await begin(credential, kind: .linking) { .link(to: $0) }
        } catch  where error.code == .unsupported && adapter.signIn.strategy(for: C.self) != nil {
            throw AuthError(
                .guestWouldBeLost,
                "\(adapterName) cannot link this credential to the guest. Sign out with discardingGuest: true first, if the guest may be lost.",
                remedies: [.linkGuest], underlying: error)
        }
    }

    /// Asks for the message that lets the user replace a forgotten password.
    ///
    /// What follows goes through ``proceed(_:with:)`` or ``handle(_:)``: the proof, then the new password, then the session. Where the
    /// backend's own page takes the new password the challenge says so (``Challenge/ending``): the user signs in afterwards.
    @concurrent
    public func requestPasswordReset(email: String) async throws(AuthError) -> SignInStep {
        guard let power = adapter.passwordReset else { throw unsupported(.passwordReset) }
        let address = try EmailAddress(email).text
        return try await call("requestPasswordReset") { () async throws(AuthError) in
            try await self.beginFlow(.passwordReset, kind: .passwordReset, identifier: address) {
                memory async throws(AuthError) in
                try await power.begin(email: address, in: memory)
            }
        }
    }

    /// Sends the link or code of a flow again.
    ///
    /// - Throws: `tooManyRequests` before ``Challenge/resendAvailableAt``, with the time left, without a request; `messageNotSent`.
    @concurrent
    @discardableResult
    public func resend(_ flow: Flow) async throws(AuthError) -> Challenge {
        try await call("resend") { () async throws(AuthError) in
            let record = try self.record(of: flow)
            guard let challenge = record.step?.challenge, let available = challenge.resendAvailableAt else {
                throw AuthError(.answerNotAccepted, "This step sends no message, so there is nothing to send again.")
            }
            let left = available - self.effects.clock.now
            guard left <= .zero else {
                throw AuthError(
                    .tooManyRequests, "The message can be sent again in \(left). Show a countdown.", retry: .after(left))
            }
            let senders = self.adapter.verification.filter { strategy in
                challenge.ending != nil || challenge.accepts.contains { strategy.takes($0, in: flow.kind) }
            }
            for sender in senders {
                do throws(AuthError) {
                    let step = try await self.goOn(with: record) { memory async throws(AuthError) in
                        .verify(try await sender.prepare(memory))
                    }
                    guard case .verify(let challenge) = step else { break }
                    return challenge
                } catch  where error.code == .unsupported {}
            }
            throw AuthError(.unsupported, "\(self.adapterName) cannot send this message again.")
        }
    }

    /// Leaves a flow; a session that is there stays.
    @concurrent
    public func cancel(_ flow: Flow) async throws(AuthError) {
        try await call("cancel") { () async throws(AuthError) in
            _ = try self.record(of: flow)
            self.change { core in
                core.pending = nil
                core.interrupted = nil
                core.lastOrdinal += 1
                core.currentOrdinal = core.lastOrdinal
                self.askForProof(&core)
            }
            await self.persist(.flow)
        }
    }

    // MARK: Running

    /// Begins a flow that needs no signed-in user.
    func beginFlow(
        _ capability: Capability, kind: Flow.Kind, identifier: String,
        _ step: @escaping @Sendable (FlowMemory) async throws(AuthError) -> SignInStep
    ) async throws(AuthError) -> SignInStep {
        try await run(try await newMemory(capability, kind: kind, identifier: identifier), step)
    }

    /// Begins a flow of the signed-in user, whose session alone can end it.
    func beginUsersFlow(
        _ capability: Capability, kind: Flow.Kind, identifier: String?,
        _ step: @escaping @Sendable (FlowMemory, Session) async throws(AuthError) -> SignInStep
    ) async throws(AuthError) -> SignInStep {
        let session = try await validSession()
        return try await runAsUser(try await newMemory(capability, kind: kind, identifier: identifier, of: session.user.id), step)
    }

    func begin<C: Credential>(_ credential: C, for purpose: Purpose, kind: Flow.Kind) async throws(AuthError) -> SignInStep {
        guard let strategy = adapter.signIn.strategy(for: C.self) else { throw unsupported(C.capability) }
        let credential = try credential.normalized()
        let memory = try await newMemory(C.capability, kind: kind, identifier: credential.identifier)
        return try await run(memory) { memory async throws(AuthError) in
            try await strategy.begin(credential, for: purpose, in: memory)
        }
    }

    /// Uses a credential for the current session.
    func begin<C: Credential>(
        _ credential: C, kind: Flow.Kind, for purpose: @escaping @Sendable (Session) -> Purpose
    ) async throws(AuthError) -> SignInStep {
        guard let strategy = adapter.signIn.strategy(for: C.self) else { throw unsupported(C.capability) }
        let credential = try credential.normalized()
        return try await beginUsersFlow(C.capability, kind: kind, identifier: credential.identifier) {
            memory, session async throws(AuthError) in
            try await strategy.begin(credential, for: purpose(session), in: memory)
        }
    }

    /// The record of the flow in progress.
    func record(of flow: Flow) throws(AuthError) -> FlowRecord {
        let pending = core.withLock { $0.pending }
        guard let pending else {
            throw AuthError(.flowNotFound, "This flow has ended, or was never begun on this device.", remedies: [.startAgain])
        }
        guard pending.memory.flow.id == flow.id else {
            throw AuthError(.flowAbandoned, "A newer flow took this one's place. Go on with that one.", remedies: [.startAgain])
        }
        return pending
    }

    /// The memory of a new flow, or of an interrupted call that is repeated now.
    ///
    /// - Parameter user: the owner of the flow, where a user is signed in.
    private func newMemory(
        _ capability: Capability, kind: Flow.Kind, identifier: String?, of user: String? = nil
    ) async throws(AuthError) -> FlowMemory {
        let text = [capability.rawValue, kind.rawValue, identifier?.lowercased() ?? ""].joined(separator: "\n")
        let fingerprint = identifier == nil ? "" : Hex.encode(HashFunction.sha256.digest(Array(text.utf8)))
        let (ordinal, interrupted) = core.withLock { core in
            core.lastOrdinal += 1
            return (
                core.lastOrdinal,
                fingerprint.isEmpty || core.interrupted?.fingerprint != fingerprint ? nil : core.interrupted?.memory
            )
        }
        let flow = Flow(id: effects.randomness.uuid(), kind: kind, capability: capability, startedAt: effects.clock.now)
        let contents = FlowMemory.Contents(flow: flow, user: user, address: user == nil ? identifier : nil)
        return FlowMemory(
            interrupted ?? contents, device: try await deviceNotes(), ordinal: ordinal,
            fingerprint: fingerprint, session: core.withLock { $0.session })
    }

    /// Continues a flow: with the user's session where the flow is about that user.
    func goOn(
        with record: FlowRecord, _ step: @escaping @Sendable (FlowMemory) async throws(AuthError) -> SignInStep
    ) async throws(AuthError) -> SignInStep {
        let session = core.withLock { $0.session }
        let memory = FlowMemory(
            record.memory, device: try await deviceNotes(), ordinal: record.ordinal, fingerprint: record.fingerprint,
            session: session)
        // A session that this flow replaces need not be valid: a refresh that fails must not prevent a sign-in.
        guard session != nil, ![.signIn, .passwordReset].contains(record.memory.flow.kind) else {
            return try await run(memory, step)
        }
        return try await runAsUser(memory) { memory, _ async throws(AuthError) in try await step(memory) }
    }

    private func run(
        _ memory: FlowMemory, _ step: @escaping @Sendable (FlowMemory) async throws(AuthError) -> SignInStep
    ) async throws(AuthError) -> SignInStep {
        try await run(memory) { late async throws(AuthError) in
            try await self.ask(late: late) { () async throws(AuthError) in try await step(memory) }
        }
    }

    private func runAsUser(
        _ memory: FlowMemory, _ step: @escaping @Sendable (FlowMemory, Session) async throws(AuthError) -> SignInStep
    ) async throws(AuthError) -> SignInStep {
        try await run(memory) { late async throws(AuthError) in
            try await self.asUser { session async throws(AuthError) in
                memory.use(session)
                return try await self.ask(late: late) { () async throws(AuthError) in try await step(memory, session) }
            }
        }
    }

    /// Runs one step of a flow, and keeps the adapter's notes, also when it failed.
    ///
    /// - Parameter asked: asks the adapter, and gets the handler for a step that comes too late.
    private func run(
        _ memory: FlowMemory,
        asked: @Sendable (@escaping @Sendable (SignInStep) async -> Void) async throws(AuthError) -> SignInStep
    ) async throws(AuthError) -> SignInStep {
        let generation = core.withLock { $0.generation }
        do throws(AuthError) {
            let next = try await asked { step in await self.takeLate(step, memory, generation) }
            await saveDeviceNotes(of: memory)
            return try await apply(next, memory, generation)
        } catch {
            await saveDeviceNotes(of: memory)
            await keepProgress(of: memory)
            var error = error
            error.completed = memory.completed
            // Completed parts are not repeated: the same call continues after them.
            if !error.completed.isEmpty, error.remedies.isEmpty { error.remedies = [.startAgain] }
            throw error
        }
    }
}
