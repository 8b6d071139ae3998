internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Second factors: GoTrue issues a session after the first factor, and a new one with the same id after the second.
struct SecondFactor: VerificationStrategy {
    let api: GoTrueAPI

    var capability: Capability { .secondFactor }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .factor }

    /// Returns the step for a user with these factors.
    ///
    /// If an authenticator app is the only factor, there is nothing to choose.
    func step(_ factors: [FactorChoice], in flow: FlowMemory) -> SecondFactorStep {
        var challenge: Challenge?
        if factors.count == 1, let factor = factors.first, factor.kind == .authenticatorApp {
            flow[.factor] = factor.id
            challenge = asking(.authenticatorApp, "", in: flow)
        }
        return SecondFactorStep(flow: flow.flow, challenge: challenge, choices: factors)
    }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        guard let phone = flow[.factorPhone], let id = flow[.factor] else {
            throw AuthError(.unsupported, "This second factor sends no message.")
        }
        return try await asOwner(of: flow) { session async throws(AuthError) in
            try await ask(for: FactorChoice(id: id, kind: .phone, label: phone), session, in: flow)
        }
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        try await asOwner(of: flow) { session async throws(AuthError) in try await attempt(response, session, in: flow) }
    }

    private func attempt(
        _ response: ChallengeResponse, _ session: Session, in flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        switch response {
        case .factor(let choice):
            let factors = session.user.goTrueFactors
            guard let factor = factors.first(where: { $0.id.exact == choice.id.exact }) else {
                throw AuthError(.invalidInput, "The user does not have this second factor.")
            }
            let challenge = try await ask(for: factor, session, in: flow)
            return .secondFactor(SecondFactorStep(flow: flow.flow, challenge: challenge, choices: factors))
        case .code(let code): return try await give(["code": .string(code.reveal())], session, in: flow)
        case .passkey(let credential):
            guard let ceremony = flow[.ceremony] else {
                throw AuthError(.responseNotAccepted, "This second factor accepts only a code.")
            }
            return try await give(
                ["webauthn": ["type": .string(ceremony), "credential_response": credential]], session, in: flow)
        default: throw AuthError(.responseNotAccepted, "This step accepts only a factor, its code, or the result of a passkey.")
        }
    }

    /// Creates a factor's challenge: no challenge yet for an authenticator app, a message for a phone, options for a
    /// passkey.
    func ask(for factor: FactorChoice, _ session: Session, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        flow[.factorChallenge] = nil
        flow[.factorPhone] = nil
        flow[.ceremony] = nil
        let challenge: Challenge
        switch factor.kind {
        case .authenticatorApp: challenge = asking(.authenticatorApp, "", in: flow)
        case .phone:
            let response = try await openChallenge(of: factor.id, body: ["channel": "sms"], session, in: flow)
            flow[.factorPhone] = factor.label ?? ""
            var sent = asking(.sms, factor.label ?? "", in: flow)
            if let end = response.object["expires_at"]?.int {
                let life = TokenLife.left(until: Instant(seconds: end), of: response.date ?? api.clock.now)
                sent.expiresAt = api.clock.now + life
            }
            challenge = sent
        case .passkey:
            let response = try await openChallenge(of: factor.id, body: [:], session, in: flow).object
            guard let ceremony = response["webauthn"]?["type"]?.filled,
                let options = response["webauthn"]?["credential_options"]?["publicKey"]
            else { throw ErrorMapping.incomplete("the passkey's options") }
            flow[.ceremony] = ceremony
            challenge = asking(.passkey, "", options: options, in: flow)
        default: throw AuthError(.unsupported, "This version supports authenticator apps, phones and passkeys as second factors.")
        }
        flow[.factor] = factor.id
        return challenge
    }

    private func give(_ response: JSONObject, _ session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let factor = flow[.factor] else {
            throw AuthError(.responseNotAccepted, "Choose a second factor first.")
        }
        if flow[.factorChallenge] == nil {
            // An authenticator app's challenge is empty and expires after minutes, so each code gets a new one.
            _ = try await openChallenge(of: factor, body: nil, session, in: flow)
        }
        let isApp = flow[.factorPhone] == nil && flow[.ceremony] == nil
        var body = response
        body["challenge_id"] = .string(flow[.factorChallenge] ?? "")
        if isApp { flow[.factorChallenge] = nil }
        let fresh = try api.session(
            from: try await api.call(.post, "/factors/\(factor)/verify", body: body, as: session.accessToken))
        flow[.unfinishedSession] = nil
        (flow[.factor], flow[.factorChallenge], flow[.factorPhone]) = (nil, nil, nil)
        (flow[.ceremony], flow[.enrolledFactor]) = (nil, nil)
        return try await api.step(for: fresh, in: flow)
    }

    /// Sends a request with the factor's session: the session of an unfinished sign-in, or of the user who adds a factor.
    private func asOwner<Value>(
        of flow: FlowMemory, _ request: (Session) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let isAdding = flow[.enrolledFactor] != nil
        guard let session = isAdding ? flow.session : flow[.unfinishedSession] else {
            throw AuthError(.responseNotAccepted, "This flow does not accept a second factor.", remedies: [.startAgain])
        }
        return isAdding ? try await request(session) : try await api.asUnfinished(session, in: flow, request)
    }

    private func openChallenge(
        of factor: String, body: JSONObject?, _ session: Session, in flow: FlowMemory
    ) async throws(AuthError) -> JSONResponse {
        let response = try await api.call(.post, "/factors/\(factor)/challenge", body: body, as: session.accessToken)
        guard let id = response.object["id"]?.filled else { throw ErrorMapping.incomplete("the challenge's id") }
        flow[.factorChallenge] = id
        return response
    }

    private func asking(
        _ channel: Challenge.Channel, _ destination: String, options: JSON? = nil, in flow: FlowMemory
    ) -> Challenge {
        Challenge(
            flow: flow.flow, channel: channel, destination: destination, accepts: [options == nil ? .code : .passkey],
            resendAvailableAt: channel == .sms ? api.clock.now + api.configuration.resendInterval : nil, passkeyOptions: options)
    }
}

/// The user's second factors: authenticator apps, phones, passkeys.
///
/// Only the user object lists them. The first correct response verifies a factor. The server removes factors that never
/// got a correct response.
struct OwnSecondFactors: SecondFactors {
    let api: GoTrueAPI

    var kinds: Set<FactorChoice.Kind> { [.authenticatorApp, .phone, .passkey] }

    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice]) {
        let user = try await api.user(as: session.accessToken)
        return (user.id, user.goTrueFactors)
    }

    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment {
        guard let type = factor.kind.goTrueName else {
            throw AuthError(.unsupported, "GoTrue supports authenticator apps, phones and passkeys as second factors.")
        }
        // The server rejects two factors with the same name, and two without a name.
        let label = factor.label ?? "\(type) \(api.randomness.text(6))"
        var body: JSONObject = ["factor_type": .string(type), "friendly_name": .string(label)]
        if let phone = factor.phone { body["phone"] = .string(phone) }
        let response = try await enrol(body, named: label, of: session)
        guard let id = response["id"]?.filled else { throw ErrorMapping.incomplete("the factor's id") }
        flow[.requiredUser] = session.user.id
        flow[.enrolledFactor] = id
        let choice = FactorChoice(id: id, kind: factor.kind, label: factor.phone.map(PhoneCodeCredential.masked) ?? label)
        return FactorEnrolment(
            challenge: try await SecondFactor(api: api).ask(for: choice, session, in: flow),
            key: (response["totp"]?["secret"]?.filled).map { Secret($0) },
            uri: (response["totp"]?["uri"]?.filled).map { Secret($0) })
    }

    private func enrol(_ body: JSONObject, named label: String, of session: Session) async throws(AuthError) -> JSONObject {
        do {
            return try await api.call(.post, "/factors", body: body, as: session.accessToken).object
        } catch  where error.provider?.code == "mfa_factor_name_conflict" {
            // An abandoned enrollment, or one with a lost response, blocks its own name for minutes.
            let user = try? await api.user(as: session.accessToken)
            let left = user?.goTrue.factors.first { !$0.isVerified && $0.friendlyName == label && $0.id.isUUID }
            guard let left else { throw error }
            _ = try await api.call(.delete, "/factors/\(given: left.id)", as: session.accessToken)
            return try await api.call(.post, "/factors", body: body, as: session.accessToken).object
        }
    }

    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session {
        guard factor.id.isUUID else {
            throw AuthError(
                .invalidInput, "The user does not have this second factor. Use a factor from `account.factors.all()`.")
        }
        _ = try await api.call(.delete, "/factors/\(given: factor.id)", as: session.accessToken)
        return api.outdated(session, user: try await api.user(as: session.accessToken))
    }
}

extension FactorChoice.Kind {
    /// GoTrue's name for it.
    var goTrueName: String? {
        switch self {
        case .authenticatorApp: "totp"
        case .phone: "phone"
        case .passkey: "webauthn"
        case .email, .backupCode: nil
        }
    }
}
