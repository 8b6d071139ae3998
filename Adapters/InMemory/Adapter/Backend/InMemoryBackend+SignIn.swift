internal import Lockstep
internal import LockstepPrimitives

extension InMemoryBackend {
    /// Rejects a request without the captcha that the project requires.
    func requireCaptcha(_ token: Secret?, at kind: InMemoryRequestKind) throws(AuthError) {
        guard let captcha, captcha.kinds.contains(kind), token != captcha.token else { return }
        throw AuthError(
            .captchaRequired, "The project requires a captcha.", remedies: [.captcha],
            provider: ProviderDetail(code: "captcha_failed", status: 400))
    }

    /// Signs up with one request: account, name and message.
    func signUp(
        email: String, password: Secret, profile: SignUpProfile, captcha: Secret?
    ) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.signUp, sends: settings.behavior.signUpProof == .required) { backend throws(AuthError) in
            try backend.requireCaptcha(captcha, at: .signUp)
            if let known = try backend.known(email, at: password) { return known }
            let userID = backend.make(email: email, password: password, profile: profile)
            return try backend.afterPassword(userID, device: nil)
        }
    }

    /// Sends the first of several requests: only the account, with a session.
    func register(email: String, password: Secret, captcha: Secret?) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.signUp) { backend throws(AuthError) in
            try backend.requireCaptcha(captcha, at: .signUp)
            _ = try backend.known(email, at: password)
            return try backend.newSession(for: backend.make(email: email, password: password, profile: SignUpProfile()))
        }
    }

    /// Sends the last of several requests: the message.
    func askForProof(_ access: Secret) async throws(AuthError) -> InMemoryProofTicket {
        try await exchange(.other, sends: true) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            let address = backend.accounts[session.userID]?.user.email ?? ""
            return try backend.newProof(.confirmation, address, userID: session.userID, sessionID: session.id)
        }
    }

    /// Returns the outcome of a sign-up with an address that already has an account.
    private func known(_ email: String, at password: Secret) throws(AuthError) -> InMemoryOutcome? {
        try refuseIfOff(.password)
        try refuseWeak(password)
        guard let account = account(byEmail: email) else { return nil }
        if settings.givesLimitedSession || account.user.isEmailVerified && settings.behavior.knownAddressAtSignUp == .refused {
            throw AuthError(
                .emailAlreadyInUse, "Another account uses this address.", remedies: [.signIn],
                provider: ProviderDetail(code: "email_exists", status: 422))
        }
        // An unverified account gets another message, and a verified one does not. The response does not reveal which.
        let userID = account.user.isEmailVerified ? nil : account.user.id
        if let userID, settings.behavior.passwordOfUnprovenAccount == .latest { accounts[userID]?.password = password }
        return .unverified(try newProof(.confirmation, email, userID: userID, sessionID: nil), nil)
    }

    private func make(email: String, password: Secret, profile: SignUpProfile) -> String {
        let address = email.lowercased()
        let id = "u-" + randomness.text(12)
        accounts[id] = InMemoryAccountRecord(
            user: User(
                id: id, email: address, isEmailVerified: settings.behavior.signUpProof == .automatic,
                displayName: profile.displayName,
                identities: [Identity(id: "email:\(address)", provider: .email, email: address)], createdAt: clock.now,
                metadata: profile.metadata.isEmpty ? nil : profile.metadata),
            password: password)
        return id
    }

    func signIn(
        email: String, password: Secret, device: Secret?, captcha: Secret?
    ) async throws(AuthError) -> InMemoryOutcome {
        // The account decides whether this sends a message. The caller must not learn this before the password is
        // correct.
        try await exchange(.signIn, unknownStep: { .unknownStep($0) }) { backend throws(AuthError) in
            try backend.requireCaptcha(captcha, at: .signIn)
            try backend.refuseIfOff(.password)
            guard let account = backend.account(byEmail: email) else {
                if backend.settings.behavior.unknownAddressAtSignIn == .told {
                    throw AuthError(
                        .userNotFound, "No account uses this address.",
                        provider: ProviderDetail(code: "user_not_found", status: 404))
                }
                throw backend.wrongPassword
            }
            guard account.password == password else { throw backend.wrongPassword }
            guard !account.isDisabled else { throw backend.disabled }
            return try backend.afterPassword(account.user.id, device: device)
        }
    }

    var wrongPassword: AuthError {
        AuthError(
            .invalidCredentials, "Incorrect e-mail address or password.",
            provider: ProviderDetail(code: "invalid_credentials", status: 400))
    }

    var wrongCurrentPassword: AuthError {
        AuthError(
            .invalidCredentials, "The current password is wrong. Ask the user to type it again.",
            provider: ProviderDetail(code: "invalid_credentials", status: 400))
    }

    /// Returns the outcome of a correct password: a session, or first the verification of the address or the device.
    private func afterPassword(_ userID: String, device: Secret?) throws(AuthError) -> InMemoryOutcome {
        guard let account = accounts[userID] else { throw gone }
        if !account.user.isEmailVerified {
            let grant = settings.givesLimitedSession ? try newSession(for: userID) : nil
            let proof = try newProof(
                .confirmation, account.user.email ?? "", userID: userID, sessionID: grant?.sessionID)
            return .unverified(proof, grant)
        }
        if settings.behavior.newDevice == .asksForCode, settings.behavior.signUpProof == .required,
            !account.devices.contains(device ?? "")
        {
            return .newDevice(try newProof(.newDevice, account.user.email ?? "", userID: userID, sessionID: nil))
        }
        return try admit(userID, device: device)
    }

    /// Signs a user in and remembers the device.
    func admit(_ userID: String, device: Secret?) throws(AuthError) -> InMemoryOutcome {
        try admit(InMemoryWaitingSignIn(userID: userID, device: device ?? secret()))
    }

    /// Signs a user in unless a step is left.
    ///
    /// If a session is being renewed, that session continues.
    func admit(_ waiting: InMemoryWaitingSignIn) throws(AuthError) -> InMemoryOutcome {
        if let step = step(before: waiting) { return step }
        if let id = waiting.renews {
            guard sessions[id]?.isOver == false else { throw gone }
            sessions[id]?.signedInAt = clock.now
            if waiting.isFactorGiven { sessions[id]?.assurance = .twoFactors }
            return .granted(try grant(id), device: waiting.device)
        }
        accounts[waiting.userID]?.devices.insert(waiting.device)
        return .granted(
            try newSession(for: waiting.userID, waiting.isFactorGiven ? .twoFactors : .oneFactor), device: waiting.device)
    }

    func makeGuest() async throws(AuthError) -> InMemoryGrant {
        try await exchange(.signIn) { backend throws(AuthError) in
            try backend.refuseIfOff(.anonymous)
            let id = "u-" + backend.randomness.text(12)
            backend.accounts[id] = InMemoryAccountRecord(user: User(id: id, isAnonymous: true, createdAt: backend.clock.now))
            return try backend.newSession(for: id)
        }
    }
}
