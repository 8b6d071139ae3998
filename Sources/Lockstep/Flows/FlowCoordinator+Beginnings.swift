internal import LockstepPrimitives
internal import Synchronization

extension FlowCoordinator {
    /// Creates an account, or makes the anonymous user permanent.
    func signUp<C: Credential>(
        with credential: C, displayName: String?, metadata: JSONObject
    ) async throws(AuthError) -> AuthStep {
        // `null` removes a member, but a new user has no members to remove.
        let metadata = JSONObject(metadata.filter { !$0.value.isNull }.map { ($0.name, $0.value) })
        if !metadata.isEmpty { try checkMetadata(for: C.self) }
        return try await sessions.call("signUp") { () async throws(AuthError) in
            let profile = SignUpProfile(
                displayName: displayName.map { $0.trimmingPlainSpace() }.flatMap { $0.isEmpty ? nil : $0 },
                metadata: metadata)
            let isGuest = if case .anonymous = self.sessions.state { true } else { false }
            let step =
                isGuest
                ? try await self.enter(with: credential, otherwise: .signUp(profile))
                : try await self.makeAccount(with: credential, profile)
            return isGuest ? await self.adding(profile, after: step) : step
        }
    }

    /// Checks that a sign-up with this type of credential accepts metadata.
    private func checkMetadata<C: Credential>(for type: C.Type) throws(AuthError) {
        guard adapter.profile?.acceptsMetadata == true else { throw context.unsupported(.userMetadata) }
        guard let strategy = adapter.signIn.strategy(for: C.self) else { throw context.unsupported(C.capability) }
        if case .anonymous = sessions.state { return }
        guard strategy.acceptsMetadata else {
            throw AuthError(
                .unsupported,
                "\(adapter.name) does not accept metadata in a sign-up with \(C.capability). Sign up without metadata, then call account.update(metadata:)."
            )
        }
    }

    /// Creates an account, or continues with the account that a sign-up with a lost response has created.
    ///
    /// If a backend reveals known addresses, it rejects the repeated call because of the caller's own new account. If
    /// the password belongs to that account, the client signs in, and the same steps follow. Every other caller gets
    /// the error. The client remembers such a sign-up only until the app ends. After a relaunch, the caller gets the
    /// error.
    private func makeAccount<C: Credential>(with credential: C, _ profile: SignUpProfile) async throws(AuthError) -> AuthStep {
        guard C.self == PasswordCredential.self, let address = (try? credential.normalized())?.identifier?.lowercased() else {
            return try await begin(credential, for: .signUp(profile), kind: .signIn)
        }
        return try await makeAccount(at: address, with: credential, profile) { () async throws(AuthError) in
            try await self.begin(credential, for: .signUp(profile), kind: .signIn) {
                [weak self] attempt async throws(AuthError) in
                guard let self else { throw AuthError.cancelled }
                return try await self.makeAccount(at: address, with: credential, profile, by: attempt)
            }
        }
    }

    private func makeAccount<C: Credential>(
        at address: String, with credential: C, _ profile: SignUpProfile, by attempt: Attempt
    ) async throws(AuthError) -> AuthStep {
        func answered() { sessions.change { if $0.flows.unansweredSignUp == address { $0.flows.unansweredSignUp = nil } } }
        do throws(AuthError) {
            let step = try await attempt()
            // The backend asks for a captcha before it creates an account.
            if step.accepts != [.captcha] { answered() }
            return step
        } catch {
            let (isRepeated, former) = context.state.withLock { ($0.flows.unansweredSignUp == address, $0.session?.user.id) }
            if error.code.leavesOpen { sessions.change { $0.flows.unansweredSignUp = address } }
            guard isRepeated, error.code == .emailAlreadyInUse else { throw error }
            do throws(AuthError) {
                let step = try await begin(credential, for: .signIn, kind: .signIn)
                answered()
                // If another step follows, the current session may still be the previous user's session.
                let isEntered = step.session != nil || context.state.withLock { $0.session?.user.id } != former
                return isEntered ? await adding(profile, after: step) : step
            } catch let refusal {
                // The app called sign-up, so it cannot act on the reason why the sign-in was rejected.
                throw refusal.isVerdict ? error : refusal
            }
        }
    }

    /// Adds the name and the metadata of a sign-up to a user.
    ///
    /// It is needed after a call that accepts no profile: a link or a sign-in.
    ///
    /// Even if this fails, the sign-up has succeeded: after an error, the app would repeat it and create another user.
    private func adding(_ profile: SignUpProfile, after step: AuthStep) async -> AuthStep {
        if case .identityConflict = step { return step }
        guard let feature = adapter.profile, let user = context.state.withLock({ $0.session })?.user else { return step }
        let name = user.displayName == nil ? profile.displayName : nil
        let metadata = profile.metadata.filter { feature.acceptsMetadata && user.metadata?[$0.name] != $0.value }
        guard name != nil || !metadata.isEmpty else { return step }
        let update = ProfileChanges(
            displayName: name, metadata: metadata.isEmpty ? nil : JSONObject(metadata.map { ($0.name, $0.value) }))
        do throws(AuthError) {
            let updated = try await shielded { [changes] () async throws(AuthError) in try await changes.update(update) }
            return step.session == nil ? step : .complete(updated)
        } catch {
            effects.report(.profileUpdateFailed, [.code: error.code.rawValue])
            return step
        }
    }

    /// Signs in, or links the credential to the anonymous user.
    func signIn<C: Credential>(with credential: C, discardingAnonymousUser: Bool) async throws(AuthError) -> AuthStep {
        try await sessions.call("signIn") { () async throws(AuthError) in
            if discardingAnonymousUser, C.self != AnonymousCredential.self {
                return try await self.begin(credential, for: .signIn, kind: .signIn)
            }
            return try await self.enter(with: credential, otherwise: .signIn)
        }
    }

    private func enter<C: Credential>(with credential: C, otherwise purpose: CredentialPurpose) async throws(AuthError)
        -> AuthStep
    {
        guard case .anonymous(let guest) = sessions.state else { return try await begin(credential, for: purpose, kind: .signIn) }
        if C.self == AnonymousCredential.self { return .complete(guest) }
        do throws(AuthError) {
            return try await begin(credential, kind: .linking) { .link(to: $0) }
        } catch  where error.code == .unsupported && adapter.signIn.strategy(for: C.self) != nil {
            throw AuthError(
                .anonymousUserWouldBeLost,
                "\(adapter.name) cannot link this credential to the anonymous user. To discard that user, sign out with discardingAnonymousUser: true.",
                remedies: [.linkAnonymousUser], underlying: error)
        }
    }

    /// Requests the message with which the user replaces a forgotten password.
    func requestPasswordReset(email: String) async throws(AuthError) -> AuthStep {
        guard let feature = adapter.passwordReset else { throw context.unsupported(.passwordReset) }
        let address = try EmailAddress(email).text
        return try await sessions.call("requestPasswordReset") { () async throws(AuthError) in
            try await self.beginFlow(.passwordReset, kind: .passwordReset, identifier: address) {
                memory async throws(AuthError) in
                try await feature.begin(email: address, in: memory)
            }
        }
    }

    // MARK: Flows

    /// Starts a flow that does not need a signed-in user.
    func beginFlow(
        _ capability: Capability, kind: Flow.Kind, identifier: String?,
        _ step: @escaping @Sendable (FlowMemory) async throws(AuthError) -> AuthStep
    ) async throws(AuthError) -> AuthStep {
        try await run(try await newMemory(capability, kind: kind, identifier: identifier), step)
    }

    /// Starts a flow of the signed-in user.
    ///
    /// Only a session of this user can complete it.
    func beginUsersFlow(
        _ capability: Capability, kind: Flow.Kind, identifier: String?,
        _ step: @escaping @Sendable (FlowMemory, Session) async throws(AuthError) -> AuthStep
    ) async throws(AuthError) -> AuthStep {
        let session = try await sessions.validSession()
        return try await runAsUser(try await newMemory(capability, kind: kind, identifier: identifier, of: session.user.id), step)
    }

    /// Starts a change of the signed-in user's email address because the app asked for it.
    func changeEmail(to email: String) async throws(AuthError) -> AuthStep {
        guard let feature = adapter.emailChange else { throw context.unsupported(.emailChange) }
        let address = try EmailAddress(email).text
        return try await sessions.call("account.changeEmail") { () async throws(AuthError) in
            try await beginUsersFlow(.emailChange, kind: .emailChange, identifier: address) {
                memory, session async throws(AuthError) in
                try await feature.begin(email: address, of: session, in: memory)
            }
        }
    }

    /// Returns the strategy for a credential and a purpose.
    private func strategy<C: Credential>(
        for type: C.Type, _ purpose: CredentialPurpose?
    ) throws(AuthError) -> any SignInStrategy<C> {
        guard let strategy = adapter.signIn.strategy(for: C.self) else { throw context.unsupported(C.capability) }
        guard let purpose, !strategy.supports(purpose) else { return strategy }
        throw AuthError(
            .unsupported,
            "\(adapter.name) does not accept the credential \(C.capability) for this user and purpose. See the client's signInMethods, signUpMethods, account.linkMethods and account.reauthenticationMethods."
        )
    }

    func begin<C: Credential>(
        _ credential: C, for purpose: CredentialPurpose, kind: Flow.Kind,
        repeating: Repetition? = nil
    ) async throws(AuthError) -> AuthStep {
        let strategy = try strategy(for: C.self, purpose)
        let credential = try credential.normalized()
        let memory = try await newMemory(C.capability, kind: kind, identifier: credential.identifier)
        return try await run(memory, repeating: repeating) { memory async throws(AuthError) in
            try await strategy.begin(credential, for: purpose, in: memory)
        }
    }

    /// Uses a credential for the current session.
    func begin<C: Credential>(
        _ credential: C, kind: Flow.Kind, for purpose: @escaping @Sendable (Session) -> CredentialPurpose
    ) async throws(AuthError) -> AuthStep {
        let strategy = try strategy(for: C.self, context.state.withLock { $0.session }.map(purpose))
        let credential = try credential.normalized()
        return try await beginUsersFlow(C.capability, kind: kind, identifier: credential.identifier) {
            memory, session async throws(AuthError) in
            try await strategy.begin(credential, for: purpose(session), in: memory)
        }
    }

    /// Returns the memory of a new flow, or of an interrupted call that is now repeated.
    ///
    /// If this is the sign-in to the other account after a conflict, the memory contains the conflict's verification.
    ///
    /// - `user`: The owner of the flow, if a user is signed in.
    private func newMemory(
        _ capability: Capability, kind: Flow.Kind, identifier: String?, of user: String? = nil
    ) async throws(AuthError) -> FlowMemory {
        let fingerprint = FlowMemory.fingerprint(capability, kind, identifier)
        let (ordinal, interrupted, notes) = context.state.withLock { state in
            state.flows.lastOrdinal += 1
            return (
                state.flows.lastOrdinal,
                fingerprint.isEmpty || state.flows.interrupted?.fingerprint != fingerprint
                    ? nil : state.flows.interrupted?.memory,
                user == nil ? state.notesOfConflict(for: fingerprint, on: effects.clock) : [:]
            )
        }
        let flow = Flow(id: effects.randomness.uuid(), kind: kind, capability: capability, startedAt: effects.clock.now)
        let contents = FlowMemory.Contents(flow: flow, notes: notes, user: user, address: user == nil ? identifier : nil)
        return FlowMemory(
            interrupted ?? contents, device: try await sessions.deviceNotes(), ordinal: ordinal,
            fingerprint: fingerprint, session: context.state.withLock { $0.session })
    }
}

extension AuthError.Code {
    /// Whether the backend may have made the requested change in spite of this error.
    var leavesOpen: Bool { [.network, .timedOut, .serverUnavailable, .invalidResponse, .cancelled].contains(self) }
}
