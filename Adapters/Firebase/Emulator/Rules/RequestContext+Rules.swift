internal import LockstepEmulation
internal import LockstepPrimitives

/// One route.
typealias Endpoint = LockstepEmulation.Endpoint<ServerState>

/// One run of a handler in its transaction.
typealias RequestContext = LockstepEmulation.RequestContext<ServerState>

extension RequestContext {
    /// The project or tenant that the request is for.
    var scope: ProjectScope { call.scope }
    var rules: Rules { scope.rules }
    var body: Body { call.body }
    var query: Parameters { request.query }
    var isAdministrator: Bool { call.caller == .administrator }
    var isStrict: Bool { settings.mode == .strict }

    /// The view of a user that the caller gets.
    var view: User.View { isStrict && !isAdministrator ? .own : .whole }

    /// Returns a new random id of letters and digits, which is the same in every run.
    func newID(_ length: Int = 28) -> String {
        nextID(of: "id of \(length)") {
            $0.text(length, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        }
    }

    /// Returns a new random token with a number of bytes, in base 64 for URLs, which is the same in every run.
    func newToken(_ purpose: String, bytes: Int) -> String {
        nextID(of: purpose) { Base64.encode($0.bytes(bytes), .url) }
    }

    /// Returns a parameter of the query; in version 3, some are in the body.
    func parameter(_ name: String) -> String? { query[name] ?? body.text(name) }

    /// Returns the whole number of such a parameter; 0 if it is missing.
    func wholeNumber(_ name: String) throws(APIError) -> Int {
        guard let text = parameter(name) else { return 0 }
        guard let number = Int(text) else { throw .badPayload(" must be integer") }
        return number
    }

    /// Returns whether a text is a phone number, by the rules of the mode.
    func isPhoneNumber(_ text: String) -> Bool { Formats.isPhoneNumber(text, isStrict: isStrict) }

    /// Rejects the call if a tenant is switched off.
    func requireOpen() throws(APIError) {
        if rules.isDisabled { throw .refused(.projectDisabled) }
    }

    /// Rejects a client without the captcha that the project requires, in strict mode.
    ///
    /// The type of the client is "required when reCAPTCHA Enterprise is enabled" (Google's `SignUpRequest`), and the
    /// SDKs send the version with it. The order in which production checks them is not documented.
    ///
    /// - Parameter name: The member with the token.
    /// - Throws: `APIError`.
    func requireCaptcha(_ name: String = "captchaResponse") throws(APIError) {
        guard settings.asksForCaptcha, isStrict, !isAdministrator else { return }
        guard let token = body.given(name) else { throw .refused(.missingCaptcha) }
        try require(![nil, "CLIENT_TYPE_UNSPECIFIED"].contains(body.given("clientType")), .missingClientType)
        try require(![nil, "RECAPTCHA_VERSION_UNSPECIFIED"].contains(body.given("recaptchaVersion")), .missingCaptchaVersion)
        try require(token == FirebaseSettings.captchaToken, .invalidCaptcha)
    }

    func require(_ condition: Bool, _ code: ErrorCode, _ detail: String? = nil) throws(APIError) {
        if !condition { throw .refused(code, detail) }
    }

    /// Returns the value, or throws the error if the value is `nil`.
    func require<Value>(_ value: Value?, _ code: ErrorCode, _ detail: String? = nil) throws(APIError) -> Value {
        guard let value else { throw .refused(code, detail) }
        return value
    }
}

/// The rules that handlers share, each a small type that stores the request's context.
extension RequestContext {
    var users: UserRepository { UserRepository(context: self) }
    var tokens: TokenService { TokenService(context: self) }
    var passwords: PasswordService { PasswordService(context: self) }
    var actionCodes: ActionCodeService { ActionCodeService(context: self) }
    var phoneNumbers: PhoneNumberService { PhoneNumberService(context: self) }
    var factors: FactorService { FactorService(context: self) }
    var passkeys: PasskeyService { PasskeyService(context: self) }
    var functions: BlockingFunctions { BlockingFunctions(context: self) }
    var providerConfigs: ProviderConfigRepository { ProviderConfigRepository(context: self) }
    var trustedIssuers: TrustedIssuerService { TrustedIssuerService(context: self) }
    var scopes: ProjectScopeRepository { ProjectScopeRepository(context: self) }
}
