internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension ClerkAPI {
    /// The step of an attempt for which a message was sent.
    enum Stage: String {
        /// The address or number of a sign-up.
        case address
        case firstFactor
        /// A second factor, or a device that Clerk does not know.
        case secondFactor
        /// The address that replaces the old one.
        case newAddress
        /// A session that is verified again.
        case reverification
        /// A new verification of the session with a second factor.
        case secondReverification
        /// The page of an identity provider.
        case redirect
        /// The page of an identity provider, whose account is added to the user.
        case linking
        /// An authenticator app that is added to the user.
        case newApp
        /// A phone that is added to the user as second factor.
        case newPhone

        /// The word for the factor in the names of paths and members.
        var factor: String { [.secondFactor, .secondReverification].contains(self) ? "second_factor" : "first_factor" }
        fileprivate var member: String { factor + "_verification" }
    }

    /// Requests the code or link that verifies a sign-up's address or number.
    ///
    /// Clerk sends no message within 30 seconds of the last one. The last one stays valid, even for a later flow. If
    /// `attempt` is set, it describes that message.
    func sendSignUpProof(
        of kind: AddressKind, after attempt: JSONObject? = nil, in flow: FlowMemory
    ) async throws(AuthError) -> Challenge {
        flow.become(.confirmation)
        let strategy = kind == .email && configuration.confirmsByLink ? Self.link : kind.codeStrategy
        let path: BackendPath = "/client/sign_ups/\(flow[.signUp] ?? "")/prepare_verification"
        do {
            let response = try await prepare(path, [("strategy", strategy)], in: flow)
            return signUpChallenge(try response.resource(), kind, strategy, response.date, in: flow)
        } catch  where error.provider?.code == "verification_code_too_many_requests" {
            guard let attempt else { throw error }
            var challenge = signUpChallenge(attempt, kind, strategy, nil, in: flow)
            if case .after(let wait) = error.retry { challenge.resendAvailableAt = clock.now + wait }
            return challenge
        }
    }

    /// The strategy that verifies with a link.
    static let link = "email_link"

    private func signUpChallenge(
        _ attempt: JSONObject, _ kind: AddressKind, _ strategy: String, _ date: Instant?, in flow: FlowMemory
    ) -> Challenge {
        flow[.stage] = Stage.address.rawValue
        flow[.strategy] = strategy
        flow[.destination] = attempt[kind.rawValue]?.filled.map(kind.masked)
        return challenge(attempt["verifications"]?[kind.rawValue], date, in: flow)
    }

    /// The verifiers of this device's emails.
    func sentVerifiers(in flow: FlowMemory) -> SentVerifiers { SentVerifiers(in: flow, at: clock.now) }

    /// Requests a message; a new verifier binds each link to this device, and is stored before the request.
    private func prepare(
        _ path: BackendPath, _ form: [(name: String, value: String)], in flow: FlowMemory
    ) async throws(AuthError) -> ClerkResponse {
        guard let callback = configuration.callback, form.contains(where: { $0.value == Self.link }) else {
            return try await call(.post, path, form, in: flow)
        }
        let key = ProofKey(randomness)
        let sent = sentVerifiers(in: flow)
        await sent.begin(key.verifier, of: flow.flow.kind.rawValue, to: flow.attemptID)
        let response: ClerkResponse
        do throws(AuthError) {
            response = try await call(
                .post, path,
                form + [("redirect_uri", callback.url), ("code_challenge", key.challenge), ("code_challenge_method", "S256")],
                in: flow)
        } catch {
            sent.end(key.verifier, error)
            throw error
        }
        sent.end(key.verifier)
        flow[.verifier] = key.verifier
        return response
    }

    /// Requests the code or link of a factor.
    func send(_ stage: Stage, _ strategy: String, _ factor: JSONObject, in flow: FlowMemory) async throws(AuthError) -> Challenge
    {
        let response = try await prepare(stage, strategy, for: AddressKind(strategy: strategy).id(in: factor), in: flow)
        return try sent(stage, strategy, factor, response, in: flow)
    }

    /// Stores the message that was sent, and returns its challenge.
    func sent(
        _ stage: Stage, _ strategy: String, _ factor: JSONObject?, to address: String? = nil, _ response: ClerkResponse,
        in flow: FlowMemory
    ) throws(AuthError) -> Challenge {
        let kind = AddressKind(strategy: strategy)
        flow[.stage] = stage.rawValue
        flow[.strategy] = strategy
        flow[.identification] = kind.id(in: factor)
        flow[.destination] = (factor?["safe_identifier"]?.filled ?? address).map(kind.masked)
        return challenge(try response.resource()[stage.member], response.date, in: flow)
    }

    private func prepare(
        _ stage: Stage, _ strategy: String, for id: String?, in flow: FlowMemory
    ) async throws(AuthError) -> ClerkResponse {
        var form = [(name: "strategy", value: strategy)]
        if let id { form.append((AddressKind(strategy: strategy).idMember, id)) }
        return try await prepare(path(of: stage, in: flow) + "/prepare_\(stage.factor)", form, in: flow)
    }

    /// Sends the code of a factor.
    func attempt(
        _ stage: Stage, _ form: [(name: String, value: String)], in flow: FlowMemory
    ) async throws(AuthError) -> ClerkResponse {
        try await call(.post, path(of: stage, in: flow) + "/attempt_\(stage.factor)", form, in: flow)
    }

    /// Returns the path for requests of a factor's messages, and for its codes.
    func path(of stage: Stage, in flow: FlowMemory) -> BackendPath {
        [.reverification, .secondReverification].contains(stage)
            ? "/client/sessions/\(flow.session?.id ?? "")/verify" : "/client/sign_ins/\(flow[.signIn] ?? "")"
    }

    /// Sends the flow's message again.
    func resend(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let strategy = flow[.strategy] ?? ""
        guard let stage = flow[.stage].flatMap(Stage.init) else {
            throw AuthError(.unsupported, "This step sends no message, so there is nothing to send again.")
        }
        switch stage {
        case .address: return try await sendSignUpProof(of: AddressKind(strategy: strategy), in: flow)
        case .newAddress: return try await sendNewAddressCode(in: flow)
        case .firstFactor, .secondFactor, .reverification, .secondReverification:
            let response = try await prepare(stage, strategy, for: flow[.identification], in: flow)
            return challenge(try response.resource()[stage.member], response.date, in: flow)
        case .newPhone: return try await OwnSecondFactors(api: self).sendCode(in: flow)
        case .redirect, .linking, .newApp:
            throw AuthError(.unsupported, "This step sends no message, so there is nothing to send again.")
        }
    }

    /// Returns the challenge of a message that was sent.
    func challenge(_ verification: JSON?, _ date: Instant?, in flow: FlowMemory) -> Challenge {
        let strategy = flow[.strategy] ?? ""
        let end = (verification?["expire_at"]?.int).map { Instant(milliseconds: $0) }
        // The server's dates follow its own clock, so the lifetime starts at the date of its response.
        let life = end.flatMap { end in date.map { TokenLife.left(until: end, of: $0) } } ?? configuration.proofLife
        return Challenge(
            flow: flow.flow, channel: AddressKind(strategy: strategy).channel, destination: flow[.destination] ?? "",
            accepts: strategy == Self.link ? [.link] : [.code], expiresAt: clock.now + life,
            resendAvailableAt: clock.now + configuration.resendInterval)
    }
}

/// The kinds of destinations of codes and links, by their names in the API.
enum AddressKind: String, CaseIterable {
    case email = "email_address"
    case phone = "phone_number"

    /// The kind of address to which a strategy, such as `reset_password_phone_code`, sends its message.
    init(strategy: String) { self = strategy.contains("phone") ? .phone : .email }

    /// The strategy of its code.
    var codeStrategy: String { self == .email ? "email_code" : "phone_code" }
    /// The JSON member that contains the id.
    var idMember: String { rawValue + "_id" }
    var channel: Challenge.Channel { self == .email ? .email : .sms }

    /// The masked form.
    func masked(_ text: String) -> String {
        self == .email ? EmailAddress.masked(text) : PhoneCodeCredential.masked(text)
    }

    /// The id of the address in a factor.
    func id(in factor: JSONObject?) -> String? { factor?[idMember]?.filled }
}
