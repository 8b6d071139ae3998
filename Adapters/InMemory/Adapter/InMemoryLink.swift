internal import Lockstep
internal import LockstepPrimitives

/// The dependencies of every strategy of the in-memory adapter: the backend, and the device's clock.
struct InMemoryLink: Sendable {
    let backend: InMemoryBackend
    let clock: any DeviceClock

    var settings: InMemorySettings { backend.settings }

    func session(_ grant: InMemoryGrant) -> Session {
        var claims: JSONObject = ["auth_time": .int(grant.signedInAt.seconds)]
        if let organization = grant.organizationID { claims["org_id"] = .string(organization) }
        return Session(
            id: grant.sessionID, provider: "memory", user: grant.user, accessToken: grant.accessToken,
            refreshToken: grant.refreshToken,
            lifetime: TokenLifetime(life: grant.life, serverDate: grant.date, clock: clock), assurance: grant.assurance,
            claims: claims)
    }

    /// Returns the challenge of a message that was just sent.
    func challenge(_ flow: FlowMemory, to address: String, accepts: Set<ChallengeResponse.Kind>) -> Challenge {
        Challenge(
            flow: flow.flow, channel: address.hasPrefix("+") ? .sms : .email,
            destination: address.hasPrefix("+") ? PhoneCodeCredential.masked(address) : EmailAddress.masked(address),
            accepts: accepts,
            expiresAt: clock.now + settings.proofLife, resendAvailableAt: clock.now + settings.resendInterval)
    }

    /// The kinds of responses that verify an address.
    var confirmationResponses: Set<ChallengeResponse.Kind> {
        var kinds: Set<ChallengeResponse.Kind> = []
        if settings.capabilities.contains(.confirmationCode) { kinds.insert(.code) }
        if settings.capabilities.contains(.confirmationLink) { kinds.insert(.link) }
        if settings.capabilities.contains(.poll) { kinds.insert(.poll) }
        return kinds
    }

    /// The kinds of responses after which the user can set a new password.
    var resetResponses: Set<ChallengeResponse.Kind> {
        let kinds = confirmationResponses.subtracting([.poll])
        return kinds.isEmpty ? [.code] : kinds
    }

    /// Stores the handle of a flow's verification, and returns the challenge.
    func verify(_ proof: InMemoryProofTicket, _ flow: FlowMemory, accepts: Set<ChallengeResponse.Kind>) -> AuthStep {
        flow["proof"] = proof.handle
        flow["address"] = Secret(proof.address)
        flow[FlowMemory.stateNote] = proof.handle
        return .verify(challenge(flow, to: proof.address, accepts: accepts))
    }

    /// Returns the step for a response of the backend.
    func step(_ outcome: InMemoryOutcome, _ flow: FlowMemory) -> AuthStep {
        switch outcome {
        case .granted(let grant, let device):
            flow[device: "id"] = device
            return .complete(session(grant))
        case .unverified(let proof, let grant):
            flow.become(.confirmation)
            if let grant { flow.grant(limited: session(grant)) }
            return verify(proof, flow, accepts: confirmationResponses)
        case .newDevice(let proof):
            return verify(proof, flow, accepts: [.code])
        case .newPassword(let proof):
            flow["proof"] = proof.handle
            return .newPassword(NewPasswordStep(flow: flow.flow, reason: .reset))
        case .conflict(let current, let other, let ways):
            return .identityConflict(
                IdentityConflictStep(flow: flow.flow, currentUserID: current, otherUserID: other, signInMethods: ways))
        case .numberConflict(let current, let other, let proof):
            flow.handOver(
                proof, as: .numberProof, toSignInWith: PhoneCodeCredential(phone: flow["address"]?.reveal() ?? ""),
                for: settings.proofLife)
            return .identityConflict(
                IdentityConflictStep(flow: flow.flow, currentUserID: current, otherUserID: other, signInMethods: [.phoneCode]))
        case .secondFactor(let handle, let choices):
            flow["waiting"] = handle
            flow["factors"] = Secret(JSON.array(choices.map(\.note)).text())
            // If there is one app, the user need not choose. Its code needs no message, so it can be requested
            // immediately.
            let apps = choices.filter { $0.kind == .authenticatorApp }
            let chosen = apps.count == 1 ? apps.first : nil
            flow["chosen"] = chosen.map { Secret($0.id) }
            return .secondFactor(
                SecondFactorStep(flow: flow.flow, challenge: chosen.map { factorChallenge(flow, $0) }, choices: choices))
        case .passwordDemanded(let handle):
            flow["waiting"] = handle
            return .newPassword(NewPasswordStep(flow: flow.flow, reason: .required))
        case .missingFields(let handle, let fields):
            flow["waiting"] = handle
            return .moreInformation(MissingFieldsStep(flow: flow.flow, fields: fields))
        case .unknownStep(let status):
            return .other(OtherStep(flow: flow.flow, status: status))
        }
    }
}
