internal import Lockstep
internal import LockstepPrimitives

/// A second factor: its choice, and its code.
struct FactorProof: VerificationStrategy {
    let link: InMemoryLink
    var capability = Capability.secondFactor

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .factor || response == .code }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        try await link.resendFactorCode(in: flow)
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        switch response {
        case .factor(let choice):
            let choices = link.factorChoices(flow)
            guard let factor = choices.first(where: { $0.id == choice.id }) else {
                throw AuthError(.invalidInput, "The user does not have this second factor.")
            }
            if factor.kind == .phone { try await link.backend.sendFactorCode(to: flow["waiting"] ?? "") }
            flow["chosen"] = Secret(factor.id)
            return .secondFactor(
                SecondFactorStep(flow: flow.flow, challenge: link.factorChallenge(flow, factor), choices: choices))
        case .code(let code):
            if let added = flow["added"] { return link.step(try await link.backend.give(firstCode: code, to: added), flow) }
            return try await link.give(factorCode: code, in: flow)
        default: throw AuthError(.responseNotAccepted, "This step accepts only a factor or its code.")
        }
    }
}

/// A new password that the project requires at a sign-in.
struct DemandedPassword: VerificationStrategy {
    let link: InMemoryLink
    let capability = Capability.newPasswordStep

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool {
        response == .newPassword && kind != .passwordReset
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .newPassword(let password) = response else {
            throw AuthError(.responseNotAccepted, "This step accepts only a new password.")
        }
        return link.step(try await link.backend.set(demandedPassword: password, for: flow["waiting"] ?? ""), flow)
    }
}

/// The fields that the project requires.
struct DemandedFields: VerificationStrategy {
    let link: InMemoryLink
    let capability = Capability.requirements

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .fields }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .fields(let fields) = response else {
            throw AuthError(.responseNotAccepted, "This step accepts only fields.")
        }
        return link.step(try await link.backend.give(fields: fields, to: flow["waiting"] ?? ""), flow)
    }
}

extension InMemoryLink {
    /// Returns the second factors from which a flow's user can choose.
    func factorChoices(_ flow: FlowMemory) -> [FactorChoice] {
        guard let note = flow["factors"], let elements = (try? JSON.parse(note.reveal()))?.array else { return [] }
        return elements.compactMap(FactorChoice.init(note:))
    }

    /// Returns the challenge of a chosen factor; the code of a phone was just sent.
    func factorChallenge(_ flow: FlowMemory, _ factor: FactorChoice) -> Challenge {
        let channel: Challenge.Channel =
            switch factor.kind {
            case .phone: .sms
            case .backupCode: .backupCode
            default: .authenticatorApp
            }
        let isSent = factor.kind == .phone
        return Challenge(
            flow: flow.flow, channel: channel, destination: isSent ? factor.label ?? "" : "", accepts: [.code],
            expiresAt: isSent ? clock.now + settings.proofLife : nil,
            resendAvailableAt: isSent ? clock.now + settings.resendInterval : nil)
    }

    func give(factorCode code: Secret, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let factor = factorChoices(flow).first(where: { $0.id == flow["chosen"]?.reveal() }) else {
            throw AuthError(.responseNotAccepted, "Choose a second factor first.")
        }
        return step(try await backend.give(factorCode: code, of: factor, to: flow["waiting"] ?? ""), flow)
    }

    /// Sends the code of a phone again: of the chosen factor, or of the one that is being added.
    func resendFactorCode(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        if let added = flow["added"] {
            let phone = try await backend.sendFirstCode(to: added)
            return factorChallenge(flow, FactorChoice(id: "phone", kind: .phone, label: phone))
        }
        guard let factor = factorChoices(flow).first(where: { $0.id == flow["chosen"]?.reveal() }), factor.kind == .phone else {
            throw AuthError(.unsupported, "This second factor sends no message.")
        }
        try await backend.sendFactorCode(to: flow["waiting"] ?? "")
        return factorChallenge(flow, factor)
    }
}

extension FactorChoice {
    /// Reads a factor from a flow's note.
    fileprivate init?(note: JSON) {
        guard let id = note["id"]?.string, let kind = note["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
        self.init(id: id, kind: kind, label: note["label"]?.string)
    }

    var note: JSON {
        ["id": .string(id), "kind": .string(kind.rawValue), "label": label.map { .string($0) } ?? .null]
    }
}

/// The user's own authenticator apps and phone.
struct InMemoryFactorEnrolment: SecondFactors {
    let link: InMemoryLink

    var kinds: Set<FactorChoice.Kind> { [.authenticatorApp, .phone] }

    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice]) {
        try await link.backend.factors(session.accessToken)
    }

    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment {
        let (handle, key) = try await link.backend.beginFactor(session.accessToken, label: factor.label, phone: factor.phone)
        flow["added"] = handle
        if let phone = factor.phone {
            let choice = FactorChoice(id: "phone", kind: .phone, label: PhoneCodeCredential.masked(phone))
            return FactorEnrolment(challenge: link.factorChallenge(flow, choice))
        }
        let challenge = Challenge(flow: flow.flow, channel: .authenticatorApp, destination: "", accepts: [.code])
        let account = Percent.encode(session.user.email ?? session.user.id)
        return FactorEnrolment(
            challenge: challenge, key: key, uri: Secret("otpauth://totp/\(account)?secret=\(key.reveal())"))
    }

    var makesBackupCodes: Bool { link.settings.capabilities.contains(.backupCodeRenewal) }

    func renewBackupCodes(of session: Session) async throws(AuthError) -> [Secret] {
        try await link.backend.renewBackupCodes(session.accessToken)
    }

    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.removeFactor(factor, of: session.accessToken))
    }
}
