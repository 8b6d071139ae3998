internal import Lockstep
internal import LockstepPrimitives

/// The common part of the verification strategies: the handle in the flow, and sending again.
protocol InMemoryProving: VerificationStrategy {
    var link: InMemoryLink { get }
    var kinds: Set<Flow.Kind> { get }
    var response: ChallengeResponse.Kind { get }
}

extension InMemoryProving {
    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool {
        response == self.response && kinds.contains(kind)
    }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        if flow["waiting"] != nil || flow["added"] != nil { return try await link.resendFactorCode(in: flow) }
        // A required verification without a message of this flow.
        if flow["proof"] == nil, flow.flow.kind == .confirmation, let session = flow.session {
            let step = link.verify(
                try await link.backend.askForProof(session.accessToken), flow, accepts: link.confirmationResponses)
            if let challenge = step.challenge { return challenge }
        }
        let proof = try await link.backend.resend(flow["proof"] ?? "", captcha: flow.takeCaptcha())
        let accepts: Set<ChallengeResponse.Kind> =
            switch flow.flow.kind {
            case .confirmation: link.confirmationResponses
            case .passwordReset, .emailChange: link.resetResponses
            default: [response]
            }
        return link.challenge(flow, to: proof.address, accepts: accepts)
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        switch response {
        case .code(let code):
            // One strategy gets all codes of one kind of flow: the strategy of the first factor.
            if flow["waiting"] != nil { return try await link.give(factorCode: code, in: flow) }
            if let added = flow["added"] { return link.step(try await link.backend.give(firstCode: code, to: added), flow) }
            return link.step(try await link.backend.prove(flow["proof"] ?? "", code: code), flow)
        case .link(let url):
            let token = Secret(try Callback(url).parameters["token"] ?? "")
            return link.step(try await link.backend.prove(linkToken: token, of: flow[FlowMemory.stateNote]), flow)
        case .poll:
            if flow["proof"] == nil, let session = flow.session {
                return .complete(link.session(try await link.backend.confirmed(session.accessToken)))
            }
            return link.step(try await link.backend.poll(flow["proof"] ?? ""), flow)
        case .newPassword, .factor, .fields, .passkey, .captcha:
            throw AuthError(.responseNotAccepted, "This step accepts only a code or a link.")
        }
    }
}

struct CodeProof: InMemoryProving {
    let link: InMemoryLink
    let capability = Capability.confirmationCode
    var kinds: Set<Flow.Kind> {
        link.settings.behavior.newDevice == .asksForCode
            ? [.confirmation, .passwordReset, .emailChange, .signIn] : [.confirmation, .passwordReset, .emailChange]
    }
    let response = ChallengeResponse.Kind.code
}

struct LinkProof: InMemoryProving {
    let link: InMemoryLink
    let capability = Capability.confirmationLink
    let kinds: Set<Flow.Kind> = [.confirmation, .passwordReset, .emailChange]
    let response = ChallengeResponse.Kind.link
}

struct PollProof: InMemoryProving {
    let link: InMemoryLink
    let capability = Capability.poll
    let kinds: Set<Flow.Kind> = [.confirmation]
    let response = ChallengeResponse.Kind.poll
}

struct EmailCodeProof: InMemoryProving {
    let link: InMemoryLink
    let capability = Capability.emailCodeSignIn
    let kinds: Set<Flow.Kind> = [.signIn, .reauthentication]
    let response = ChallengeResponse.Kind.code
}

struct PhoneCodeProof: InMemoryProving {
    let link: InMemoryLink
    let capability = Capability.phoneCode
    let kinds: Set<Flow.Kind> = [.signIn, .linking]
    let response = ChallengeResponse.Kind.code
}

struct EmailLinkProof: InMemoryProving {
    let link: InMemoryLink
    let capability = Capability.emailLinkSignIn
    let kinds: Set<Flow.Kind> = [.signIn]
    let response = ChallengeResponse.Kind.link
}

struct RoundTripEnd: InMemoryProving {
    let link: InMemoryLink
    let capability = Capability.oauth
    let kinds: Set<Flow.Kind> = [.signIn, .linking, .reauthentication]
    let response = ChallengeResponse.Kind.link
}

struct NewPasswordEntry: VerificationStrategy {
    let link: InMemoryLink
    let capability = Capability.passwordReset

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool {
        response == .newPassword && kind == .passwordReset
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .newPassword(let password) = response else {
            throw AuthError(.responseNotAccepted, "This step accepts only a new password.")
        }
        return link.step(try await link.backend.setPassword(password, after: flow["proof"] ?? ""), flow)
    }
}

/// The verification of a user who already has a session.
struct InMemoryAddressVerification: AddressVerification {
    let link: InMemoryLink

    /// A code can be used only after a message was sent in this flow.
    func challenge(for session: Session, in flow: FlowMemory) -> Challenge {
        Challenge(
            flow: flow.flow, channel: .email, destination: session.user.email.map(EmailAddress.masked) ?? "",
            accepts: link.confirmationResponses.subtracting([.code]), resendAvailableAt: link.clock.now)
    }
}
