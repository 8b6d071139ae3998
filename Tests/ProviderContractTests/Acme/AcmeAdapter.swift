import Lockstep
import LockstepContracts
import LockstepContractsTesting
import LockstepCurl
import LockstepEmulatorTestSupport
import LockstepWire
import Testing

struct AcmeAdapter: AuthAdapter {
    let api: AcmeAPI
    let callback: CallbackAddress
    let randomness: any Randomness

    /// The clock and the randomness are parameters, because contracts control them.
    init(
        url: String, callback: String, transport: some HTTPTransport, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) throws(AuthError) {
        self.callback = try CallbackAddress(callback)
        self.randomness = randomness
        api = AcmeAPI(address: try BackendAddress(url, called: "Acme's URL"), wire: JSONWire(transport), clock: clock)
    }

    static let name = "acme"

    /// Part of the store's keys, and the `provider` of every session.
    var name: String { Self.name }
    /// Part of the store's keys: it names the project, and is the same after every launch and update.
    var backend: String { api.address.url }
    var signIn: SignInStrategies {
        PasswordSignIn(api: api)
        EmailCodeSignIn(api: api)
        PageSignIn(api: api, callback: callback, randomness: randomness)
    }
    var verification: [any VerificationStrategy] {
        [
            CodeVerification(api: api), CodeVerification(api: api, capability: .confirmationCode, kind: .confirmation),
            PageVerification(api: api),
        ]
    }
    var sessions: any SessionAuthority { AcmeSessions(api: api) }
    var callbacks: any CallbackReading { AcmeCallbacks(addresses: [callback]) }
    var executor: (any TaskExecutor)? { api.wire.executor }
}

enum AcmeErrors: ErrorTable {
    static let provider = "Acme"
    static let mistake = "the URL is not that of Acme's API"
    static let defaultWait = Duration.seconds(60)
    static let secretNames: Set<String> = ["ticket_stub"]
    static let meanings = [
        "wrong_code": ErrorMeaning(.invalidCode, "The code is wrong."),
        "code_gone": ErrorMeaning(.codeExpired, "The code has expired, or was used.", [.resend]),
        "handle_gone": ErrorMeaning(.flowNotFound, "Acme no longer knows the handle.", [.startAgain]),
        "page_gone": ErrorMeaning(.linkUsed, "The page's answer has expired, or was used.", [.startAgain]),
        "wrong_verifier": ErrorMeaning(.flowStartedElsewhere, "Another device has opened the page.", [.startAgain]),
        "unverified_identity": ErrorMeaning(.providerRefused, "The identity has no verified address.", [.startAgain]),
        "too_soon": ErrorMeaning(.tooManyRequests, "A code was sent a moment ago."),
        "bad_address": ErrorMeaning(.invalidEmail, "Acme does not accept this address."),
        "not_enabled": ErrorMeaning(.notEnabled, "The project has switched passwords off."),
        "blocked": ErrorMeaning(.userDisabled, "The account is blocked."),
        "mail_failed": ErrorMeaning(.messageNotSent, "The mail could not be sent. Ask for it again.", retry: .now, [.resend]),
        "token_dead": ErrorMeaning(.accessTokenRefused, "The access token is not valid."),
        "wrong_password": ErrorMeaning(.invalidCredentials, "Incorrect e-mail address or password."),
        "address_taken": ErrorMeaning(.emailAlreadyInUse, "Another account uses this address.", [.signIn]),
        "weak_password": ErrorMeaning(.weakPassword, "Acme does not accept this password.", [.choosePassword]),
        "refresh_dead": ErrorMeaning(.sessionRevoked, "The session was ended.", [.signIn]),
        "refresh_used": ErrorMeaning(.refreshTokenReused, "The refresh token was already used.", [.signIn]),
        "user_gone": ErrorMeaning(.userDeleted, "The account was deleted.", [.signIn]),
    ]
    /// Acme's words for a weak password, and the portable reasons (`AuthError.passwordReasons`).
    static let weaknesses = ["too_short": "length", "too_long": "tooLong", "needs_digit": "characters", "leaked": "pwned"]
    static func isKnown(_ code: String) -> Bool { meanings[code] != nil }
    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        guard let code = body?["error"]?.filled else { return nil }
        let weak = (body?["weak"]?.array ?? []).compactMap { weaknesses[$0.string ?? ""] }
        return ErrorReport(code: code, message: body?["message"]?.filled, reasons: weak, meaning: meanings[code])
    }
}

struct AcmeAPI: Sendable {
    let address: BackendAddress
    let wire: JSONWire<AcmeErrors>
    let clock: any DeviceClock

    func call(
        _ method: HTTPMethod, _ path: BackendPath, _ body: JSONObject? = nil, as token: Secret? = nil
    ) async throws(AuthError) -> JSONResponse {
        var headers: HTTPHeaders = ["Accept": "application/json"]
        headers["Authorization"] = token.map { "Bearer " + $0.reveal() }
        let url = address.url + (try path.text())
        return try await wire.call(HTTPRequest(method, url, headers: headers, body: body.map { .json(.object($0)) } ?? .none))
    }

    /// Reads user, tokens, claims and lifetime only from the response, because the client compares them with the request.
    func session(from response: JSONResponse) throws(AuthError) -> Session {
        let answer = response.object
        guard let access = answer["access"]?.filled, let refresh = answer["refresh"]?.filled,
            let life = TokenLife.told(answer["expires_in"]), let user = answer["user"]
        else { throw AcmeErrors.incomplete("a token, its life or the user") }
        return Session(
            provider: AcmeAdapter.name, user: try self.user(from: user), accessToken: Secret(access),
            refreshToken: Secret(refresh),
            lifetime: TokenLifetime(life: life, serverDate: response.date, clock: clock),
            claims: CompactToken.unverifiedClaims(of: access) ?? [:])
    }

    func user(from json: JSON) throws(AuthError) -> User {
        guard let id = json["id"]?.filled else { throw AcmeErrors.incomplete("the user's id") }
        var identities: [Identity] = []
        for identity in json["identities"]?.array ?? [] {
            guard let id = identity["id"]?.filled, let provider = identity["provider"]?.filled else { continue }
            identities.append(Identity(id: id, provider: IdentityProvider(rawValue: provider)))
        }
        // The backend's value. If it is missing, the address is unverified.
        return User(
            id: id, email: json["email"]?.filled, isEmailVerified: json["email_verified"] == true,
            displayName: json["name"]?.filled, identities: identities)
    }
}

extension FlowNote<String> {
    static var handle: Self { "handle" }
    static var address: Self { "address" }
    static var createsAccount: Self { "createsAccount" }
}

struct EmailCodeSignIn: SignInStrategy {
    let api: AcmeAPI

    // Acme's codes are only for signing in. The client rejects every other purpose, and screens do not offer it.
    func supports(_ purpose: CredentialPurpose) -> Bool { purpose == .signIn }

    func begin(
        _ credential: EmailCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        flow[.address] = credential.email
        flow[.createsAccount] = credential.createsAccount ? "yes" : "no"
        return .verify(try await api.send(in: flow))
    }
}

extension AcmeAPI {
    func send(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let address = flow[.address] ?? ""
        var body: JSONObject = ["email": .string(address), "create": .bool(flow[.createsAccount] != "no")]
        // A newer code of the same flow.
        body["handle"] = flow[.handle].map { .string($0) }
        return try challenge(from: try await call(.post, "/codes", body), to: address, in: flow)
    }

    /// Stores the code's handle, and computes the times with the adapter's clock.
    func challenge(from response: JSONResponse, to address: String, in flow: FlowMemory) throws(AuthError) -> Challenge {
        guard let handle = response.object["handle"]?.filled, let life = TokenLife.told(response.object["expires_in"]),
            let wait = TokenLife.told(response.object["resend_in"])
        else { throw AcmeErrors.incomplete("the code's handle or times") }
        flow[.handle] = handle
        return Challenge(
            flow: flow.flow, channel: .email, destination: EmailAddress.masked(address), accepts: [.code],
            expiresAt: clock.now + min(life, TokenLife.longestProof),
            resendAvailableAt: clock.now + min(wait, TokenLife.longestProof))
    }
}

struct CodeVerification: VerificationStrategy {
    let api: AcmeAPI
    var capability = Capability.emailCodeSignIn
    var kind = Flow.Kind.signIn

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .code && kind == self.kind }

    /// Sends a new message, stores its handle, and returns a challenge with new times.
    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge { try await api.send(in: flow) }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .code(let code) = response, let handle = flow[.handle] else {
            throw AuthError(.flowNotFound, "The flow has lost its handle.", remedies: [.startAgain])
        }
        let body: JSONObject = ["handle": .string(handle), "code": .string(code.reveal())]
        return .complete(try api.session(from: try await api.call(.post, "/sessions", body)))
    }
}

struct AcmeSessions: SessionAuthority {
    let api: AcmeAPI

    func refresh(_ session: Session) async throws(AuthError) -> Session {
        try api.session(from: try await api.call(.post, "/sessions/renew", ["refresh": .string(session.refreshToken.reveal())]))
    }

    func reload(_ session: Session) async throws(AuthError) -> Session {
        var copy = session
        copy.user = try api.user(from: try await api.call(.get, "/me", as: session.accessToken).json)
        return copy
    }

    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {
        let answer = try await api.call(.delete, "/sessions", as: session.accessToken)
        // A portal or a gateway can also return JSON with status 200, although no session has ended.
        guard answer.object["ended"] == true else { throw AcmeErrors.incomplete("the word that the session has ended") }
    }
}

struct PasswordSignIn: SignInStrategy {
    let api: AcmeAPI

    func begin(
        _ credential: PasswordCredential, for purpose: CredentialPurpose, in flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        var body: JSONObject = ["email": .string(credential.email), "password": .string(credential.password.reveal())]
        body["name"] = purpose.displayName.map { .string($0) }
        let response = try await api.call(.post, purpose.profile == nil ? "/passwords/check" : "/passwords", body)
        // A session, or the handle of the code that Acme has sent because the address is not verified.
        guard response.object["handle"] != nil else { return .complete(try api.session(from: response)) }
        flow[.address] = credential.email
        flow.become(.confirmation)
        return .verify(try api.challenge(from: response, to: credential.email, in: flow))
    }
}

extension FlowNote<Secret> {
    static var verifier: Self { "verifier" }
}

struct PageSignIn: SignInStrategy {
    let api: AcmeAPI
    let callback: CallbackAddress
    let randomness: any Randomness

    func supports(_ purpose: CredentialPurpose) -> Bool { purpose == .signIn }

    func begin(
        _ credential: OAuthCredential, for purpose: CredentialPurpose, in flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        let (key, state) = (ProofKey(randomness), randomness.text(32))
        flow[.verifier] = key.verifier
        flow[FlowMemory.stateNote] = Secret(state)
        var query = credential.parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        query += [
            (name: "provider", value: credential.provider.rawValue), (name: "callback", value: callback.url),
            (name: "scopes", value: credential.scopes.joined(separator: " ")), (name: "state", value: state),
            (name: "challenge", value: key.challenge),
        ]
        let parameters = query.map { Percent.encode($0.name) + "=" + Percent.encode($0.value) }
        return .redirect(
            RedirectStep(flow: flow.flow, url: api.address.url + "/page?" + parameters.joined(separator: "&")))
    }
}

/// Reads `acme://signed-in?code=…&state=…`, or `…?error=…&state=…`.
struct AcmeCallbacks: CallbackReading {
    let addresses: [CallbackAddress]

    func read(_ callback: Callback) -> CallbackContent {
        if let error = callback.parameters["error"] {
            let detail = ProviderDetail(code: error)
            return .refusal(
                AuthError(.providerRefused, "The user or the provider declined.", remedies: [.startAgain], provider: detail))
        }
        guard callback.parameters["code"] != nil else { return .notOurs }
        // The client looks for the flow of this kind that has stored the state.
        return .proof(kinds: [.signIn], state: callback.parameters["state"].map { Secret($0) })
    }
}

struct PageVerification: VerificationStrategy {
    let api: AcmeAPI
    let capability = Capability.oauth

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .link && kind == .signIn }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .link(let url) = response, let code = (try? Callback(url))?.parameters["code"], let key = flow[.verifier]
        else {
            throw AuthError(.flowNotFound, "The flow has lost its verifier.", remedies: [.startAgain])
        }
        let body: JSONObject = ["code": .string(code), "verifier": .string(key.reveal())]
        return .complete(try api.session(from: try await api.call(.post, "/pages", body)))
    }
}

struct AcmeHarness: Harness {
    static let callback = "acme://signed-in"
    let name = "acme"
    let variants = [
        Variant(
            "usual", "as projects begin",
            behavior: ProviderBehavior(
                knownAddressAtSignUp: .refused, unknownAddressAtLink: .createsAccount, olderProofAfterResend: .lives,
                sessionAfterNewPassword: .revoked, sessionAfterReplay: .goesOn))
    ]
    let cannotCheck = [
        "sign-up.send-failed": "Acme's mails do not pass the gateway.",
        "sign-in.step.unknown-status": "Acme's responses do not name steps.",
    ]

    func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws {
        let server = try AcmeServer.start()
        defer { server.stop() }
        let gateway = try EmulatorServer { _ in Gateway(to: server.base) }
        defer { gateway.stop() }
        let clock = ManualClock(base: FixedClock())
        let connection = DisconnectableTransport(CurlTransport())
        let trace = WireTrace(gateway.panel)
        let transport = TracingTransport(connection, clock: SystemClock(), trace: trace.trace)
        let launch = { @Sendable in
            try AcmeAdapter(url: gateway.base, callback: Self.callback, transport: transport, clock: clock)
        }
        let factory = AdapterFactory { entry throws(AuthError) in
            func adapter(_ url: String, _ callback: String = Self.callback) throws(AuthError) -> AcmeAdapter {
                try AcmeAdapter(url: url, callback: callback, transport: transport, clock: clock)
            }
            return switch entry {
            case .sameProject: try adapter(gateway.base)
            case .otherProject: try adapter(gateway.base + "/other")
            case .mistake(.malformedAddress): try adapter(ConfigurationMistake.malformedAddress.example)
            case .mistake(.insecureAddress): try adapter(ConfigurationMistake.insecureAddress.example)
            // Acme has no keys.
            case .mistake(.emptyKey), .mistake(.paddedKey), .mistake(.administratorsKey): nil
            case .mistake(let mistake): try adapter(gateway.base, mistake.example)
            }
        }
        try await body(
            TestEnvironment(
                adapter: try launch(), clock: clock,
                randomness: SystemRandomness(), outbox: server.outbox,
                faults: WireFaults(gateway.panel, connection, forms: .acme, sendsMessages: false),
                administrator: server.admin, backendClock: server.clock, trace: trace,
                proofTimes: ProofTimes(emailLife: .seconds(600), emailInterval: .seconds(60)),
                identityPage: AcmePage(server: server.emulator), factory: factory,
                expectedCapabilities: [.password, .confirmationCode, .emailCodeSignIn, .oauth],
                nextLaunch: launch))
    }
}

extension FaultForms {
    /// The error responses of Acme, and the paths of its requests.
    static let acme = FaultForms(
        requests: [
            .signUp: RequestMatch("POST", "/passwords"), .signIn: RequestMatch("POST", "/passwords/check"),
            .resend: RequestMatch("POST", "/codes"), .verification: RequestMatch("POST", "/sessions"),
            .refresh: RequestMatch("POST", "/sessions/renew"), .user: RequestMatch("GET", "/me"),
            .signOut: RequestMatch("DELETE", "/sessions"),
        ],
        refusal: { code, status in .json(["error": .string(code)], status: status) },
        sentence: { code, text, status in .json(["error": .string(code), "message": .string(text)], status: status) },
        rateLimit: { .json(["error": "too_soon"], status: 429).with("Retry-After", "\($0.components.seconds)") },
        wrongTypes: ["access": 5, "refresh": ["x"], "expires_in": "soon", "user": 7, "id": 12])
}

@Test("acme keeps", .contractCounts, arguments: ContractCase.all(on: [AcmeHarness()]))
func acmeKeeps(_ contract: ContractCase) async { await contract.verify() }
