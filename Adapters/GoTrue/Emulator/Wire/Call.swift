internal import LockstepEmulation
internal import LockstepPrimitives

/// One run of a handler in its transaction.
typealias RequestContext = LockstepEmulation.RequestContext<ServerState>

/// One route.
typealias Endpoint = LockstepEmulation.Endpoint<ServerState>

extension ServerState {
    /// The callers that an endpoint accepts; the bearer token is checked before the handler.
    enum Access: Sendable {
        case anyone
        /// A signed-in user.
        case user
        /// A signed-in user who is not anonymous.
        case permanentUser
        case administrator
        /// The same callers, if passkeys are enabled in the settings.
        indirect case passkeys(Access)
    }

    /// The values of a request except its rows.
    struct Call: Sendable {
        /// The claims of the bearer token, after it was checked.
        var claims: AccessClaims?
        /// The user of the bearer token; `nil` for an administrator.
        var user: User?
        /// The session of the bearer token; `nil` if the token contains none.
        var session: Session?
        /// The body as the endpoint declares it.
        ///
        /// If it is invalid, the handler throws the error when it reads the body.
        var body: Result<Body, GoTrueError> = .success(Body())
    }

    var ownCall: Call { Call() }

    func call(of request: EmulatorRequest, to endpoint: Endpoint, _ settings: GoTrueSettings) -> Call {
        Call(body: Result { () throws(GoTrueError) in try Body(of: request, as: endpoint.body) })
    }

    func admit(_ context: RequestContext, to endpoint: Endpoint) throws { try context.authenticator.admit(endpoint.access) }
}

/// The rules that handlers use, each a small type that stores the request's context.
extension RequestContext {
    var authenticator: BearerAuthenticator { BearerAuthenticator(context: self) }
    var limits: RequestLimits { RequestLimits(context: self) }
    var users: Users { Users(context: self) }
    var passwords: Passwords { Passwords(context: self) }
    var signUps: SignUps { SignUps(context: self) }
    var sessions: Sessions { Sessions(context: self) }
    var refreshes: Refreshes { Refreshes(context: self) }
    var verification: Verification { Verification(context: self) }
    var flows: Flows { Flows(context: self) }
    var factors: Factors { Factors(context: self) }
    var passkeys: Passkeys { Passkeys(context: self) }
    var providerSignIn: ProviderSignIn { ProviderSignIn(context: self) }
    var providerRedirect: ProviderRedirect { ProviderRedirect(context: self) }
    var providerClient: ProviderClient { ProviderClient(context: self) }
    var mailer: Mailer { Mailer(context: self) }
    var textMessages: TextMessages { TextMessages(context: self) }
    var hooks: Hooks { Hooks(context: self) }
    var auditLog: AuditLog { AuditLog(context: self) }
}

/// The values of a request, and its sender.
extension RequestContext {
    /// The body, in the form that the endpoint declares.
    ///
    /// The real server reads the body after the bearer token, and usually after the limits. So the error of an invalid
    /// body is thrown when a handler reads it.
    var body: Body { get throws(GoTrueError) { try call.body.get() } }

    /// The body; an empty body has no members.
    var bodyIfSent: Body { get throws(GoTrueError) { request.body.isEmpty ? Body() : try body } }

    /// Reads the body for a route whose body depends on the request.
    ///
    /// - Parameters:
    ///   - schema: The members.
    ///   - prefix: The prefix of an error's message.
    /// - Throws: `GoTrueError`.
    func body(as schema: BodySchema, saying prefix: String = Body.prefix) throws(GoTrueError) -> Body {
        try Body(of: request, as: schema, saying: prefix)
    }

    /// The signed-in user of an endpoint for users.
    var user: User { get throws(GoTrueError) { if let user = call.user { user } else { throw .unhandled } } }

    /// The session of the bearer token; `nil` if the token contains none.
    var session: Session? { call.session }

    /// The audience in which users are looked up.
    var audience: String {
        if let asked = request.headers["X-JWT-AUD"], !asked.isEmpty { return asked }
        if let own = call.claims?.audience, !own.isEmpty { return own }
        return settings.tokens.audience
    }

    /// The target of links.
    var target: String { state.redirects.target(of: request) }

    /// The caller's address: the first one in the forwarding header, or the socket's.
    var callerAddress: String {
        let forwarded = request.headers["X-Forwarded-For"]?.pieces(at: ",").first.map { $0.filter { $0 != " " } }
        return forwarded ?? request.remoteAddress
    }

    /// Returns an id in the path; an id that is not a UUID is not found.
    func pathID(_ name: String) throws(GoTrueError) -> String {
        guard let id = UUIDText.normal(request[placeholder: name]) else { throw GoTrueError.malformedID(name) }
        return id
    }
}

extension EmulatorResponse {
    static func go(_ value: JSON, status: Int = 200) -> EmulatorResponse { .json(value, status: status, style: .go) }
    static func go(_ object: JSONObject) -> EmulatorResponse { .go(.object(object)) }
}
