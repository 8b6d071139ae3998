internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// The messages that Firebase sends; the raw values are Firebase's own.
enum Message: String, Sendable {
    /// Verifies the address of an account.
    case confirmation = "VERIFY_EMAIL"
    /// Signs the recipient in.
    case signIn = "EMAIL_SIGNIN"
    /// Lets the recipient set a new password.
    case recovery = "PASSWORD_RESET"
    /// Verifies a new address of a user.
    case emailChange = "VERIFY_AND_CHANGE_EMAIL"

    /// The `mode` of its link.
    var mode: String {
        switch self {
        case .confirmation: "verifyEmail"
        case .signIn: "signIn"
        case .recovery: "resetPassword"
        case .emailChange: "verifyAndChangeEmail"
        }
    }

    init?(mode: String) {
        guard let message = [Message.confirmation, .signIn, .recovery, .emailChange].first(where: { $0.mode == mode }) else {
            return nil
        }
        self = message
    }

    /// The flows that its link may continue.
    var kinds: Set<Flow.Kind> {
        switch self {
        case .confirmation: [.confirmation]
        case .signIn: [.signIn, .linking, .reauthentication]
        case .recovery: [.passwordReset]
        case .emailChange: [.emailChange]
        }
    }

    /// Whether the adapter can ask Firebase if the user has completed the verification elsewhere.
    var isPolled: Bool { self == .confirmation || self == .emailChange }
}

extension FirebaseAPI {
    /// Requests a message, and returns its challenge.
    func send(
        _ message: Message, to email: String, as token: Secret? = nil, in flow: FlowMemory
    ) async throws(AuthError) -> Challenge {
        var body: JSONObject = ["requestType": .string(message.rawValue)]
        switch message {
        case .signIn:
            body["email"] = .string(email)
            body["canHandleCodeInApp"] = true
        case .recovery: body["email"] = .string(email)
        case .confirmation: break
        case .emailChange: body["newEmail"] = .string(email)
        }
        if let token { body["idToken"] = .string(token.reveal()) }
        if let url = configuration.continueURL { body["continueUrl"] = .string(url) }
        // A signed-in user requests the other messages, and no captcha is required for them (firebase-js-sdk,
        // `core/strategies/email.ts`).
        if [.recovery, .signIn].contains(message) { body = body.adding(captcha(in: flow, as: "captchaResp")) }
        let notes = takesLink(of: message) ? sentLinks(in: flow) : nil
        let address = Secret(email)
        await notes?.begin(address, of: SentLink(message: message, kind: flow.flow.kind).text, to: email)
        do throws(AuthError) {
            _ = try await sending { [body] () async throws(AuthError) in try await call("accounts:sendOobCode", body) }
        } catch {
            notes?.end(address, error)
            throw error
        }
        // The address stays on the device only until a flow stores it.
        notes?.remove(address)
        flow[.message] = message.rawValue
        flow[.email] = email
        flow[.sentAt] = clock.now
        flow.rememberSending(message, to: email, at: clock.now)
        return challenge(message, sentTo: email, at: clock.now, in: flow)
    }

    /// The addresses of this device's emails, which are needed to use their links.
    func sentLinks(in flow: FlowMemory) -> SentVerifiers { SentVerifiers(in: flow, at: clock.now) }

    /// The challenge of a message.
    func challenge(_ message: Message, sentTo email: String, at sentAt: Instant, in flow: FlowMemory) -> Challenge {
        var accepts: Set<ChallengeResponse.Kind> = message.isPolled ? [.poll] : []
        if takesLink(of: message) { accepts.insert(.link) }
        return Challenge(
            flow: flow.flow, channel: .email, destination: EmailAddress.masked(email), accepts: accepts,
            resendAvailableAt: sentAt + configuration.resendInterval, ending: accepts.isEmpty ? .webPage : nil)
    }

    /// Sends a request whose only effect is a message.
    ///
    /// If Firebase cannot send the message, it reports an internal error.
    private func sending(_ request: () async throws(AuthError) -> JSONResponse) async throws(AuthError) -> JSONResponse {
        do throws(AuthError) {
            return try await request()
        } catch {
            guard error.code == .serverUnavailable, error.provider?.code != nil else { throw error }
            throw AuthError(
                .messageNotSent, "Firebase could not send the message. Request it again.", retry: .now, remedies: [.resend],
                provider: error.provider)
        }
    }

    /// Requests an SMS, with the proof of the app.
    ///
    /// - `member`: The member that contains the proof, next to `further`; `nil` for the body itself.
    /// - `phone`: The number, if it is known.
    ///
    /// Throws `unsupported` if the app has no proof and the backend is not an emulator. In that case no request is
    /// sent.
    func sendSMS(
        _ method: String, version: String = "v1", _ body: JSONObject, proving member: String? = nil, _ further: JSONObject = [:],
        to phone: String
    ) async throws(AuthError) -> JSONResponse {
        guard configuration.sendsSMS else {
            throw AuthError(
                .unsupported, "Firebase sends an SMS only to a verified app. Set `appProof` in the configuration.")
        }
        let proof = if let appProof = configuration.appProof { try await appProof(phone) } else { AppProof.unproven }
        var (body, proven) = (body, further)
        for (name, value) in proof.members {
            if member == nil { body[name] = value } else { proven[name] = value }
        }
        if let member { body[member] = .object(proven) }
        do {
            return try await sending { [body] () async throws(AuthError) in
                try await call(method, version: version, body, secrets: proof.secrets)
            }
        } catch {
            // An SMS needs the app's own proof; the captcha of a step has no effect.
            var error = error
            error.remedies.removeAll { $0 == .captcha }
            throw error
        }
    }

    /// Requests the SMS with the code that signs in the owner of a number.
    func sendCode(to phone: String, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let response = try await sendSMS("accounts:sendVerificationCode", ["phoneNumber": .string(phone)], to: phone)
        guard let session = response.object["sessionInfo"]?.filled else {
            throw ErrorMapping.incomplete("the SMS session")
        }
        flow[.phone] = phone
        flow.rememberSMS(session)
        return challenge(ofSMSTo: phone, in: flow)
    }

    /// Returns the challenge of an SMS that was just sent.
    func challenge(ofSMSTo phone: String, in flow: FlowMemory) -> Challenge {
        Challenge(
            flow: flow.flow, channel: .sms, destination: PhoneCodeCredential.masked(phone), accepts: [.code],
            expiresAt: clock.now + configuration.smsProofLife, resendAvailableAt: clock.now + configuration.resendInterval)
    }

    /// Tries the code with the newest SMS, and if it does not belong to that SMS, with older ones.
    ///
    /// Firebase accepts a code only with the name of its message, and an older message may arrive last.
    ///
    /// - Throws: Firebase's error for the newest SMS, if the codes of the older ones are used or expired.
    func giveCode(
        in flow: FlowMemory, _ request: (_ message: Secret) async throws(AuthError) -> JSONResponse
    ) async throws(AuthError) -> JSONResponse {
        var wrong: AuthError?
        for message in flow.smsSessions {
            do {
                return try await flow.sending(message) { () async throws(AuthError) in try await request(message) }
            } catch {
                if error.provider?.code == "INVALID_SESSION_INFO", let wrong { throw wrong }
                guard error.provider?.code == "INVALID_CODE" else { throw error }
                wrong = wrong ?? error
            }
        }
        throw wrong
            ?? AuthError(.flowNotFound, "The flow no longer has its message. Start again.", remedies: [.startAgain])
    }

    /// Sends the code of a phone that is a second factor, or becomes one.
    ///
    /// - `step`: `mfaSignIn` or `mfaEnrollment`.
    func finalize(_ step: String, _ body: JSONObject, with code: Secret, in flow: FlowMemory) async throws(AuthError)
        -> JSONResponse
    {
        try await giveCode(in: flow) { message async throws(AuthError) in
            var body = body
            body["phoneVerificationInfo"] = ["sessionInfo": .string(message.reveal()), "code": .string(code.reveal())]
            return try await call("accounts/\(step):finalize", version: "v2", body)
        }
    }

    /// Whether the app can receive the link of a message.
    ///
    /// Firebase's pages forward only sign-in links; other links open the app only if action links do.
    private func takesLink(of message: Message) -> Bool {
        message == .signIn ? !configuration.addresses.isEmpty : configuration.actionLinks != nil
    }

    /// Sends the flow's message again.
    func resend(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        guard let message = flow.message, let email = flow[.email] else {
            throw AuthError(.unsupported, "This step sends no message, so there is nothing to send again.")
        }
        let token = message.isPolled ? flow.session?.accessToken : nil
        return try await send(message, to: email, as: token, in: flow)
    }

    /// Returns the step for a user whose address is not verified; until then the session has limited rights.
    ///
    /// A message that this device requested a moment ago is reused. Links of older messages work, too.
    func confirmAddress(of session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let email = session.user.email else { return .complete(session) }
        let kind = flow.flow.kind
        flow.become(.confirmation)
        let challenge: Challenge
        if let sentAt = flow.lastSending(.confirmation, to: email), clock.now - sentAt < configuration.resendInterval,
            sentAt <= clock.now
        {
            flow[.message] = Message.confirmation.rawValue
            flow[.email] = email
            challenge = self.challenge(.confirmation, sentTo: email, at: sentAt, in: flow)
        } else {
            do {
                challenge = try await send(.confirmation, to: email, as: session.accessToken, in: flow)
            } catch {
                // The same verification continues the flow, but only as a flow of its original kind.
                flow.become(kind)
                throw error
            }
        }
        flow.grant(limited: session)
        return .verify(challenge)
    }
}

extension FlowMemory {
    private static let sentNote = "lastMessage"

    fileprivate func rememberSending(_ message: Message, to email: String, at instant: Instant) {
        let name = Self.digest(message.rawValue + "\n" + email.lowercased())
        self[device: Self.sentNote] = Secret("\(name) \(instant.milliseconds)")
    }

    /// Returns the time when this device last requested such a message.
    fileprivate func lastSending(_ message: Message, to email: String) -> Instant? {
        let parts = self[device: Self.sentNote]?.reveal().pieces(at: " ") ?? []
        guard parts.count == 2, parts[0] == Self.digest(message.rawValue + "\n" + email.lowercased()), let time = Int64(parts[1])
        else { return nil }
        return Instant(milliseconds: time)
    }
}

/// The verification of a user who already has a session; this device may know nothing about the message.
struct DueAddressVerification: AddressVerification {
    let api: FirebaseAPI

    func challenge(for session: Session, in flow: FlowMemory) -> Challenge {
        let email = session.user.email ?? ""
        flow[.message] = Message.confirmation.rawValue
        flow[.email] = email
        var challenge = api.challenge(.confirmation, sentTo: email, at: api.clock.now, in: flow)
        challenge.resendAvailableAt = api.clock.now
        return challenge
    }
}
