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

    /// Whether a text is a phone number, by the rules of the mode.
    func isPhoneNumber(_ text: String) -> Bool { Formats.isPhoneNumber(text, isStrict: settings.mode == .strict) }

    /// Refuses where a tenant is switched off.
    func requireOpen() throws(APIError) {
        if rules.isDisabled { throw .refused(.projectDisabled) }
    }

    /// Refuses a client without the captcha that the project asks for, in strict mode.
    ///
    /// The type of the client is "required when reCAPTCHA Enterprise is enabled" (Google's `SignUpRequest`), and the SDKs send the version
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

/// Checks the credentials and the body of requests to one endpoint, and finds their project and tenant.
struct EndpointAuthorizer: Sendable {
    enum Access: Sendable {
        /// An API key, or an administrator's bearer token.
        case keyOrAdministrator
        /// An API key only; bearer tokens are parsed and grant nothing.
        case keyOnly
        /// No credentials.
        case open
    }

    let shape: Shape
    let access: Access
    let mode: FirebaseMode
    /// Whether a form is taken, too.
    var takesForms = false

    /// What a request says itself, without the tables.
    struct Claim: Sendable {
        fileprivate let caller: ServerState.Caller
        fileprivate let body: Body
        fileprivate let idToken: UnverifiedToken?
        /// `nil` for the project of the settings.
        fileprivate let project: String?
        fileprivate let tenant: String?
    }

    /// Checks what needs no table: credentials, body, and whether path, body and ID token agree on the tenant.
    ///
    /// - Parameter named: the project, where the request names it in a way of its own.
    func claim(of request: EmulatorRequest, project named: String? = nil) throws(APIError) -> Claim {
        let caller = try caller(of: request)
        let body = try body(of: request)
        var project = request[placeholder: "project"]
        if project.isEmpty { project = named ?? "" }
        if project.isEmpty, access != .open { project = body.given("targetProjectId") ?? "" }
        if !project.isEmpty, access == .keyOrAdministrator, caller != .administrator {
            throw .refused(.insufficientPermission, "Only authenticated requests can specify target_project_id.")
        }
        let idToken = body.given("idToken").flatMap { mode == .strict ? try? UnverifiedToken($0) : OpenToken.foreign($0) }
        var tenant = request[placeholder: "tenant"].isEmpty ? nil : request[placeholder: "tenant"]
        for named in [body.given("tenantId"), idToken?.claims["firebase"]?["tenant"]?.string] {
            guard let named, !named.isEmpty else { continue }
            if let tenant, tenant != named { throw .refused(.tenantMismatch) }
            tenant = named
        }
        return Claim(caller: caller, body: body, idToken: idToken, project: project.isEmpty ? nil : project, tenant: tenant)
    }

    /// Finds project and tenant in the tables.
    ///
    /// - Throws: in strict mode for a tenant that was never created: `TENANT_NOT_FOUND` to an administrator, `INVALID_TENANT_ID` to an app
    ///   (https://github.com/firebase/firebase-js-sdk/issues/5624), and `INVALID_ID_TOKEN` where the caller's own token names it: such a session is
    ///   of no user any more. Emulator mode creates it, as Firebase's emulator does.
    func authorize(_ claim: Claim, _ context: RequestContext) throws -> AuthorizedRequest {
        var tenant = claim.tenant
        if let token = claim.body.given("refreshToken"), let tokens = try sessionTenant(of: token, context) {
            if let tenant, tenant != tokens {
                throw APIError.refused(
                    sentence: "TENANT_ID_MISMATCH: ((Refresh token tenant ID does not match target tenant ID.))")
            }
            tenant = tokens
        }
        let project = claim.project ?? context.settings.project
        if context.settings.refusesOtherProjects, project != context.settings.project {
            let own = "This server is in single project mode, and has \(context.settings.project) only."
            throw APIError.refused(.invalidProjectID, own)
        }
        let scopes = ProjectScopeRepository(context: context)
        if mode == .strict, tenant != nil, try !scopes.has(project: project, tenant: tenant) {
            if claim.caller == .administrator { throw APIError.tenantNotFound }
            let isOfToken = claim.idToken?.claims["firebase"]?["tenant"]?.string == tenant
            throw APIError.refused(isOfToken ? .invalidIDToken : .invalidTenant)
        }
        return AuthorizedRequest(
            context: context, scope: try scopes.named(project: project, tenant: tenant),
            caller: claim.caller, body: claim.body, idToken: claim.idToken)
    }

    /// A person opens a page: no credentials, no body; the form or the query names the tenant.
    static func page(_ context: RequestContext, form: Parameters? = nil) throws -> AuthorizedRequest {
        // The SDKs call it `tid` where they open a page.
        let named = form?["tenantId"] ?? context.request.query["tenantId"] ?? context.request.query["tid"]
        let tenant = named.flatMap { $0.isEmpty ? nil : $0 }
        let (scopes, project) = (ProjectScopeRepository(context: context), context.settings.project)
        if context.settings.mode == .strict, tenant != nil, try !scopes.has(project: project, tenant: tenant) {
            throw APIError.refused(.invalidTenant)
        }
        return AuthorizedRequest(
            context: context, scope: try scopes.named(project: project, tenant: tenant),
            caller: .client, body: Body(), idToken: nil)
    }

    private func caller(of request: EmulatorRequest) throws(APIError) -> ServerState.Caller {
        guard access != .open else { return .administrator }
        if access == .keyOrAdministrator, let value = request.headers["authorization"],
            value.lowercased().hasPrefix("bearer ")
        {
            let token = String(value.dropFirst("bearer ".count))
            guard token.lowercased() == "owner" || token.hasPrefix("ya29.") else { throw .badBearer }
            return .administrator
        }
        let key = request.query["key"] ?? request.headers["x-goog-api-key"]
        guard let key, !key.isEmpty else { throw .noKey }
        return .client
    }

    private func body(of request: EmulatorRequest) throws(APIError) -> Body {
        guard ["POST", "PATCH", "PUT"].contains(request.method) else { return Body() }
        if request.body.isEmpty { return Body(try shape.taking([:], at: "", knowsAll: false).object ?? [:]) }
        let value: JSON
        switch request.mediaType {
        case "application/json", "":
            do {
                value = try JSON.parse(request.body)
            } catch {
                throw .badPayload("\(error)", reason: "parseError")
            }
        case "application/x-www-form-urlencoded" where takesForms:
            value = .object(JSONObject(request.form().pairs.map { ($0.name, .string($0.value)) }))
        case let type: throw .badContentType(type)
        }
        let spelled = mode == .strict ? value : MemberSpelling.respelled(value)
        return Body(try shape.taking(spelled, at: "", knowsAll: mode == .strict).object ?? [:])
    }

    private func sessionTenant(of token: String, _ context: RequestContext) throws -> String? {
        let session = try Session.find(token, context)
        // Firebase's emulator parses the token before it checks anything else.
        if session == nil, mode == .emulator { throw APIError.refused(.invalidRefreshToken) }
        return session?.tenant
    }
}
