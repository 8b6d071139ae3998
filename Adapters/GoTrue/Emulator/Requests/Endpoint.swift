internal import LockstepEmulation
internal import LockstepPrimitives

/// One run of an endpoint in its transaction.
typealias RequestContext = LockstepEmulation.RequestContext<ServerState>

/// The handler of one route.
protocol Endpoint: Sendable {
    /// Whether it only reads and needs no transaction.
    var isReading: Bool { get }

    /// Answers a request; runs again after each deferred work.
    ///
    /// - Throws: `GoTrueError` for a refusal, `Redirected` for one that redirects a browser.
    func answer(_ context: RequestContext) throws -> EmulatorResponse
}

extension Endpoint {
    var isReading: Bool { false }
}

/// The rules that endpoints use, each a small type over the request.
extension RequestContext {
    var authenticator: BearerAuthenticator { BearerAuthenticator(context: self) }
    var limits: RequestLimits { RequestLimits(context: self) }
    var accounts: Accounts { Accounts(context: self) }
    var passwords: Passwords { Passwords(context: self) }
    var signUps: SignUps { SignUps(context: self) }
    var sessions: Sessions { Sessions(context: self) }
    var verification: Verification { Verification(context: self) }
    var flows: Flows { Flows(context: self) }
    var factors: FactorRules { FactorRules(context: self) }
    var passkeys: Passkeys { Passkeys(context: self) }
    var providerSignIn: ProviderSignIn { ProviderSignIn(context: self) }
    var providerClient: ProviderClient { ProviderClient(context: self) }
    var mailer: Mailer { Mailer(context: self) }
    var textMessages: TextMessages { TextMessages(context: self) }
    var hooks: Hooks { Hooks(context: self) }
    var auditLog: AuditLog { AuditLog(context: self) }
}

/// What a request says about itself.
extension RequestContext {
    /// The audience in which users are looked up.
    var audience: String {
        if let asked = request.headers["X-JWT-AUD"], !asked.isEmpty { return asked }
        if let own = caller?.claims.audience, !own.isEmpty { return own }
        return settings.tokens.audience
    }

    /// The target of links.
    var target: String { state.redirects.target(of: request) }

    /// The caller's address: the first of the forwarding header, or the socket's.
    var callerAddress: String {
        let forwarded = request.headers["X-Forwarded-For"]?.split(separator: ",").first.map { $0.filter { $0 != " " } }
        return forwarded ?? request.remoteAddress
    }

    /// An id of the path; one that is no UUID is not found.
    func pathID(_ name: String) throws(GoTrueError) -> String {
        guard let id = UUIDText.normal(request[placeholder: name]) else {
            throw GoTrueError.notFound(.validationFailed, "\(name) must be an UUID")
        }
        return id
    }
}

extension EmulatorResponse {
    static func go(_ value: JSON, status: Int = 200) -> EmulatorResponse { .json(value, status: status, style: .go) }
    static func go(_ object: JSONObject) -> EmulatorResponse { .go(.object(object)) }
}
