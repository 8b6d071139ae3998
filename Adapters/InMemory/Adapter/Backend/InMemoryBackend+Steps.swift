public import Lockstep
public import LockstepPrimitives

extension InMemoryBackend {
    // MARK: Set by an administrator

    /// Creates a user who can sign in with a code by SMS.
    ///
    /// - Parameter phone: The phone number in E.164 form.
    /// - Returns: The user's id.
    @discardableResult
    public func create(phone: String) -> String {
        let id = "u-" + randomness.text(12)
        accounts[id] = InMemoryAccountRecord(user: User(id: id, phone: phone, createdAt: clock.now))
        return id
    }

    /// Creates a ticket that signs a user in once.
    ///
    /// ```swift
    /// _ = try await client.signIn(with: .ticket(await backend.ticket(for: userID)))
    /// ```
    ///
    /// - Parameter userID: The user's id.
    public func ticket(for userID: String) -> Secret {
        let ticket = secret()
        tickets[ticket] = userID
        return ticket
    }

    /// Adds an authenticator app and two backup codes to a user; the app's code never changes.
    ///
    /// ```swift
    /// let codes = await backend.addFactor(to: userID)
    /// if case .secondFactor(let step) = client.pending {
    ///     _ = try await client.respond(to: step.flow, with: .code(codes.code))
    /// }
    /// ```
    public func addFactor(to userID: String) -> (code: Secret, backupCodes: [Secret]) {
        let code = Secret(randomness.text(6, of: "0123456789"))
        let backup = [secret(), secret()]
        let app = InMemoryApp(id: "app", code: code)
        change(userID) { $0.factors = InMemoryFactors(apps: [app], backupCodes: Set(backup)) }
        return (code, backup)
    }

    /// Returns the code that an authenticator app shows for a key; the code never changes.
    ///
    /// - Parameter key: The key that the app received when the user added the factor.
    /// - Returns: The code; `nil` if the key is unknown.
    public func code(forFactorKey key: Secret) -> Secret? { factorCodes[key] }

    /// Makes the backend require a new password at a user's next sign-in.
    public func demandNewPassword(of userID: String) { change(userID) { $0.needsNewPassword = true } }

    /// Makes the backend require a field from now on.
    ///
    /// If a user does not have the field, a sign-in returns the step `moreInformation`.
    public func demand(_ field: MissingFieldsStep.Field) { demanded.insert(field) }

    // MARK: Tickets

    func signIn(ticket: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.signIn) { backend throws(AuthError) in
            try backend.refuseIfOff(.ticket)
            let userID = backend.tickets[ticket]
            if backend.settings.behavior.usedTicket == .refused { backend.tickets[ticket] = nil }
            guard let userID, let account = backend.accounts[userID] else {
                throw AuthError(
                    .invalidCredentials, "The ticket is wrong, or was already used.", remedies: [.startAgain],
                    provider: ProviderDetail(code: "bad_ticket", status: 400))
            }
            guard !account.isDisabled else { throw backend.disabled }
            return try backend.admit(userID, device: nil)
        }
    }

    // MARK: Steps after the first factor

    /// Returns the step that a user must complete before there is a session; `nil` if none is left.
    func step(before waiting: InMemoryWaitingSignIn) -> InMemoryOutcome? {
        guard let account = accounts[waiting.userID] else { return nil }
        let missing = demanded.subtracting(account.given.keys)
        let outcome: (Secret) -> InMemoryOutcome
        if let factors = account.factors, !waiting.isFactorGiven {
            let hasBackup = !factors.backupCodes.isEmpty && settings.capabilities.contains(.backupCode)
            let backup = hasBackup ? [FactorChoice(id: "backup", kind: .backupCode)] : []
            outcome = { .secondFactor($0, factors.choices + backup) }
        } else if waiting.renews != nil {
            return nil
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

    /// Handles the code of a factor: an app by its id, the phone by `phone`, or `backup`.
    func give(factorCode code: Secret, of factor: FactorChoice, to handle: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.other) { backend throws(AuthError) in
            var waiting = try backend.waiting(handle)
            let factors = backend.accounts[waiting.userID]?.factors
            switch factor.kind {
            case .backupCode:
                guard factors?.backupCodes.contains(code) == true else { throw backend.wrongCode }
                backend.change(waiting.userID) { $0.factors?.backupCodes.remove(code) }
            case .phone:
                guard let sent = waiting.sent, sent.code == code else { throw backend.wrongCode }
                guard sent.at + backend.settings.proofLife > backend.clock.now else { throw backend.oldCode }
            default:
                guard factors?.apps.first(where: { $0.id == factor.id })?.code == code else { throw backend.wrongCode }
            }
            waiting.isFactorGiven = true
            return try backend.continueSignIn(handle, waiting)
        }
    }

    /// Sends a code to the phone of the user whose sign-in is waiting.
    func sendFactorCode(to handle: Secret) async throws(AuthError) {
        try await exchange(.other, sends: true) { backend throws(AuthError) in
            var waiting = try backend.waiting(handle)
            guard let phone = backend.accounts[waiting.userID]?.factors?.phone else { throw backend.noSuchFlow }
            if let last = waiting.sent?.at { try backend.refuseTooEarly(last) }
            waiting.sent = (backend.sendCode(to: phone), backend.clock.now)
            backend.waitingSignIns[handle] = waiting
        }
    }

    func sendCode(to phone: String) -> Secret {
        let code = Secret(randomness.text(6, of: "0123456789"))
        sent.append(InMemoryMessage(recipient: phone, link: nil, code: code.reveal(), sentAt: clock.now))
        return code
    }

    private var oldCode: AuthError {
        AuthError(
            .codeExpired, "The code has expired.", remedies: [.resend],
            provider: ProviderDetail(code: "code_expired", status: 422))
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
            return try backend.continueSignIn(handle, waiting)
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
            return try backend.continueSignIn(handle, waiting)
        }
    }

    private func continueSignIn(_ handle: Secret, _ waiting: InMemoryWaitingSignIn) throws(AuthError) -> InMemoryOutcome {
        waitingSignIns[handle] = nil
        return try admit(waiting)
    }

    /// Returns whether the second factor is complete; only then may the account be changed.
    private func isPastFactor(_ waiting: InMemoryWaitingSignIn) -> Bool {
        waiting.isFactorGiven || accounts[waiting.userID]?.factors == nil
    }

    var wrongCode: AuthError {
        AuthError(
            .invalidCode, "The code is wrong.", remedies: [.enterCode], provider: ProviderDetail(code: "wrong_code", status: 422))
    }

    var noSuchFlow: AuthError {
        AuthError(
            .flowNotFound, "The flow no longer exists on the backend. Start again.", remedies: [.startAgain],
            provider: ProviderDetail(code: "no_such_flow", status: 404))
    }

    private func waiting(_ handle: Secret) throws(AuthError) -> InMemoryWaitingSignIn {
        guard let waiting = waitingSignIns[handle], let account = accounts[waiting.userID] else {
            throw noSuchFlow
        }
        guard !account.isDisabled else { throw disabled }
        return waiting
    }
}
