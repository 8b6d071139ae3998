public import Lockstep
public import LockstepPrimitives

extension InMemoryBackend {
    // MARK: Set by an administrator

    /// Makes a user who can sign in by a code to this number.
    ///
    /// - Returns: the user's id.
    @discardableResult
    public func create(phone: String) -> String {
        let id = "u-" + randomness.text(12)
        accounts[id] = InMemoryAccountRecord(user: User(id: id, phone: phone, createdAt: clock.now))
        return id
    }

    /// Makes a ticket that signs a user in once.
    public func ticket(for userID: String) -> Secret {
        let ticket = secret()
        tickets[ticket] = userID
        return ticket
    }

    /// Gives a user an authenticator app, whose code stays the same, and two backup codes.
    ///
    /// - Returns: the codes.
    public func addFactor(to userID: String) -> (code: Secret, backupCodes: [Secret]) {
        let code = Secret(randomness.text(6, of: "0123456789"))
        let backup = [secret(), secret()]
        let app = InMemoryApp(id: "app", code: code)
        change(userID) { $0.factors = InMemoryFactors(apps: [app], backupCodes: Set(backup)) }
        return (code, backup)
    }

    /// The code that an authenticator app shows for the key of an enrolment, always the same; `nil` for an unknown key.
    public func code(forFactorKey key: Secret) -> Secret? { factorCodes[key] }

    /// The user's next sign-in asks for a new password.
    public func demandNewPassword(of userID: String) { change(userID) { $0.needsNewPassword = true } }

    /// From now on sign-ins of users without this field stop at `moreInformation`.
    public func demand(_ field: MissingFieldsStep.Field) { demanded.insert(field) }

    // MARK: Tickets

    func signIn(ticket: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.signIn) { backend throws(AuthError) in
            try backend.refuseIfOff(.ticket)
            guard let userID = backend.tickets.removeValue(forKey: ticket), let account = backend.accounts[userID] else {
                throw AuthError(
                    .invalidCredentials, "The ticket is wrong, or was used.", remedies: [.startAgain],
                    provider: ProviderDetail(code: "bad_ticket", status: 400))
            }
            guard !account.isDisabled else { throw backend.disabled }
            return try backend.admit(userID, device: nil)
        }
    }

    // MARK: Steps after the first factor

    /// The step that a user has to take before there is a session; `nil` where none is left.
    func step(before waiting: InMemoryWaitingSignIn) -> InMemoryOutcome? {
        guard let account = accounts[waiting.userID] else { return nil }
        let missing = demanded.subtracting(account.given.keys)
        let outcome: (Secret) -> InMemoryOutcome
        if let factors = account.factors, !waiting.isFactorGiven {
            let hasBackup = !factors.backupCodes.isEmpty && settings.capabilities.contains(.backupCode)
            let backup = hasBackup ? [FactorChoice(id: "backup", kind: .backupCode)] : []
            outcome = { .secondFactor($0, factors.choices + backup) }
        } else if account.needsNewPassword {
            outcome = { .passwordDemanded($0) }
        } else if !missing.isEmpty {
            outcome = { .missingFields($0, missing.sorted { $0.rawValue < $1.rawValue }) }
        } else {
            return nil
        }
        let handle = secret()
        waitingSignIns[handle] = waiting
        return outcome(handle)
    }

    /// Takes the code of a factor: an app's id, or `backup`.
    func give(factorCode code: Secret, of factor: String, to handle: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.other) { backend throws(AuthError) in
            var waiting = try backend.waiting(handle)
            let factors = backend.accounts[waiting.userID]?.factors
            let isBackup = factor == "backup"
            let app = factors?.apps.first { $0.id == factor }
            guard isBackup ? factors?.backupCodes.contains(code) == true : app?.code == code else { throw backend.wrongCode }
            if isBackup { backend.change(waiting.userID) { $0.factors?.backupCodes.remove(code) } }
            waiting.isFactorGiven = true
            return try backend.goOn(handle, waiting)
        }
    }

    func set(demandedPassword password: Secret, for handle: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.other) { backend throws(AuthError) in
            let waiting = try backend.waiting(handle)
            guard backend.isPastFactor(waiting), backend.accounts[waiting.userID]?.needsNewPassword == true else {
                throw backend.noSuchFlow
            }
            try backend.refuseWeak(password)
            backend.change(waiting.userID) { account in
                account.password = password
                account.needsNewPassword = false
            }
            return try backend.goOn(handle, waiting)
        }
    }

    func give(
        fields: [MissingFieldsStep.Field: String], to handle: Secret
    ) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.other) { backend throws(AuthError) in
            let waiting = try backend.waiting(handle)
            guard backend.isPastFactor(waiting) else { throw backend.noSuchFlow }
            backend.change(waiting.userID) { account in
                account.given.merge(fields) { $1 }
                if let name = fields[.lastName] {
                    account.user.displayName = [account.user.displayName, name].compactMap(\.self).joined(separator: " ")
                }
            }
            return try backend.goOn(handle, waiting)
        }
    }

    private func goOn(_ handle: Secret, _ waiting: InMemoryWaitingSignIn) throws(AuthError) -> InMemoryOutcome {
        waitingSignIns[handle] = nil
        return try admit(waiting)
    }

    /// Whether nothing is left of the second factor: only then is anything of the account changed.
    private func isPastFactor(_ waiting: InMemoryWaitingSignIn) -> Bool {
        waiting.isFactorGiven || accounts[waiting.userID]?.factors == nil
    }

    private var wrongCode: AuthError {
        AuthError(
            .invalidCode, "The code is wrong.", remedies: [.enterCode], provider: ProviderDetail(code: "wrong_code", status: 422))
    }

    private var noSuchFlow: AuthError {
        AuthError(
            .flowNotFound, "There is no such flow.", remedies: [.startAgain],
            provider: ProviderDetail(code: "no_such_flow", status: 404))
    }

    private func waiting(_ handle: Secret) throws(AuthError) -> InMemoryWaitingSignIn {
        guard let waiting = waitingSignIns[handle], let account = accounts[waiting.userID] else {
            throw noSuchFlow
        }
        guard !account.isDisabled else { throw disabled }
        return waiting
    }

    // MARK: Factors that users add

    func factors(_ access: Secret) async throws(AuthError) -> (user: String, factors: [FactorChoice]) {
        try await exchange(.user) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            return (session.userID, backend.accounts[session.userID]?.factors?.choices ?? [])
        }
    }

    /// Begins to add an authenticator app.
    ///
    /// - Returns: what the first code is given to, and the key for the app.
    func beginFactor(_ access: Secret, label: String?) async throws(AuthError) -> (handle: Secret, key: Secret) {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            let apps = backend.accounts[session.userID]?.factors?.apps ?? []
            guard label == nil || !apps.contains(where: { $0.label == label }) else {
                throw AuthError(
                    .invalidInput, "The user has an authenticator app of this name: give another.",
                    provider: ProviderDetail(code: "factor_exists", status: 422))
            }
            let (handle, key) = (backend.secret(), backend.secret())
            let code = Secret(backend.randomness.text(6, of: "0123456789"))
            backend.factorCodes[key] = code
            let app = InMemoryApp(id: "app-" + backend.randomness.text(8), label: label, code: code)
            backend.newFactors[handle] = InMemoryNewFactor(sessionID: session.id, app: app)
            return (handle, key)
        }
    }

    func give(firstCode code: Secret, to handle: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.other) { backend throws(AuthError) in
            guard let factor = backend.newFactors[handle], let session = backend.sessions[factor.sessionID], !session.isOver
            else {
                throw backend.noSuchFlow
            }
            guard factor.app.code == code else { throw backend.wrongCode }
            backend.newFactors[handle] = nil
            backend.change(session.userID) { account in
                var factors = account.factors ?? InMemoryFactors(apps: [])
                factors.apps.append(factor.app)
                account.factors = factors
            }
            return .granted(try backend.grant(session.id), device: backend.secret())
        }
    }

    func removeFactor(_ id: String, _ access: Secret) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            guard backend.accounts[session.userID]?.factors?.apps.contains(where: { $0.id == id }) == true else {
                throw AuthError(
                    .invalidInput, "The user has no such second factor.",
                    provider: ProviderDetail(code: "no_such_factor", status: 404))
            }
            backend.change(session.userID) { account in
                account.factors?.apps.removeAll { $0.id == id }
                // Backup codes stand in for a factor, and are none themselves.
                if account.factors?.apps.isEmpty == true { account.factors = nil }
            }
            return try backend.grant(session.id)
        }
    }

    // MARK: Passkeys

    func beginPasskey(addingTo access: Secret?) async throws(AuthError) -> JSON {
        try await exchange(.signIn) { backend throws(AuthError) in
            try backend.refuseIfOff(.passkey)
            let challenge = backend.secret()
            let sessionID: String? = if let access { try backend.session(of: access).id } else { nil }
            backend.passkeyChallenges[challenge] = InMemoryPasskeyChallenge(sessionID: sessionID, startedAt: backend.clock.now)
            return ["challenge": .string(challenge.reveal())]
        }
    }

    /// A key that the sheet made is a text here, and what it signs is that text beside the challenge.
    func end(passkey signed: JSON) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.signIn) { backend throws(AuthError) in
            let challenge = Secret(signed["challenge"]?.string ?? "")
            guard let begun = backend.passkeyChallenges.removeValue(forKey: challenge),
                begun.startedAt + backend.settings.proofLife > backend.clock.now, let key = signed["key"]?.string, !key.isEmpty
            else {
                throw AuthError(
                    .codeExpired, "The passkey's challenge is unknown, was used, or has ended.", remedies: [.startAgain],
                    provider: ProviderDetail(code: "bad_challenge", status: 422))
            }
            if let sessionID = begun.sessionID {
                guard let session = backend.sessions[sessionID], !session.isOver else { throw backend.gone }
                backend.change(session.userID) { $0.passkeys.insert(Secret(key)) }
                return .granted(try backend.grant(sessionID), device: backend.secret())
            }
            guard let account = backend.accounts.values.first(where: { $0.passkeys.contains(Secret(key)) }) else {
                throw AuthError(
                    .invalidCredentials, "No user has this passkey.",
                    provider: ProviderDetail(code: "unknown_passkey", status: 400))
            }
            guard !account.isDisabled else { throw backend.disabled }
            return try backend.admit(account.user.id, device: nil)
        }
    }
}

extension InMemoryFactors {
    /// The apps, as a step offers them.
    var choices: [FactorChoice] { apps.map { FactorChoice(id: $0.id, kind: .authenticatorApp, label: $0.label) } }
}
