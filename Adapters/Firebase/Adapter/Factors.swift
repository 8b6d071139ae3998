internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

extension FirebaseAPI {
    /// The step for the answer to a proof: a session, or a second factor, which Firebase asks for before it gives tokens.
    func step(for response: JSONResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        if let pending = response.object["mfaPendingCredential"]?.filled {
            flow[.pendingCredential] = Secret(pending)
            let factors = response.object["mfaInfo"]?.array ?? []
            flow[.factors] = factors.compactMap(FactorChoice.init(firebase:))
            // A factor's label is the name that its owner gave it, where there is one.
            flow[.recipients] = factors.compactMap { factor in
                guard let id = factor["mfaEnrollmentId"]?.filled, let phone = factor["phoneInfo"]?.filled else { return nil }
                return FactorChoice(id: id, kind: .phone, label: phone)
            }
            return .secondFactor(SecondFactor(api: self).step(in: flow))
        }
        return try await step(for: try await session(for: try tokens(response)), in: flow)
    }

    /// The step for a session: an unproven address makes it a limited one.
    func step(for session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        if flow.requiresAnotherUser(than: session) {
            guard flow.flow.kind == .reauthentication else { throw ErrorMapping.incomplete("the right user") }
            throw AuthError(.userMismatch, "Another user than the one signed in gave the proof. The session stays as it was.")
        }
        guard session.user.standing == .unverified, flow.flow.kind != .reauthentication else { return .complete(session) }
        return try await confirmAddress(of: session, in: flow)
    }
}

extension FactorChoice {
    /// Reads one of the second factors that an answer names.
    init?(firebase object: JSON) {
        guard let id = object["mfaEnrollmentId"]?.filled else { return nil }
        let name = object["displayName"]?.filled
        if object["totpInfo"] != nil {
            self.init(id: id, kind: .authenticatorApp, label: name)
        } else if let phone = object["phoneInfo"]?.filled {
            self.init(id: id, kind: .phone, label: name ?? phone)
        } else {
            return nil
        }
    }
}

/// Second factors: Firebase gives no tokens before them.
struct SecondFactor: VerificationStrategy {
    let api: FirebaseAPI

    var capability: Capability { .secondFactor }

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .factor || response == .code }

    /// The step for the flow's second factors.
    ///
    /// Where an authenticator app is the only factor, there is nothing to choose.
    func step(in flow: FlowMemory) -> SecondFactorStep {
        let factors = (flow[.factors] ?? [])
        var challenge: Challenge?
        if factors.count == 1, let factor = factors.first, factor.kind == .authenticatorApp {
            flow[.factor] = factor.id
            challenge = asking(.authenticatorApp, "", in: flow)
        }
        return SecondFactorStep(flow: flow.flow, challenge: challenge, choices: factors)
    }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        guard let factor = (flow[.factors] ?? []).first(where: { $0.id == flow[.factor] }), factor.kind == .phone else {
            throw AuthError(.unsupported, "This second factor sends no message.")
        }
        return try await sendCode(to: factor, in: flow)
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let pending = flow[.pendingCredential] else {
            throw AuthError(.responseNotAccepted, "This flow expects no second factor.", remedies: [.startAgain])
        }
        switch response {
        case .factor(let choice): return try await choose(choice, in: flow)
        case .code(let code): return try await give(code, pending, in: flow)
        default: throw AuthError(.responseNotAccepted, "This step takes a factor or its code.")
        }
    }

    private func choose(_ choice: FactorChoice, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let factor = (flow[.factors] ?? []).first(where: { $0.id == choice.id }) else {
            throw AuthError(.invalidInput, "The user has no such second factor.")
        }
        let challenge =
            factor.kind == .phone ? try await sendCode(to: factor, in: flow) : asking(.authenticatorApp, "", in: flow)
        flow[.factor] = factor.id
        return .secondFactor(SecondFactorStep(flow: flow.flow, challenge: challenge, choices: (flow[.factors] ?? [])))
    }

    private func give(_ code: Secret, _ pending: Secret, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let factor = (flow[.factors] ?? []).first(where: { $0.id == flow[.factor] }) else {
            throw AuthError(.responseNotAccepted, "Choose a second factor first.")
        }
        var body: JSONObject = ["mfaPendingCredential": .string(pending.reveal())]
        if factor.kind == .phone {
            body["phoneVerificationInfo"] = [
                "sessionInfo": .string(flow[.smsSession]?.reveal() ?? ""), "code": .string(code.reveal()),
            ]
        } else {
            body["mfaEnrollmentId"] = .string(factor.id)
            body["totpVerificationInfo"] = ["verificationCode": .string(code.reveal())]
        }
        let response = try await api.call("accounts/mfaSignIn:finalize", version: "v2", body)
        (flow[.pendingCredential], flow[.factors], flow[.factor], flow[.smsSession]) = (nil, nil, nil, nil)
        flow[.recipients] = nil
        return try await api.step(for: response, in: flow)
    }

    private func sendCode(to factor: FactorChoice, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let body: JSONObject = [
            "mfaPendingCredential": .string(flow[.pendingCredential]?.reveal() ?? ""), "mfaEnrollmentId": .string(factor.id),
            "phoneSignInInfo": [:],
        ]
        let response = try await api.call("accounts/mfaSignIn:start", version: "v2", body)
        guard let session = response.object["phoneResponseInfo"]?["sessionInfo"]?.filled else {
            throw ErrorMapping.incomplete("the session of the SMS")
        }
        flow[.smsSession] = Secret(session)
        let phone = (flow[.recipients] ?? []).first { $0.id == factor.id }?.label ?? ""
        var challenge = asking(.sms, PhoneCodeCredential.masked(phone), in: flow)
        challenge.resendAvailableAt = api.clock.now + api.configuration.resendInterval
        return challenge
    }

    private func asking(_ channel: Challenge.Channel, _ destination: String, in flow: FlowMemory) -> Challenge {
        Challenge(flow: flow.flow, channel: channel, destination: destination, accepts: [.code])
    }
}
