internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The messages that GoTrue sends, by the request for them.
enum Message: String, Sendable {
    /// Verifies the address of a new account.
    case signUp
    /// Signs the recipient in by email.
    case signIn
    /// Signs the recipient in by SMS.
    case signInByPhone
    /// Lets the recipient set a new password.
    case recovery
    /// Verifies a new address of a user.
    case emailChange
    /// Verifies a new number of a user.
    case phoneChange
    /// A message for a user whose sign-in is too old to change the password.
    case reauthentication
    /// The same message for a user without an address.
    case reauthenticationByPhone

    /// The `type` of its code at `/verify`.
    var codeType: String {
        switch self {
        case .signUp: "signup"
        // It matches both messages of the server: a new address gets a confirmation, and a known address gets a magic
        // link.
        case .signIn: "email"
        case .signInByPhone: "sms"
        case .recovery: "recovery"
        case .emailChange: "email_change"
        case .phoneChange: "phone_change"
        // Its code is sent with the request that required it.
        case .reauthentication, .reauthenticationByPhone: "reauthentication"
        }
    }

    var channel: Challenge.Channel {
        switch self {
        case .signInByPhone, .phoneChange, .reauthenticationByPhone: .sms
        default: .email
        }
    }

    /// The kind of flow to which its link belongs.
    var kind: Flow.Kind {
        switch self {
        case .signUp: .confirmation
        case .signIn, .signInByPhone: .signIn
        case .recovery: .passwordReset
        case .emailChange: .emailChange
        case .phoneChange: .linking
        case .reauthentication, .reauthenticationByPhone: .reauthentication
        }
    }
}

extension GoTrueAPI {
    /// Sends a request that makes the server send a message, and stores the values that the verification needs.
    ///
    /// The verifier of an earlier message is kept until the server has accepted the request: if the server rejects it,
    /// the earlier link still works. The new verifier is stored before the request.
    ///
    /// - Returns: The response and the challenge.
    func send(
        _ message: Message, to destination: String, _ method: HTTPMethod, _ path: BackendPath, body: JSONObject,
        as token: Secret? = nil, in flow: FlowMemory
    ) async throws(AuthError) -> (answer: JSONResponse, challenge: Challenge) {
        var body = body
        var query: HTTPForm = [:]
        var key: ProofKey?
        if message.channel == .email, let callback = configuration.callback {
            let fresh = ProofKey(randomness)
            body["code_challenge"] = .string(fresh.challenge)
            body["code_challenge_method"] = "s256"
            query.append("redirect_to", callback.url)
            key = fresh
        }
        if let key { await sentVerifiers(in: flow).begin(key.verifier, of: message.rawValue, to: destination) }
        let answer: JSONResponse
        do throws(AuthError) {
            answer = try await call(method, path, query: query, body: body, as: token, captcha: flow.takeCaptcha())
        } catch {
            if let key { sentVerifiers(in: flow).end(key.verifier, error) }
            throw error
        }
        if let key { sentVerifiers(in: flow).end(key.verifier) }
        flow[.verifier] = key?.verifier
        return (answer, challenge(message, sentTo: destination, in: flow))
    }

    /// The verifiers of this device's emails.
    func sentVerifiers(in flow: FlowMemory) -> SentVerifiers { SentVerifiers(in: flow, at: clock.now) }

    /// Stores a message that was sent, and returns its challenge.
    func challenge(_ message: Message, sentTo destination: String, in flow: FlowMemory, resendIn wait: Duration? = nil)
        -> Challenge
    {
        flow[.message] = message.rawValue
        flow[.sentAt] = clock.now
        switch message.channel {
        case .sms: flow[.phone] = destination
        default: flow[.email] = destination
        }
        return challenge(message, sentTo: destination, at: clock.now, in: flow, resendIn: wait ?? configuration.resendInterval)
    }

    /// Returns the flow's last challenge; `nil` if no message was sent.
    func pendingChallenge(in flow: FlowMemory) -> Challenge? {
        guard let message = flow.message, let sentAt = flow[.sentAt],
            let destination = message.channel == .sms ? flow[.phone] : flow[.email]
        else { return nil }
        return challenge(message, sentTo: destination, at: sentAt, in: flow, resendIn: configuration.resendInterval)
    }

    private func challenge(
        _ message: Message, sentTo destination: String, at sentAt: Instant, in flow: FlowMemory, resendIn wait: Duration
    ) -> Challenge {
        let isMail = message.channel == .email
        // The email that requests a new sign-in contains no link: its template shows a code in every project.
        let isLink = isMail && message != .reauthentication && configuration.callback != nil
        return Challenge(
            flow: flow.flow, channel: message.channel,
            destination: isMail ? EmailAddress.masked(destination) : PhoneCodeCredential.masked(destination),
            accepts: isLink ? (configuration.takesMailedCodes ? [.code, .link] : [.link]) : [.code],
            expiresAt: sentAt + proofLife(of: message), resendAvailableAt: sentAt + wait)
    }

    /// Returns the lifetime of the project's codes and links of this kind.
    func proofLife(of message: Message) -> Duration {
        message.channel == .sms ? configuration.smsProofLife : configuration.emailProofLife
    }

    /// Sends the flow's message again.
    func resend(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        guard let message = flow.message else {
            throw AuthError(.unsupported, "This step sends no message, so there is nothing to send again.")
        }
        let email = flow[.email] ?? ""
        let phone = flow[.phone] ?? ""
        switch message {
        case .signUp: return try await resend(message, "signup", email, to: email, in: flow)
        case .signIn: return try await sendSignInMail(email, in: flow)
        case .signInByPhone: return try await sendSignInSMS(phone, in: flow)
        case .recovery: return try await sendRecovery(email, in: flow)
        case .emailChange:
            // The server finds the user by the current address. An anonymous user has no address, so the flow sends a
            // new request.
            if let former = flow[.formerEmail] {
                return try await resend(message, "email_change", former, to: email, in: flow)
            }
            return try await send(
                message, to: email, .put, "/user", body: ["email": .string(email)], as: flow.session?.accessToken, in: flow
            )
            .challenge
        case .phoneChange:
            return try await send(
                message, to: phone, .put, "/user", body: ["phone": .string(phone)], as: flow.session?.accessToken, in: flow
            )
            .challenge
        case .reauthentication, .reauthenticationByPhone:
            guard let session = flow.session else {
                throw AuthError(.notSignedIn, "No user is signed in, so no code can be sent.", remedies: [.signIn])
            }
            return try await sendReauthentication(of: session, in: flow)
        }
    }

    private func resend(
        _ message: Message, _ type: String, _ address: String, to destination: String, in flow: FlowMemory
    ) async throws(AuthError) -> Challenge {
        let body: JSONObject = ["type": .string(type), "email": .string(address)]
        return try await send(message, to: destination, .post, "/resend", body: body, in: flow).challenge
    }

    /// Requests another message that verifies an account's address; if the last message is too recent, that one is
    /// used.
    func confirmAddress(_ email: String, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        flow.become(.confirmation)
        do {
            return try await resend(.signUp, "signup", email, to: email, in: flow)
        } catch {
            guard error.code == .tooManyRequests, case .after(let wait) = error.retry else { throw error }
            return challenge(.signUp, sentTo: email, in: flow, resendIn: wait)
        }
    }

    /// Requests the message with which the owner of an address signs in.
    func sendSignInMail(_ email: String, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let body: JSONObject = ["email": .string(email), "create_user": .bool(flow[.createsAccount] != "no")]
        return try await send(.signIn, to: email, .post, "/otp", body: body, in: flow).challenge
    }

    /// Requests the SMS with which the owner of a number signs in.
    func sendSignInSMS(_ phone: String, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let body: JSONObject = [
            "phone": .string(phone), "create_user": .bool(flow[.createsAccount] != "no"), "channel": "sms",
        ]
        return try await send(.signInByPhone, to: phone, .post, "/otp", body: body, in: flow).challenge
    }

    /// Requests the code that a password change needs: by email, or by SMS for a user without an address.
    func sendReauthentication(of session: Session, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        // This GET sends a message. If the transport repeated it, the server would reject it as the second one in a
        // minute.
        _ = try await call(.get, "/reauthenticate", as: session.accessToken, hasEffects: true)
        if let email = session.user.email { return challenge(.reauthentication, sentTo: email, in: flow) }
        return challenge(.reauthenticationByPhone, sentTo: session.user.phone ?? "", in: flow)
    }

    /// Requests the message with which the owner of an address sets a new password.
    func sendRecovery(_ email: String, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        try await send(.recovery, to: email, .post, "/recover", body: ["email": .string(email)], in: flow).challenge
    }
}

/// The verification of a user who already has a session; this device may know nothing about the message.
struct DueAddressVerification: AddressVerification {
    let api: GoTrueAPI

    func challenge(for session: Session, in flow: FlowMemory) -> Challenge {
        var challenge = api.challenge(.signUp, sentTo: session.user.email ?? "", in: flow, resendIn: .zero)
        flow[.sentAt] = nil
        challenge.expiresAt = nil
        return challenge
    }
}
