internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Codes from messages.
///
/// In a flow that waits for a second factor, the codes of that factor.
struct CodeVerification: VerificationStrategy {
    let api: GoTrueAPI

    /// The capability; if emails show no codes, only codes by SMS and codes for a new password remain.
    var capability: Capability { api.configuration.takesMailedCodes ? .confirmationCode : .phoneCode }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .code }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        flow[.factor] == nil ? try await api.resend(in: flow) : try await SecondFactor(api: api).prepare(flow)
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .code(let code) = response, let message = flow.message, flow[.unfinishedSession] == nil else {
            return try await SecondFactor(api: api).attempt(response, in: flow)
        }
        if message.kind == .reauthentication { return try await OwnPasswordChange(api: api).finish(code, in: flow) }
        let addresses = [
            message.channel == .email ? flow[.email] : nil,
            // Both addresses get a code if the project requires both to be verified. Only the server knows which code
            // the user typed.
            message == .emailChange ? flow[.formerEmail] : nil,
            message.channel == .sms ? flow[.phone] : nil,
        ].compactMap(\.self)
        for (place, address) in addresses.enumerated() {
            do {
                return try await give(code, of: message, for: address, others: addresses.filter { $0 != address }, in: flow)
            } catch {
                guard error.provider?.code == "otp_expired" else { throw error }
                if place + 1 == addresses.count { throw refused(error, code, message, address, in: flow) }
            }
        }
        throw AuthError(.flowNotFound, "The flow no longer has the address of its message. Start again.", remedies: [.startAgain])
    }

    private func give(
        _ code: Secret, of message: Message, for address: String, others: [String], in flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        let member = message.channel == .sms ? "phone" : "email"
        let body: JSONObject = ["type": .string(message.codeType), member: .string(address), "token": .string(code.reveal())]
        let response = try await api.call(.post, "/verify", body: body)
        flow.spentCodes.insert(code, for: address)
        if message.channel == .email { api.sentVerifiers(in: flow).forget(address) }
        if !api.holdsSession(response), message == .emailChange, var challenge = api.pendingChallenge(in: flow) {
            // One of two addresses is verified, and the message to the other one is pending.
            if let other = others.first { challenge.destination = EmailAddress.masked(other) }
            return .verify(challenge)
        }
        return try await api.step(for: try api.session(from: response), in: flow)
    }

    /// Returns the error for a code: GoTrue returns one error for wrong, used and old codes, but this device knows
    /// which codes it used and when the message was sent.
    private func refused(
        _ error: AuthError, _ code: Secret, _ message: Message, _ address: String, in flow: FlowMemory
    ) -> AuthError {
        var error = error
        if flow.spentCodes.contains(code, for: address) {
            error.code = .codeUsed
            error.message = "The code was already used. Request a new code."
        } else if let sentAt = flow[.sentAt], api.clock.now - sentAt >= api.proofLife(of: message) {
            error.code = .codeExpired
            error.message = "The code has expired. Request a new code."
        } else {
            error.message = "The code is wrong, or a newer code was sent."
        }
        return error
    }
}

/// Links that return to the app: from messages, and from the pages of identity providers.
struct LinkVerification: VerificationStrategy {
    let api: GoTrueAPI

    var capability: Capability { .confirmationLink }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .link }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge { try await api.resend(in: flow) }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .link(let url) = response else {
            throw AuthError(.responseNotAccepted, "This step accepts only a link.")
        }
        switch CallbackProof(try Callback(url, deciding: GoTrueCallbacks.decides)) {
        case .code(let code): return try await exchange(code, in: flow)
        case .hash(let hash, let type): return try await verify(hash, type, in: flow)
        case .half:
            guard let challenge = api.pendingChallenge(in: flow) else { throw CallbackProof.unreadable }
            return .verify(challenge)
        case .none: throw CallbackProof.unreadable
        }
    }

    /// The code in a link works only with the verifier on this device: the flow's, or that of an earlier email to its
    /// address.
    private func exchange(_ code: Secret, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        let earlier = flow[.email].map { api.sentVerifiers(in: flow).verifiers(for: $0) } ?? []
        let own = flow[.verifier]
        return try await exchange(code, by: [own].compactMap(\.self) + earlier.filter { $0 != own }, in: flow)
    }

    /// Exchanges the code with the verifier of the request for its email, which is one of the given verifiers.
    fileprivate func exchange(_ code: Secret, by verifiers: [Secret], in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        for (place, verifier) in verifiers.enumerated() {
            let body: JSONObject = ["auth_code": .string(code.reveal()), "code_verifier": .string(verifier.reveal())]
            let response: JSONResponse
            do throws(AuthError) {
                response = try await api.call(.post, "/token", query: ["grant_type": "pkce"], body: body)
            } catch {
                // If the verifier belongs to another email, the server keeps the code.
                guard error.provider?.code == "bad_code_verifier", place + 1 < verifiers.count else { throw error }
                continue
            }
            let session = try api.session(from: response)
            flow[.verifier] = nil
            api.sentVerifiers(in: flow).forget(allLike: verifier)
            return try await api.step(for: session, in: flow)
        }
        throw AuthError(
            .flowStartedElsewhere, "This device did not start the flow of this link.",
            remedies: (api.configuration.linksComeWithCodes ? [.enterCode] : []) + [.startAgain])
    }

    /// Verifies the hash of a token in a link.
    ///
    /// The email templates of some projects open the app directly with it.
    ///
    /// Such a link is not bound to this device, so its user must be the one to whom the message was sent.
    private func verify(_ hash: Secret, _ type: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let expected = flow[.email] else { throw CallbackProof.unreadable }
        let response = try await give(hash, type)
        if !api.holdsSession(response), let challenge = api.pendingChallenge(in: flow) { return .verify(challenge) }
        let session = try api.session(from: response)
        guard session.user.email?.lowercased() == expected.lowercased() else {
            await api.leave(session)
            throw AuthError(.linkInvalid, "This link belongs to a different address than the flow.")
        }
        api.sentVerifiers(in: flow).forget(expected)
        return try await api.step(for: session, in: flow)
    }

    /// Sends the hash of a message's token.
    ///
    /// - Throws: `linkExpired` if the server does not know the token, because it returns one error for used, old and
    ///   unknown tokens.
    fileprivate func give(_ hash: Secret, _ type: String) async throws(AuthError) -> JSONResponse {
        do throws(AuthError) {
            return try await api.call(
                .post, "/verify", body: ["type": .string(type), "token_hash": .string(hash.reveal())])
        } catch {
            guard error.provider?.code == "otp_expired" else { throw error }
            var error = error
            error.code = .linkExpired
            error.message = "The link has expired, was already used, or a newer link was sent. Request a new link."
            error.remedies = [.resend, .startAgain]
            throw error
        }
    }
}

/// The part that opens invitations, and links in emails if the response to their request was lost.
///
/// An administrator's email template can make an invitation open the app: `{{ .RedirectTo }}?token_hash={{ .TokenHash
/// }}&type=invite`.
struct OpenedLinks: UnrequestedLinks {
    let api: GoTrueAPI

    func kind(of callback: Callback, on device: FlowMemory) -> Flow.Kind? {
        switch CallbackProof(callback) {
        case .hash(_, "invite"): .signIn
        case .code: unanswered(on: device).first?.message.kind
        case .half: unanswered(on: device).first { $0.message == .emailChange }?.message.kind
        case .hash, .none: nil
        }
    }

    /// The hash that an administrator's `generate_link` returns as `hashed_token`.
    ///
    /// An attacker can create such a link for the attacker's own account, so only the app knows whether its server created it.
    func ticketName(in callback: Callback) -> String? {
        guard case .hash(_, let type) = CallbackProof(callback) else { return nil }
        return type == "email_change" ? nil : "token_hash"
    }

    func open(_ callback: Callback, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        let links = LinkVerification(api: api)
        switch CallbackProof(callback) {
        case .hash(let hash, let type):
            return try await api.step(for: try api.session(from: try await links.give(hash, type)), in: flow)
        case .code(let code):
            let sent = unanswered(on: flow)
            // The newest email decides whether a new password is required, because a code does not contain the email
            // that it came with.
            flow[.message] = sent.first?.message.rawValue
            if flow.flow.kind == .emailChange { flow[.requiredUser] = flow.session?.user.id }
            return try await links.exchange(code, by: sent.map(\.verifier), in: flow)
        case .half: return .verify(try await otherHalf(in: flow))
        case .none: throw CallbackProof.unreadable
        }
    }

    /// Returns the challenge of the other address, after the link to one address was opened.
    ///
    /// The device stores only a digest of the new address, so the server returns the address.
    private func otherHalf(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        guard let session = flow.session, let sent = unanswered(on: flow).first else { throw CallbackProof.unreadable }
        flow[.message] = Message.emailChange.rawValue
        flow[.sentAt] = sent.sentAt
        flow[.formerEmail] = session.user.email
        flow[.requiredUser] = session.user.id
        flow[.email] = try await api.user(as: session.accessToken).goTrue.newEmail
        guard let challenge = api.pendingChallenge(in: flow) else { throw CallbackProof.unreadable }
        return challenge
    }

    /// Returns the emails that may have been sent although no response arrived: to a new address of the signed-in user,
    /// or otherwise to signed-out users.
    private func unanswered(on device: FlowMemory) -> [UnansweredMail] {
        let sent = api.sentVerifiers(in: device).entries.compactMap { entry -> UnansweredMail? in
            guard !entry.isAnswered, let message = Message(rawValue: entry.message) else { return nil }
            let isOpened = [.signUp, .signIn, .recovery, .emailChange].contains(message)
            return isOpened ? UnansweredMail(message: message, verifier: entry.verifier, sentAt: entry.sentAt) : nil
        }
        let changes = device.session == nil ? [] : sent.filter { $0.message == .emailChange }
        return changes.isEmpty ? sent.filter { $0.message != .emailChange } : changes
    }
}

/// An email that may have been sent, although its request got no response.
private struct UnansweredMail {
    let message: Message
    let verifier: Secret
    let sentAt: Instant
}
