internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

extension ClerkAPI {
    /// The step for a sign-up in its current status.
    func step(ofSignUp response: ClerkResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        let attempt = try response.resource()
        flow[.signUp] = attempt["id"]?.string
        switch attempt["status"]?.string {
        case "complete":
            flow.signUpInProgress = nil
            return try await end(of: attempt, in: response, flow)
        case "missing_requirements":
            let unverified = attempt["unverified_fields"]?.array?.compactMap(\.string) ?? []
            for kind in [AddressKind.email, .phone] where unverified.contains(kind.rawValue) {
                return .verify(try await sendSignUpProof(of: kind, after: attempt, in: flow))
            }
            let missing = attempt["missing_fields"]?.array?.compactMap(\.string) ?? []
            guard !missing.isEmpty else { return .other(OtherStep(flow: flow.flow, status: "missing_requirements")) }
            return .moreInformation(MissingFieldsStep(flow: flow.flow, fields: missing.map { .init(rawValue: $0) }))
        case let status: return .other(OtherStep(flow: flow.flow, status: status ?? "none"))
        }
    }

    /// The step for a sign-in in its current status.
    func step(ofSignIn response: ClerkResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        let attempt = try response.resource()
        flow[.signIn] = attempt["id"]?.string
        switch attempt["status"]?.string {
        case "complete": return try await end(of: attempt, in: response, flow)
        case "needs_first_factor": return try await firstFactor(attempt, in: flow)
        case "needs_client_trust":
            for strategy in AddressKind.allCases.map(\.codeStrategy) {
                guard let factor = attempt.factor("supported_second_factors", strategy) else { continue }
                return .verify(try await send(.secondFactor, strategy, factor, in: flow))
            }
            return .other(OtherStep(flow: flow.flow, status: "needs_client_trust"))
        case "needs_second_factor": return secondFactor(.secondFactor, of: attempt, in: flow)
        case "needs_new_password":
            let reason: NewPasswordStep.Reason = flow.flow.kind == .passwordReset ? .reset : .required
            return .newPassword(NewPasswordStep(flow: flow.flow, reason: reason))
        case let status: return .other(OtherStep(flow: flow.flow, status: status ?? "none"))
        }
    }

    /// The session of a finished attempt.
    ///
    /// A pending session is not a sign-in: its first task, such as `setup-mfa`, is the status that the app gets.
    private func end(of attempt: JSONObject, in response: ClerkResponse, _ flow: FlowMemory) async throws(AuthError) -> SignInStep
    {
        guard let id = attempt["created_session_id"]?.filled else { throw ErrorMapping.incomplete("the session's id") }
        let session = response.session(id)
        if session?["status"]?.string == "pending" {
            return .other(OtherStep(flow: flow.flow, status: session?["tasks"]?[0]?["key"]?.filled ?? "pending"))
        }
        return .complete(try await self.session(id, in: response))
    }

    /// The password was right and the address is not proven: Clerk wants a code as first factor.
    private func firstFactor(_ attempt: JSONObject, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let factor = attempt.factor("supported_first_factors", "email_code") else {
            return .other(OtherStep(flow: flow.flow, status: "needs_first_factor"))
        }
        flow.become(.confirmation)
        return .verify(try await send(.firstFactor, "email_code", factor, in: flow))
    }

    /// The second factor of a sign-in, or of a session that is proven anew.
    func secondFactor(_ stage: Stage, of attempt: JSONObject, in flow: FlowMemory) -> SignInStep {
        let choices = (attempt["supported_second_factors"]?.array ?? []).compactMap(FactorChoice.init(clerk:))
        guard !choices.isEmpty else { return .other(OtherStep(flow: flow.flow, status: "needs_second_factor")) }
        flow[.factors] = choices
        flow[.stage] = stage.rawValue
        // An authenticator app needs no message, so its code can be requested at once.
        guard let app = choices.first(where: { $0.kind == .authenticatorApp }) else {
            return .secondFactor(SecondFactorStep(flow: flow.flow, challenge: nil, choices: choices))
        }
        flow[.strategy] = app.id
        let challenge = Challenge(flow: flow.flow, channel: .authenticatorApp, destination: "", accepts: [.code])
        return .secondFactor(SecondFactorStep(flow: flow.flow, challenge: challenge, choices: choices))
    }
}

extension JSONObject {
    /// The factor of a strategy in a list of an attempt.
    func factor(_ list: String, _ strategy: String) -> JSONObject? {
        (self[list]?.array ?? []).first { $0["strategy"]?.string == strategy }?.object
    }
}

extension FactorChoice {
    /// Reads one of an attempt's second factors; its id is the strategy, and the number's id where there is one.
    fileprivate init?(clerk factor: JSON) {
        guard let strategy = factor["strategy"]?.string else { return nil }
        let label = factor["safe_identifier"]?.filled
        switch strategy {
        case "totp": self.init(id: strategy, kind: .authenticatorApp)
        case "phone_code":
            self.init(id: "\(strategy) \(factor["phone_number_id"]?.string ?? "")", kind: .phone, label: label)
        case "email_code":
            self.init(id: "\(strategy) \(factor["email_address_id"]?.string ?? "")", kind: .email, label: label)
        case "backup_code": self.init(id: strategy, kind: .backupCode)
        default: return nil
        }
    }
}
