internal import Lockstep
internal import LockstepPrimitives

/// A second factor: the choice of one, and its code.
struct FactorProof: VerificationStrategy {
    let link: InMemoryLink
    var capability = Capability.secondFactor

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .factor || response == .code }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        switch response {
        case .factor(let choice):
            guard link.choices(flow).contains(where: { $0.id == choice.id }) else {
                throw AuthError(.invalidInput, "The user has no such second factor.")
            }
            flow["chosen"] = Secret(choice.id)
            return .secondFactor(link.factorStep(flow))
        case .code(let code):
            if let added = flow["added"] { return link.step(try await link.backend.give(firstCode: code, to: added), flow) }
            return try await link.give(factorCode: code, in: flow)
        default: throw AuthError(.responseNotAccepted, "This step takes a factor or its code.")
        }
    }
}

/// A new password that the project demands at a sign-in.
struct DemandedPassword: VerificationStrategy {
    let link: InMemoryLink
    let capability = Capability.newPasswordStep

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool {
        response == .newPassword && kind != .passwordReset
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .newPassword(let password) = response else {
            throw AuthError(.responseNotAccepted, "This step takes a new password and nothing else.")
        }
        return link.step(try await link.backend.set(demandedPassword: password, for: flow["waiting"] ?? ""), flow)
    }
}

/// The fields that the project demands.
struct DemandedFields: VerificationStrategy {
    let link: InMemoryLink
    let capability = Capability.requirements

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .fields }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .fields(let fields) = response else {
            throw AuthError(.responseNotAccepted, "This step takes fields and nothing else.")
        }
        return link.step(try await link.backend.give(fields: fields, to: flow["waiting"] ?? ""), flow)
    }
}

extension InMemoryLink {
    /// The factors that a flow's user may choose from.
    func choices(_ flow: FlowMemory) -> [FactorChoice] {
        guard let note = flow["factors"], let elements = (try? JSON.parse(note.reveal()))?.array else { return [] }
        return elements.compactMap(FactorChoice.init(note:))
    }

    /// The step of a user's second factors, one of which may be chosen.
    func factorStep(_ flow: FlowMemory) -> SecondFactorStep {
        let choices = choices(flow)
        let chosen = choices.first { $0.id == flow["chosen"]?.reveal() }
        let challenge = chosen.map { chosen in
            Challenge(
                flow: flow.flow, channel: chosen.kind == .backupCode ? .backupCode : .authenticatorApp, destination: "",
                accepts: [.code])
        }
        return SecondFactorStep(flow: flow.flow, challenge: challenge, choices: choices)
    }

    func give(factorCode code: Secret, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let chosen = flow["chosen"] else {
            throw AuthError(.responseNotAccepted, "Choose a second factor first.")
        }
        return step(try await backend.give(factorCode: code, of: chosen.reveal(), to: flow["waiting"] ?? ""), flow)
    }
}

extension FactorChoice {
    /// As a flow keeps it.
    fileprivate init?(note: JSON) {
        guard let id = note["id"]?.string, let kind = note["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
        self.init(id: id, kind: kind, label: note["label"]?.string)
    }

    var note: JSON {
        ["id": .string(id), "kind": .string(kind.rawValue), "label": label.map { .string($0) } ?? .null]
    }
}

/// The user's own authenticator apps.
struct InMemoryFactorEnrolment: SecondFactors {
    let link: InMemoryLink

    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice]) {
        try await link.backend.factors(session.accessToken)
    }

    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment {
        guard factor.kind == .authenticatorApp else {
            throw AuthError(.unsupported, "This backend has authenticator apps as second factors.")
        }
        let (handle, key) = try await link.backend.beginFactor(session.accessToken, label: factor.label)
        flow["added"] = handle
        let challenge = Challenge(flow: flow.flow, channel: .authenticatorApp, destination: "", accepts: [.code])
        let account = Percent.encode(session.user.email ?? session.user.id)
        return FactorEnrolment(
            challenge: challenge, key: key, uri: Secret("otpauth://totp/\(account)?secret=\(key.reveal())"))
    }

    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.removeFactor(factor.id, session.accessToken))
    }
}
