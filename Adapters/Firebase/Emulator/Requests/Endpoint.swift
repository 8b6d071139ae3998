internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// One run of an endpoint in its transaction.
typealias RequestContext = LockstepEmulation.RequestContext<ServerState>

/// The handler of one route: the shape of its body, and its answer.
protocol Endpoint: Sendable {
    /// The shape of the body.
    var shape: Shape { get }

    /// Whether it only reads and needs no transaction.
    var isReading: Bool { get }

    /// Answers a request; runs again after each deferred work.
    ///
    /// - Throws: ``APIError`` for a refusal; any other error is an internal failure.
    func answer(_ request: AuthorizedRequest) throws -> JSON
}

extension Endpoint {
    var isReading: Bool { false }
}

/// An operation that Firebase has and its emulator answers with 501.
struct NotBuilt: Endpoint {
    let shape = Shape.map(.anything)
    let isReading = true
    /// Its name in Google's description of the interface.
    let name: String

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        throw APIError.notImplemented("\(name) is not implemented in the Auth Emulator.")
    }
}

/// One run of an endpoint for a request whose credentials, project and body an ``EndpointAuthorizer`` has accepted.
struct AuthorizedRequest {
    let context: RequestContext
    let scope: ProjectScope
    let caller: ServerState.Caller
    let body: Body
    /// The ID token of the body, parsed and not verified.
    let idToken: UnverifiedToken?
}

extension AuthorizedRequest {
    var state: ServerState { context.state }
    var settings: FirebaseSettings { context.settings }
    var now: Instant { context.now }
    var query: Parameters { context.request.query }
    var rules: Rules { scope.rules }
    var isAdministrators: Bool { caller == .administrator }

    /// The rows, inside the transaction.
    var db: SQLiteConnection {
        _read { yield context.db }
        nonmutating _modify { yield &context.db }
    }

    /// The view of a user that the caller gets.
    var view: User.View { settings.mode == .strict && !isAdministrators ? .own : .whole }

    /// A new random id of letters and digits, the same in every run.
    func newID(_ length: Int = 28) -> String {
        context.nextID(of: "id of \(length)") {
            $0.text(length, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        }
    }

    /// A new random token of so many bytes, in base 64 for addresses, the same in every run.
    func newToken(_ purpose: String, bytes: Int) -> String {
        context.nextID(of: purpose) { Base64.encode($0.bytes(bytes), .url) }
    }

    /// Refuses where a tenant is switched off.
    func requireOpen() throws(APIError) {
        if rules.isDisabled { throw .refused(.projectDisabled) }
    }

    /// Refuses a client without the captcha that the project asks for, in strict mode.
    ///
    /// The type of the client is "required when reCAPTCHA Enterprise is enabled" (reference: `SignUpRequest`), and the SDKs send the version
    /// with it; in which order production looks at them is not documented.
    ///
    /// - Parameter name: The member that has its token.
    func requireCaptcha(_ name: String = "captchaResponse") throws(APIError) {
        guard settings.asksForCaptcha, settings.mode == .strict, !isAdministrators else { return }
        guard let token = body.given(name) else { throw .refused(.missingCaptcha) }
        try require(![nil, "CLIENT_TYPE_UNSPECIFIED"].contains(body.given("clientType")), .missingClientType)
        try require(![nil, "RECAPTCHA_VERSION_UNSPECIFIED"].contains(body.given("recaptchaVersion")), .missingCaptchaVersion)
        try require(token == FirebaseSettings.captchaToken, .invalidCaptcha)
    }

    func require(_ condition: Bool, _ code: ErrorCode, _ detail: String? = nil) throws(APIError) {
        if !condition { throw .refused(code, detail) }
    }

    /// The value, or the refusal.
    func require<Value>(_ value: Value?, _ code: ErrorCode, _ detail: String? = nil) throws(APIError) -> Value {
        guard let value else { throw .refused(code, detail) }
        return value
    }
}

/// The rules that endpoints share, each a small type over the request.
extension AuthorizedRequest {
    var tokens: TokenService { TokenService(request: self) }
    var passwords: PasswordService { PasswordService(request: self) }
    var actionCodes: ActionCodeService { ActionCodeService(request: self) }
    var phoneNumbers: PhoneNumberService { PhoneNumberService(request: self) }
    var factors: FactorService { FactorService(request: self) }
    var passkeys: PasskeyService { PasskeyService(request: self) }
    var functions: BlockingFunctions { BlockingFunctions(request: self) }
    var providerConfigs: ProviderConfigRepository { ProviderConfigRepository(request: self) }
    var trustedIssuers: TrustedIssuerService { TrustedIssuerService(request: self) }
    var scopes: ProjectScopeRepository { ProjectScopeRepository(context: context) }
}
