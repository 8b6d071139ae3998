internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Codes for the address of a sign-up, for a first or second factor, for a new address, and for a new second factor.
struct CodeVerification: VerificationStrategy {
    let api: ClerkAPI

    /// The capability; if links verify the addresses of sign-ups, codes are only for sign-ins.
    var capability: Capability { api.configuration.confirmsByLink ? .emailCodeSignIn : .confirmationCode }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .code }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge { try await api.resend(in: flow) }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .code(let code) = response else { throw AuthError(.responseNotAccepted, "This step accepts only a code.") }
        let form = [
            (name: "strategy", value: flow[.strategy]?.pieces(at: " ").first.map(String.init) ?? "email_code"),
            (name: "code", value: code.reveal()),
        ]
        switch flow[.stage].flatMap(ClerkAPI.Stage.init) {
        case .address:
            let id = flow[.signUp] ?? ""
            return try await api.step(
                ofSignUp: try await api.call(.post, "/client/sign_ups/\(id)/attempt_verification", form, in: flow), in: flow)
        case .firstFactor: return try await api.step(ofSignIn: try await api.attempt(.firstFactor, form, in: flow), in: flow)
        case .secondFactor: return try await api.step(ofSignIn: try await api.attempt(.secondFactor, form, in: flow), in: flow)
        case .reverification:
            return try await api.step(ofReverification: try await api.attempt(.reverification, form, in: flow), in: flow)
        case .secondReverification:
            return try await api.step(ofReverification: try await api.attempt(.secondReverification, form, in: flow), in: flow)
        case .newAddress: return .complete(try await api.proveNewAddress(code, in: flow))
        case .newApp, .newPhone: return .complete(try await OwnSecondFactors(api: api).finish(code, in: flow))
        case .redirect, .linking, nil:
            throw AuthError(.flowNotFound, "This flow does not accept a code.", remedies: [.startAgain])
        }
    }
}

/// Links that return to the app: from messages, and from the pages of identity providers.
struct LinkVerification: VerificationStrategy {
    let api: ClerkAPI
    var capability = Capability.emailLinkSignIn

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .link }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge { try await api.resend(in: flow) }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .link(let url) = response else { throw AuthError(.responseNotAccepted, "This step accepts only a link.") }
        let parameters = try Callback(url, deciding: ClerkCallbacks.decides).parameters
        if let id = parameters["flow_id"], let token = parameters["approval_token"] {
            return try await approve(id, token, in: flow)
        }
        if flow[.stage] == ClerkAPI.Stage.linking.rawValue { return try await OwnIdentities(api: api).linked(in: flow) }
        return try await returned(parameters["rotating_token_nonce"], in: flow)
    }

    /// Gets a ticket with a link from a message, and a session with the ticket.
    private func approve(_ id: String, _ token: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        let earlier = api.sentVerifiers(in: flow).verifiers(for: flow.attemptID)
        let own = flow[.verifier]
        return try await approve(id, token, by: [own].compactMap(\.self) + earlier.filter { $0 != own }, in: flow)
    }

    /// Approves a link with the verifier of the request for its email, which is one of the given verifiers.
    fileprivate func approve(
        _ id: String, _ token: String, by verifiers: [Secret], in flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        for (place, verifier) in verifiers.enumerated() {
            let answer: ClerkResponse
            do throws(AuthError) {
                answer = try await api.call(
                    .post, "/client/magic_links/complete",
                    [("flow_id", id), ("approval_token", token), ("code_verifier", verifier.reveal())], in: flow)
            } catch {
                guard error.code == .flowStartedElsewhere, place + 1 < verifiers.count else { throw error }
                continue
            }
            api.sentVerifiers(in: flow).forget(allLike: verifier)
            return try await step(of: answer, in: flow)
        }
        throw AuthError(.flowStartedElsewhere, "This device did not start the flow of this link.", remedies: [.startAgain])
    }

    private func step(of answer: ClerkResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        let object = answer.json["response"]?.object ?? answer.json.object ?? [:]
        if let ticket = object["ticket"]?.filled {
            return try await api.step(
                ofSignIn: try await api.begin([("strategy", "ticket"), ("ticket", ticket)], in: flow), in: flow)
        }
        return try await api.step(ofSignUp: answer, in: flow)
    }

    /// Handles the end of a redirect: its nonce loads the finished attempt and a new client token.
    ///
    /// If the callback contains no nonce, the redirect did not sign in, and the attempt contains the reason.
    private func returned(_ nonce: String?, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let id = flow[.signIn], flow[.stage] == ClerkAPI.Stage.redirect.rawValue else {
            throw AuthError(.linkInvalid, "The link ends a redirect, but no redirect is in progress.", remedies: [.startAgain])
        }
        let answer = try await attempt(id, nonce, in: flow)
        let verification = try answer.resource()["first_factor_verification"]
        switch verification?["status"]?.string {
        case "verified": return try await api.step(ofSignIn: answer, in: flow)
        case "transferable":
            return try await api.step(ofSignUp: try await api.beginSignUp([("transfer", "true")], in: flow), in: flow)
        case "unverified" where verification?["error"]?["code"]?.string == nil:
            // The app was opened at its callback URL without parameters while the page is still open, so nothing is
            // decided.
            throw AuthError(
                .notConfirmedYet, "The user has not finished the identity provider's page yet.", retry: .after(.seconds(1)),
                remedies: [.startAgain])
        default:
            throw ClerkAPI.refusal(verification, answer)
        }
    }

    /// Loads the attempt with the nonce, which works only once; if the rest of the call is repeated, the client's own
    /// token loads the attempt.
    private func attempt(_ id: String, _ nonce: String?, in flow: FlowMemory) async throws(AuthError) -> ClerkResponse {
        guard let nonce, flow[.nonce]?.reveal() != nonce else {
            return try await api.call(.get, "/client/sign_ins/\(id)", in: flow)
        }
        let own = flow.client
        do throws(AuthError) {
            let answer = try await api.call(
                .get, "/client/sign_ins/\(id)", in: flow, query: [("rotating_token_nonce", nonce)])
            flow[.nonce] = Secret(nonce)
            return answer
        } catch {
            // The nonce of another flow returns the token of that flow's client, so this flow keeps its own.
            flow.client = own
            throw error
        }
    }
}

/// The part that opens invitations, tickets in links, and links in emails if the response to their request was lost.
struct OpenedLinks: UnrequestedLinks {
    let api: ClerkAPI

    func kind(of callback: Callback, on device: FlowMemory) -> Flow.Kind? {
        if ClerkTicket(callback) != nil { return .signIn }
        guard callback.parameters["flow_id"] != nil, callback.parameters["approval_token"] != nil else { return nil }
        return unanswered(on: device).first.flatMap { Flow.Kind(rawValue: $0.message) }
    }

    func open(_ callback: Callback, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        if let ticket = ClerkTicket(callback) {
            return try await TicketSignIn(api: api).begin(
                .ticket(ticket.token), for: ticket.isSignUp ? .signUp(SignUpProfile(displayName: nil)) : .signIn, in: flow)
        }
        return try await LinkVerification(api: api).approve(
            callback.parameters["flow_id"] ?? "", callback.parameters["approval_token"] ?? "",
            by: unanswered(on: flow).map(\.verifier), in: flow)
    }

    private func unanswered(on device: FlowMemory) -> [SentVerifiers.Entry] {
        api.sentVerifiers(in: device).entries.filter { entry in
            !entry.isAnswered && [Flow.Kind.confirmation.rawValue, Flow.Kind.signIn.rawValue].contains(entry.message)
        }
    }
}

extension ClerkAPI {
    /// Returns the error of a redirect, as its verification reports it.
    static func refusal(_ verification: JSON?, _ answer: ClerkResponse) -> AuthError {
        let code = verification?["error"]?["code"]?.string
        let isDisabled = code.flatMap { ErrorMeaning.ofCodes[$0] }?.code == .userDisabled
        return AuthError(
            isDisabled ? .userDisabled : .providerRefused,
            isDisabled
                ? "An administrator has disabled this account."
                : "The identity provider returned an error; see `provider.message`.",
            remedies: isDisabled ? [] : [.startAgain],
            provider: ProviderDetail(code: code, message: verification?["error"]?["long_message"]?.string)
        ).withholding(RequestSecrets(of: answer.request), knownCode: ErrorMapping.isKnown)
    }
}
