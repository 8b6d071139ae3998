internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension FlowMemory {
    /// Whether a first code of the factor that the flow adds was sent without a response.
    fileprivate var enrolmentMayHaveCounted: Bool { self[.appSession].map(mayHaveCounted) ?? messageMayHaveCounted }
}

extension FactorChoice {
    /// Reads one of the second factors in a response.
    init?(firebase object: JSON) {
        guard let id = object["mfaEnrollmentId"]?.filled else { return nil }
        let name = object["displayName"]?.filled
        if object["totpInfo"] != nil {
            self.init(id: id, kind: .authenticatorApp, label: name)
        } else if let phone = object["phoneInfo"]?.filled {
            self.init(id: id, kind: .phone, label: name ?? PhoneCodeCredential.masked(phone))
        } else {
            return nil
        }
    }
}

/// Second factors, which Firebase requires before it returns tokens.
struct SecondFactor: VerificationStrategy {
    let api: FirebaseAPI

    var capability: Capability { .secondFactor }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .factor }

    /// Returns the step for the flow's second factors.
    ///
    /// If an authenticator app is the only factor, there is nothing to choose.
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
        guard let factor = (flow[.factors] ?? []).first(where: { $0.id.exact == flow[.factor]?.exact }), factor.kind == .phone
        else {
            throw AuthError(.unsupported, "This second factor sends no message.")
        }
        return try await sendCode(to: factor, in: flow)
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let pending = flow[.pendingCredential] else {
            throw AuthError(.responseNotAccepted, "This flow does not accept a second factor.", remedies: [.startAgain])
        }
        switch response {
        case .factor(let choice): return try await choose(choice, in: flow)
        case .code(let code): return try await give(code, pending, in: flow)
        default: throw AuthError(.responseNotAccepted, "This step accepts only a factor or its code.")
        }
    }

    private func choose(_ choice: FactorChoice, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let factor = (flow[.factors] ?? []).first(where: { $0.id.exact == choice.id.exact }) else {
            throw AuthError(.invalidInput, "The user does not have this second factor.")
        }
        let challenge =
            factor.kind == .phone ? try await sendCode(to: factor, in: flow) : asking(.authenticatorApp, "", in: flow)
        flow[.factor] = factor.id
        return .secondFactor(SecondFactorStep(flow: flow.flow, challenge: challenge, choices: (flow[.factors] ?? [])))
    }

    private func give(_ code: Secret, _ pending: Secret, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let factor = (flow[.factors] ?? []).first(where: { $0.id.exact == flow[.factor]?.exact }) else {
            throw AuthError(.responseNotAccepted, "Choose a second factor first.")
        }
        var body: JSONObject = ["mfaPendingCredential": .string(pending.reveal())]
        let response: JSONResponse
        if factor.kind == .phone {
            response = try await api.finalize("mfaSignIn", body, with: code, in: flow)
        } else {
            body["mfaEnrollmentId"] = .string(factor.id)
            body["totpVerificationInfo"] = ["verificationCode": .string(code.reveal())]
            response = try await api.call("accounts/mfaSignIn:finalize", version: "v2", body)
        }
        (flow[.pendingCredential], flow[.factors], flow[.factor], flow[.sentSMS]) = (nil, nil, nil, nil)
        flow[.recipients] = nil
        return try await api.step(forSpent: response, in: flow)
    }

    private func sendCode(to factor: FactorChoice, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let phone = (flow[.recipients] ?? []).first { $0.id.exact == factor.id.exact }?.label ?? ""
        let body: JSONObject = [
            "mfaPendingCredential": .string(flow[.pendingCredential]?.reveal() ?? ""), "mfaEnrollmentId": .string(factor.id),
        ]
        let response = try await api.sendSMS(
            "accounts/mfaSignIn:start", version: "v2", body, proving: "phoneSignInInfo", to: phone)
        guard let session = response.object["phoneResponseInfo"]?["sessionInfo"]?.filled else {
            throw ErrorMapping.incomplete("the SMS session")
        }
        // Codes of another factor are not valid for this one.
        if flow[.factor]?.exact != factor.id.exact { flow[.sentSMS] = nil }
        flow.rememberSMS(session)
        return api.challenge(ofSMSTo: phone, in: flow)
    }

    private func asking(_ channel: Challenge.Channel, _ destination: String, in flow: FlowMemory) -> Challenge {
        Challenge(flow: flow.flow, channel: channel, destination: destination, accepts: [.code])
    }
}

/// The user's second factors: authenticator apps, and phones if the app can request an SMS.
///
/// Adding or removing a factor requires a recent sign-in, and adding a factor also requires a verified address
/// (`UNVERIFIED_EMAIL`). As soon as a factor is added, the token contains it as the second factor of the sign-in.
struct OwnSecondFactors: SecondFactors {
    let api: FirebaseAPI

    var kinds: Set<FactorChoice.Kind> { api.configuration.sendsSMS ? [.authenticatorApp, .phone] : [.authenticatorApp] }

    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice]) {
        let user = try await api.user(as: session.accessToken, claims: session.claims)
        return (user.id, (user.fields["mfaInfo"]?.array ?? []).compactMap(FactorChoice.init(firebase:)))
    }

    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment {
        flow[.requiredUser] = session.user.id
        flow[.factorName] = factor.label
        switch factor.kind {
        case .phone:
            guard let phone = factor.phone else {
                throw AuthError(.invalidPhone, "A phone as a second factor requires a number.")
            }
            return FactorEnrolment(challenge: try await sendCode(to: phone, as: session, in: flow))
        case .authenticatorApp: return try await app(of: session, in: flow)
        default: throw AuthError(.unsupported, "Firebase supports authenticator apps and phones as second factors.")
        }
    }

    /// Sends the SMS to a number that is being added.
    func sendCode(to phone: String, as session: Session, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let response = try await api.sendSMS(
            "accounts/mfaEnrollment:start", version: "v2", ["idToken": .string(session.accessToken.reveal())],
            proving: "phoneEnrollmentInfo", ["phoneNumber": .string(phone)], to: phone)
        guard let message = response.object["phoneSessionInfo"]?["sessionInfo"]?.filled else {
            throw ErrorMapping.incomplete("the SMS session")
        }
        flow[.enrolledKind] = FactorChoice.Kind.phone.rawValue
        flow[.phone] = phone
        flow.rememberSMS(message)
        return api.challenge(ofSMSTo: phone, in: flow)
    }

    /// Requests the key of an authenticator app.
    private func app(of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment {
        let response: JSONResponse
        do {
            response = try await api.call(
                "accounts/mfaEnrollment:start", version: "v2",
                ["idToken": .string(session.accessToken.reveal()), "totpEnrollmentInfo": [:]])
        } catch  where error.provider?.code == "INVALID_ARGUMENT" {
            // Firebase's emulator does not support time-based codes, and requests the number of a phone.
            throw AuthError(
                .notEnabled, "The project does not support time-based codes as second factors.", provider: error.provider)
        }
        guard let info = response.object["totpSessionInfo"], let key = info["sharedSecretKey"]?.filled,
            let enrolment = info["sessionInfo"]?.filled
        else { throw ErrorMapping.incomplete("the authenticator app's key") }
        flow[.enrolledKind] = FactorChoice.Kind.authenticatorApp.rawValue
        flow[.appSession] = Secret(enrolment)
        var challenge = Challenge(flow: flow.flow, channel: .authenticatorApp, destination: "", accepts: [.code])
        if let end = (info["finalizeEnrollmentTime"]?.filled).flatMap({ Instant(rfc3339: $0) }) {
            challenge.expiresAt = api.clock.now + TokenLife.left(until: end, of: response.date ?? api.clock.now)
        }
        return FactorEnrolment(challenge: challenge, key: Secret(key), uri: Secret(uri(key, info, of: session)))
    }

    /// Returns the URI of an authenticator app (Google's Key Uri Format), with the account of the key and the
    /// parameters of its codes.
    private func uri(_ key: String, _ info: JSON, of session: Session) -> String {
        let issuer = api.configuration.appName ?? session.claims["aud"]?.filled ?? FirebaseAdapter.name
        let account = session.user.email ?? session.user.id
        let parameters: HTTPForm = [
            "secret": key, "issuer": issuer, "algorithm": info["hashingAlgorithm"]?.filled ?? "SHA1",
            "digits": String(info["verificationCodeLength"]?.int ?? 6), "period": String(info["periodSec"]?.int ?? 30),
        ]
        return "otpauth://totp/\(Percent.encode(issuer)):\(Percent.encode(account))?\(parameters.encoded)"
    }

    /// Adds the factor with its first correct code, even if an earlier code has added a phone and its response was
    /// lost.
    ///
    /// - Throws: `codeUsed` if an earlier code may have added an authenticator app. Another app with the same name may
    ///   have been added in the meantime, and Firebase returns nothing that distinguishes them. A user with the wrong
    ///   key would then be locked out.
    func finish(_ code: Secret, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        let session = try flow.session(toAdd: "second factor")
        do {
            let response = try await finalize(code, as: session, in: flow)
            forget(flow)
            return try await api.step(forSpent: response, in: flow)
        } catch {
            guard ["INVALID_SESSION_INFO", "INVALID_CODE", "SECOND_FACTOR_EXISTS"].contains(error.provider?.code),
                flow.enrolmentMayHaveCounted
            else { throw error }
            if flow[.enrolledKind] == FactorChoice.Kind.phone.rawValue {
                guard let step = try await api.added(in: flow, { isAdded(to: $0, in: flow) }) else { throw error }
                forget(flow)
                return step
            }
            guard error.provider?.code == "INVALID_SESSION_INFO" else { throw error }
            throw AuthError(
                .codeUsed,
                "An earlier code may have added the app, but the response was lost. Check the user's second factors. If the app is listed, remove it, and start again.",
                remedies: [.startAgain], provider: error.provider)
        }
    }

    private func finalize(_ code: Secret, as session: Session, in flow: FlowMemory) async throws(AuthError) -> JSONResponse {
        var body: JSONObject = ["idToken": .string(session.accessToken.reveal())]
        if let name = flow[.factorName] { body["displayName"] = .string(name) }
        guard flow[.enrolledKind] != FactorChoice.Kind.phone.rawValue else {
            return try await api.finalize("mfaEnrollment", body, with: code, in: flow)
        }
        body["totpVerificationInfo"] = [
            "sessionInfo": .string(flow[.appSession]?.reveal() ?? ""), "verificationCode": .string(code.reveal()),
        ]
        // The enrollment works only once, whichever code completes it.
        return try await flow.sending(flow[.appSession] ?? "") { [body] () async throws(AuthError) in
            try await api.call("accounts/mfaEnrollment:finalize", version: "v2", body)
        }
    }

    /// Whether the flow's number is a factor of the user, by its name in the flow.
    ///
    /// Firebase stores each number once.
    private func isAdded(to user: User, in flow: FlowMemory) -> Bool {
        (user.fields["mfaInfo"]?.array ?? []).contains { factor in
            factor["phoneInfo"]?.filled == flow[.phone] && (factor["displayName"]?.filled ?? "") == (flow[.factorName] ?? "")
        }
    }

    private func forget(_ flow: FlowMemory) {
        (flow[.enrolledKind], flow[.factorName], flow[.phone]) = (nil, nil, nil)
        (flow[.sentSMS], flow[.appSession]) = (nil, nil)
    }

    /// Removes a factor, even if an earlier call with a lost response has already removed it.
    ///
    /// If Firebase has ended the session with the factor, the response contains no tokens (the SDK for JavaScript,
    /// `MultiFactorUser.unenroll`). A read of the user shows this.
    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session {
        let response: JSONResponse
        do {
            response = try await api.call(
                "accounts/mfaEnrollment:withdraw", version: "v2",
                ["idToken": .string(session.accessToken.reveal()), "mfaEnrollmentId": .string(factor.id)])
        } catch {
            guard error.provider?.code == "MFA_ENROLLMENT_NOT_FOUND" else { throw error }
            return try await FirebaseSessions(api: api).reload(session)
        }
        guard response.object["idToken"]?.filled != nil else { return try await FirebaseSessions(api: api).reload(session) }
        let tokens = try api.tokens(response)
        guard tokens.userID == nil || tokens.userID?.exact == session.user.id.exact else {
            throw ErrorMapping.incomplete("the expected user")
        }
        do {
            return try await api.session(for: tokens)
        } catch {
            guard [.network, .timedOut, .cancelled, .serverUnavailable, .tooManyRequests].contains(error.code) else {
                throw error
            }
            // The factor is removed and the tokens are new; the next call reads the user.
            var renewed = session.renewed(by: tokens)
            renewed.assurance = tokens.assurance
            return renewed
        }
    }
}
