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
            guard case .anonymous(let guest) = self.sessions.state else {
                return try await self.makeAccount(with: credential, profile)
            }
            return await self.adding(profile, after: try await self.link(credential, to: guest))
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
            return try await submit(credential, to: .signUp(profile))
        }
        return try await makeAccount(at: address, with: credential, profile) { () async throws(AuthError) in
            try await self.submit(credential, to: .signUp(profile)) {
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
                let step = try await submit(credential, to: .signIn)
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
            if case .anonymous(let guest) = self.sessions.state, !discardingAnonymousUser || C.self == AnonymousCredential.self {
                return try await self.link(credential, to: guest)
            }
            return try await self.submit(credential, to: .signIn)
        }
    }

    private func link<C: Credential>(_ credential: C, to guest: Session) async throws(AuthError) -> AuthStep {
        if C.self == AnonymousCredential.self { return .complete(guest) }
        do throws(AuthError) {
            return try await submit(credential, to: .link)
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
            try await self.begin(.passwordReset, kind: .passwordReset, identifier: address) { memory async throws(AuthError) in
                try await feature.begin(email: address, in: memory)
            }
        }
    }

    /// Starts a change of the signed-in user's email address because the app asked for it.
    func changeEmail(to email: String) async throws(AuthError) -> AuthStep {
        guard let feature = adapter.emailChange else { throw context.unsupported(.emailChange) }
        let address = try EmailAddress(email).text
        return try await sessions.call("account.changeEmail") { () async throws(AuthError) in
            try await begin(.emailChange, kind: .emailChange, identifier: address) { memory async throws(AuthError) in
                try await feature.begin(email: address, of: try memory.userSession(), in: memory)
            }
        }
    }

    // MARK: Flows

    /// Starts a flow with a credential.
    func submit<C: Credential>(
        _ credential: C, to use: CredentialUse, repeating: Repetition? = nil
    ) async throws(AuthError) -> AuthStep {
        guard let strategy = adapter.signIn.strategy(for: C.self) else { throw context.unsupported(C.capability) }
        if let purpose = use.purpose(of: context.state.withLock { $0.session }), !strategy.supports(purpose) {
            throw AuthError(
                .unsupported,
                "\(adapter.name) does not accept the credential \(C.capability) for this user and purpose. See the client's signInMethods, signUpMethods, account.linkMethods and account.reauthenticationMethods."
            )
        }
        let credential = try credential.normalized()
        return try await begin(C.capability, kind: use.kind, identifier: credential.identifier, repeating: repeating) {
            memory async throws(AuthError) in
            guard let purpose = use.purpose(of: memory.session) else { throw .notSignedIn }
            return try await strategy.begin(credential, for: purpose, in: memory)
        }
    }

    /// Starts a flow, or continues an interrupted call that is now repeated.
    ///
    /// Only a session of the signed-in user can complete a flow of this user. If this is the sign-in to the other account
    /// after a conflict, the flow's memory contains the conflict's verification.
    func begin(
        _ capability: Capability, kind: Flow.Kind, identifier: String?, repeating: Repetition? = nil,
        _ request: @escaping Request
    ) async throws(AuthError) -> AuthStep {
        let user: String? = kind.isOfSignedInUser ? try await sessions.validSession().user.id : nil
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
        let memory = FlowMemory(
            interrupted ?? contents, device: try await sessions.deviceNotes(), ordinal: ordinal,
            fingerprint: fingerprint, session: context.state.withLock { $0.session })
        return try await run(memory, asUser: user != nil, repeating: repeating, request)
    }
}

/// The use of a credential.
///
/// Its purpose also contains the user's session, which is known only when the request is sent.
enum CredentialUse: Sendable {
    case signIn
    case signUp(SignUpProfile)
    case link
    case reauthentication

    var kind: Flow.Kind {
        switch self {
        case .signIn, .signUp: .signIn
        case .link: .linking
        case .reauthentication: .reauthentication
        }
    }

    /// Returns the purpose; `nil` if a session is needed and there is none.
    func purpose(of session: Session?) -> CredentialPurpose? {
        switch self {
        case .signIn: .signIn
        case .signUp(let profile): .signUp(profile)
        case .link: session.map { .link(to: $0) }
        case .reauthentication: session.map { .reauthenticate($0) }
        }
    }
}

extension AuthError.Code {
    /// Whether the backend may have made the requested change in spite of this error.
    var leavesOpen: Bool { [.network, .timedOut, .serverUnavailable, .invalidResponse, .cancelled].contains(self) }
}
