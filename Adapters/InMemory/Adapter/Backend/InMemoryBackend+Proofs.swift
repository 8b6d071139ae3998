internal import Lockstep
internal import LockstepPrimitives

extension InMemoryBackend {
    func newProof(
        _ purpose: InMemoryProofRecord.Purpose, _ address: String, userID: String?, sessionID: String?,
        profile: SignUpProfile? = nil
    ) throws(AuthError) -> InMemoryProofTicket {
        var proof = InMemoryProofRecord(handle: secret(), purpose: purpose, address: address, userID: userID)
        proof.sessionID = sessionID
        proof.profile = profile
        proof.request = MailRequest.current
        send(&proof)
        proofs[proof.handle] = proof
        return InMemoryProofTicket(handle: proof.handle, address: address)
    }

    /// Sends the message of a verification.
    ///
    /// An address without an account gets no message, unless the flow may create an account.
    private func send(_ proof: inout InMemoryProofRecord) {
        let message = InMemoryProofRecord.Message(
            code: Secret(randomness.text(6, of: "0123456789")), token: secret(), sentAt: clock.now)
        proof.messages.append(message)
        let mayCreate = if case .signIn(creates: true) = proof.purpose { true } else { false }
        guard proof.userID != nil || mayCreate else { return }
        let query = Percent.encodeForm([
            (name: "token", value: message.token.reveal()), (name: "kind", value: proof.kind.rawValue),
            (name: "state", value: proof.handle.reveal()),
        ])
        sent.append(
            InMemoryMessage(
                recipient: proof.address, link: takesLinks(proof) ? "\(settings.callbackURL)?\(query)" : nil,
                code: takesCodes(proof) ? message.code.reveal() : nil, sentAt: clock.now))
    }

    /// Returns whether the link of a message can be used.
    private func takesLinks(_ proof: InMemoryProofRecord) -> Bool {
        if case .newDevice = proof.purpose { return false }
        return !proof.address.hasPrefix("+")
            && !settings.capabilities.isDisjoint(with: [.confirmationLink, .emailLinkSignIn, .poll])
    }

    /// Returns whether the code of a message can be used.
    private func takesCodes(_ proof: InMemoryProofRecord) -> Bool {
        !takesLinks(proof) || !settings.capabilities.isDisjoint(with: [.confirmationCode, .emailCodeSignIn])
    }

    /// Sends a message that signs its recipient in.
    ///
    /// - `newcomer`: The profile of a new user, if the call creates an account for an unknown address whatever the
    ///   behavior is.
    func sendSignInMessage(
        to email: String, creates: Bool, newcomer: SignUpProfile? = nil, captcha: Secret? = nil
    ) async throws(AuthError) -> InMemoryProofTicket {
        try await exchange(.signIn, sends: true) { backend throws(AuthError) in
            try backend.requireCaptcha(captcha, at: .signIn)
            let account = backend.account(byEmail: email)
            let declared = backend.settings.behavior
            let behavior = creates ? declared.unknownAddressAtLink : declared.unknownAddressWithoutAccount
            if let newcomer, account == nil {
                return try backend.newProof(
                    .signIn(creates: true), email, userID: nil, sessionID: nil, profile: newcomer)
            }
            if account == nil, behavior == .told {
                throw AuthError(
                    .userNotFound, "No account uses this address.", provider: ProviderDetail(code: "user_not_found", status: 404))
            }
            let makesAccount = account == nil && behavior == .createsAccount
            return try backend.newProof(.signIn(creates: makesAccount), email, userID: account?.user.id, sessionID: nil)
        }
    }

    /// Sends an SMS.
    ///
    /// If no user has the number, its code creates an account.
    func sendSignInMessage(toPhone phone: String, profile: SignUpProfile?) async throws(AuthError) -> InMemoryProofTicket {
        try await exchange(.signIn, sends: true) { backend throws(AuthError) in
            try backend.refuseIfOff(.phoneCode)
            let userID = backend.owner(ofNumber: phone)
            return try backend.newProof(.signIn(creates: userID == nil), phone, userID: userID, sessionID: nil, profile: profile)
        }
    }

    func sendResetMessage(to email: String, captcha: Secret?) async throws(AuthError) -> InMemoryProofTicket {
        try await exchange(.reset, sends: true) { backend throws(AuthError) in
            try backend.requireCaptcha(captcha, at: .reset)
            let account = backend.account(byEmail: email)
            if account == nil, backend.settings.behavior.unknownAddressAtReset == .told {
                throw AuthError(
                    .userNotFound, "No account uses this address.", provider: ProviderDetail(code: "user_not_found", status: 404))
            }
            return try backend.newProof(.passwordReset, email, userID: account?.user.id, sessionID: nil)
        }
    }

    func resend(_ handle: Secret, captcha: Secret?) async throws(AuthError) -> InMemoryProofTicket {
        try await exchange(.resend, sends: true) { backend throws(AuthError) in
            try backend.requireCaptcha(captcha, at: .resend)
            guard var proof = backend.proofs[handle], !proof.isOver else { throw backend.noSuchProof }
            if let last = proof.messages.last?.sentAt { try backend.refuseTooEarly(last) }
            backend.send(&proof)
            backend.proofs[handle] = proof
            return InMemoryProofTicket(handle: handle, address: proof.address)
        }
    }

    /// Rejects a message that is too soon after the last one.
    func refuseTooEarly(_ last: Instant) throws(AuthError) {
        let left = last + settings.resendInterval - clock.now
        guard left > .zero else { return }
        throw AuthError(
            .tooManyRequests, "A message was just sent. Wait before you request another message.", retry: .after(left),
            provider: ProviderDetail(code: "send_rate", status: 429))
    }

    private var noSuchProof: AuthError {
        AuthError(
            .flowNotFound, "The flow no longer exists on the backend. Start again.", remedies: [.startAgain],
            provider: ProviderDetail(code: "no_such_flow", status: 404))
    }

    func prove(_ handle: Secret, code: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.verification) { backend throws(AuthError) in
            guard let proof = backend.proofs[handle] else { throw backend.noSuchProof }
            guard let place = proof.messages.lastIndex(where: { $0.code == code }) else {
                throw AuthError(
                    .invalidCode, "The code is wrong.", remedies: [.enterCode, .resend],
                    provider: ProviderDetail(code: "wrong_code", status: 422))
            }
            guard !proof.messages[place].isUsed else {
                throw AuthError(
                    .codeUsed, "The code was already used.", remedies: [.resend],
                    provider: ProviderDetail(code: "code_used", status: 422))
            }
            guard backend.isUsable(place, of: proof) else {
                throw AuthError(
                    .codeExpired, "The code has expired.", remedies: [.resend],
                    provider: ProviderDetail(code: "code_expired", status: 422))
            }
            return try backend.accept(handle, message: place)
        }
    }

    /// Verifies the token of a link.
    ///
    /// - `flow`: The verification or redirect that the app has begun, to which the link must belong.
    func prove(linkToken token: Secret, of flow: Secret?) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.verification) { backend throws(AuthError) in
            let isOther = backend.owner(ofLink: token).map { $0 != flow } ?? false
            guard !isOther else {
                throw AuthError(
                    .linkInvalid, "This link belongs to another flow.", remedies: [.startAgain],
                    provider: ProviderDetail(code: "bad_link", status: 422))
            }
            return try backend.open(token)
        }
    }

    /// Opens a link for which no flow of the device waits.
    ///
    /// - `requests`: The device's requests that got no response; the link's email must belong to one of them.
    func prove(linkToken token: Secret, ofUnanswered requests: [Secret]) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.verification) { backend throws(AuthError) in
            guard let request = backend.owner(ofLink: token).flatMap({ backend.proofs[$0]?.request }), requests.contains(request)
            else {
                throw AuthError(
                    .flowStartedElsewhere, "This device did not request this link.", remedies: [.startAgain],
                    provider: ProviderDetail(code: "bad_link", status: 422))
            }
            return try backend.open(token)
        }
    }

    /// Returns the verification or redirect for which a link was created.
    private func owner(ofLink token: Secret) -> Secret? {
        roundTrips.first { $0.value.consent?.token == token }?.key
            ?? proofs.first { $0.value.messages.contains { $0.token == token } }?.key
    }

    /// Opens a link outside the app.
    ///
    /// The app polls for the result.
    func open(_ token: Secret) throws(AuthError) -> InMemoryOutcome {
        if let outcome = try end(roundTripBy: token) { return outcome }
        let found = proofs.values.lazy.compactMap { proof in
            proof.messages.firstIndex { $0.token == token }.map { (proof, $0) }
        }.first
        guard let (proof, place) = found else {
            throw AuthError(
                .linkInvalid, "This link was never issued.", remedies: [.startAgain],
                provider: ProviderDetail(code: "bad_link", status: 422))
        }
        if proof.messages[place].isUsed {
            if settings.behavior.usedLink == .sameSession, let sessionID = proof.sessionID, sessions[sessionID]?.isOver == false {
                return .granted(try grant(sessionID), device: secret())
            }
            throw AuthError(
                .linkUsed, "The link was already used.", remedies: [.resend],
                provider: ProviderDetail(code: "link_used", status: 422))
        }
        guard isUsable(place, of: proof) else {
            throw AuthError(
                .linkExpired, "The link has expired.", remedies: [.resend],
                provider: ProviderDetail(code: "link_expired", status: 422))
        }
        return try accept(proof.handle, message: place)
    }

    private func isUsable(_ place: Int, of proof: InMemoryProofRecord) -> Bool {
        guard !proof.isOver, proof.messages[place].sentAt + settings.proofLife > clock.now else { return false }
        return place == proof.messages.count - 1 || settings.behavior.olderProofAfterResend == .lives
    }

    private func accept(_ handle: Secret, message place: Int) throws(AuthError) -> InMemoryOutcome {
        guard var proof = proofs[handle] else { throw noSuchProof }
        proof.messages[place].isUsed = true
        proof.isProven = true
        if case .passwordReset = proof.purpose {
            proofs[handle] = proof
            return .newPassword(InMemoryProofTicket(handle: handle, address: proof.address))
        }
        proof.isOver = true
        if case .emailChange = proof.purpose {
            let grant = try changeAddress(by: proof)
            proofs[handle] = proof
            return .granted(grant, device: secret())
        }
        if case .number = proof.purpose {
            proofs[handle] = proof
            return try addNumber(by: proof)
        }
        let outcome = try enter(by: &proof)
        proofs[handle] = proof
        return outcome
    }

    /// Changes the address of the user.
    ///
    /// The session that requested the change now has the new address.
    private func changeAddress(by proof: InMemoryProofRecord) throws(AuthError) -> InMemoryGrant {
        guard let userID = proof.userID, let sessionID = proof.sessionID, accounts[userID] != nil else { throw gone }
        guard account(byEmail: proof.address) == nil else { throw addressTaken }
        let address = proof.address.lowercased()
        let old = accounts[userID]?.user.email
        // Messages to the former address no longer prove anything about the user.
        for (handle, other) in proofs where other.userID == userID && other.address.lowercased() == old {
            proofs[handle]?.isOver = true
        }
        change(userID) { account in
            account.user.email = address
            account.user.isEmailVerified = true
            account.user.identities.removeAll { $0.provider == .email && $0.email == old }
            account.user.identities.append(Identity(id: "email:\(address)", provider: .email, email: address))
        }
        return try grant(sessionID)
    }

    private func enter(by proof: inout InMemoryProofRecord) throws(AuthError) -> InMemoryOutcome {
        if proof.userID == nil, case .signIn(creates: true) = proof.purpose {
            let id = "u-" + randomness.text(12)
            var user = newcomer(id, at: proof.address)
            user.displayName = proof.profile?.displayName
            if let metadata = proof.profile?.metadata, !metadata.isEmpty { user.metadata = metadata }
            accounts[id] = InMemoryAccountRecord(user: user)
            proof.userID = id
        }
        guard let userID = proof.userID, let account = accounts[userID] else { throw gone }
        guard !account.isDisabled else { throw disabled }
        if case .signIn = proof.purpose, settings.behavior.strangersPassword == .dies {
            forgetStranger(account, but: proof.handle)
        }
        if account.user.email != nil { accounts[userID]?.user.isEmailVerified = true }
        accounts[userID]?.user.isAnonymous = false
        if let sessionID = proof.sessionID, sessions[sessionID]?.isOver == false {
            return .granted(try grant(sessionID), device: secret())
        }
        let outcome = try admit(userID, device: nil)
        if case .granted(let grant, _) = outcome { proof.sessionID = grant.sessionID }
        return outcome
    }

    /// Removes what somebody else may have set in a sign-up with an address that its owner now verifies by a sign-in.
    private func forgetStranger(_ account: InMemoryAccountRecord, but handle: Secret) {
        guard account.user.email != nil, !account.user.isEmailVerified, account.password != nil else { return }
        let userID = account.user.id
        accounts[userID]?.password = nil
        leaveSessions(of: userID, .revoked)
        for (other, proof) in proofs where other != handle && proof.userID == userID { proofs[other] = nil }
    }

    /// Returns a user that a message has created, with an address or a number.
    private func newcomer(_ id: String, at place: String) -> User {
        guard !place.hasPrefix("+") else { return User(id: id, phone: place, createdAt: clock.now) }
        let address = place.lowercased()
        return User(
            id: id, email: address, isEmailVerified: true,
            identities: [Identity(id: "email:\(address)", provider: .email, email: address)], createdAt: clock.now)
    }

    func poll(_ handle: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.verification) { backend throws(AuthError) in
            guard var proof = backend.proofs[handle] else { throw backend.noSuchProof }
            guard let userID = proof.userID, proof.isProven || backend.accounts[userID]?.user.isEmailVerified == true else {
                throw AuthError(.notConfirmedYet, "The link has not been opened yet.", retry: .now)
            }
            let outcome = try backend.enter(by: &proof)
            backend.proofs[handle] = proof
            return outcome
        }
    }

    /// Returns the session of a user whose address is now verified.
    func confirmed(_ access: Secret) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.verification) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            guard backend.accounts[session.userID]?.user.isEmailVerified == true else {
                throw AuthError(.notConfirmedYet, "The link has not been opened yet.", retry: .now)
            }
            return try backend.grant(session.id)
        }
    }

    func setPassword(_ password: Secret, after handle: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.newPassword) { backend throws(AuthError) in
            guard let proof = backend.proofs[handle], proof.isProven, !proof.isOver, let userID = proof.userID else {
                throw backend.noSuchProof
            }
            guard backend.accounts[userID]?.isDisabled == false else { throw backend.disabled }
            try backend.refuseWeak(password)
            backend.accounts[userID]?.password = password
            backend.accounts[userID]?.user.isEmailVerified = true
            backend.proofs[handle]?.isOver = true
            backend.leaveSessions(of: userID, backend.settings.behavior.sessionAfterReset)
            return try backend.admit(userID, device: nil)
        }
    }
}
