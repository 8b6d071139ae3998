internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The routes and their endpoints.
struct RouteTable {
    let state: ServerState

    var router: Router {
        var router = Router()
        // At the root like GoTrue itself, below /auth/v1 like the platform's gateway.
        router.mounts = ["", Gateway.mount]
        info(&router)
        router.add(Self.people, on: state)
        people(&router)
        factors(&router)
        administration(&router)
        absent(&router)
        CrossOrigin.install(in: &router, allowing: state.settings.allowedHeaders, behind: Gateway(state: state))
        Failures(state: state).install(in: &router)
        return router
    }

    private func on(_ router: inout Router, _ method: String, _ pattern: String, _ endpoint: some FormerEndpoint) {
        let runner = TransactionRunner(state)
        router.on(method, pattern) { request -> Reply in
            runner.reply(to: request, endpoint.isReading ? .reads : .writes) { try endpoint.answer($0) }
        }
    }

    private func info(_ router: inout Router) {
        let info = Info(state: state)
        router.get("/health") { _ -> EmulatorResponse in .go(Info.health) }
        router.get("/settings") { _ -> EmulatorResponse in .go(info.settings) }
        router.get("/.well-known/jwks.json") { _ -> EmulatorResponse in Info.cached(info.state.keys.published) }
        router.get("/.well-known/openid-configuration") { _ -> EmulatorResponse in Info.cached(info.discovery) }
    }

    static let people: [Endpoint] = [
        .post("/signup/?", .anyone, body: SignUpRoutes.body, .repeats) { try SignUpRoutes(context: $0).create() }
    ]

    private func people(_ router: inout Router) {
        on(&router, "POST", "/token", TokenEndpoint())
        on(&router, "POST", "/otp", OTPEndpoint())
        on(&router, "POST", "/magiclink", MagicLinkEndpoint())
        on(&router, "POST", "/recover", RecoverEndpoint())
        on(&router, "POST", "/resend", ResendEndpoint())
        on(&router, "GET", "/verify/?", VerifyLinkEndpoint())
        on(&router, "POST", "/verify/?", VerifyEndpoint())
        on(&router, "POST", "/logout", LogoutEndpoint())
        on(&router, "GET", "/reauthenticate/?", ReauthenticateEndpoint())
        on(&router, "GET", "/user/?", UserEndpoint())
        on(&router, "PUT", "/user/?", UpdateUserEndpoint())
        on(&router, "GET", "/user/identities/authorize", LinkIdentityEndpoint())
        on(&router, "DELETE", "/user/identities/{identity_id}", UnlinkIdentityEndpoint())
        on(&router, "GET", "/authorize", AuthorizeEndpoint())
        on(&router, "GET", "/callback/?", CallbackEndpoint())
        on(&router, "POST", "/callback/?", CallbackEndpoint())
        on(&router, "POST", "/invite", InviteEndpoint())
    }

    private func factors(_ router: inout Router) {
        on(&router, "POST", "/factors/?", EnrollEndpoint())
        on(&router, "POST", "/factors/{factor_id}/challenge", ChallengeEndpoint())
        on(&router, "POST", "/factors/{factor_id}/verify", VerifyFactorEndpoint())
        on(&router, "DELETE", "/factors/{factor_id}/?", UnenrollEndpoint())
        on(&router, "POST", "/passkeys/registration/options", PasskeyRegistrationOptionsEndpoint())
        on(&router, "POST", "/passkeys/registration/verify", PasskeyRegistrationEndpoint())
        on(&router, "POST", "/passkeys/authentication/options", PasskeySignInOptionsEndpoint())
        on(&router, "POST", "/passkeys/authentication/verify", PasskeySignInEndpoint())
        on(&router, "GET", "/passkeys/?", PasskeyListEndpoint())
        on(&router, "PATCH", "/passkeys/{passkey_id}/?", PasskeyEndpoint())
        on(&router, "DELETE", "/passkeys/{passkey_id}/?", PasskeyEndpoint())
    }

    private func administration(_ router: inout Router) {
        on(&router, "GET", "/admin/users/?", ListUsersEndpoint())
        on(&router, "POST", "/admin/users/?", CreateUserEndpoint())
        on(&router, "GET", "/admin/users/{user_id}/?", UserByAdminEndpoint())
        on(&router, "PUT", "/admin/users/{user_id}/?", UpdateUserByAdminEndpoint())
        on(&router, "DELETE", "/admin/users/{user_id}/?", DeleteUserEndpoint())
        on(&router, "GET", "/admin/users/{user_id}/factors/?", ListFactorsEndpoint())
        on(&router, "PUT", "/admin/users/{user_id}/factors/{factor_id}/?", UpdateFactorByAdminEndpoint())
        on(&router, "DELETE", "/admin/users/{user_id}/factors/{factor_id}/?", DeleteFactorByAdminEndpoint())
        on(&router, "GET", "/admin/users/{user_id}/passkeys/?", PasskeysByAdminEndpoint())
        on(&router, "DELETE", "/admin/users/{user_id}/passkeys/{passkey_id}/?", PasskeysByAdminEndpoint())
        on(&router, "POST", "/admin/generate_link", GenerateLinkEndpoint())
        on(&router, "GET", "/admin/audit/?", AuditEndpoint())
    }

    /// The routes of features that are off; every request gets the feature's error.
    private func absent(_ router: inout Router) {
        let saml = GoTrueError.notFound(.samlDisabled, "SAML 2.0 is disabled")
        let oauth = GoTrueError.notFound(.featureDisabled, "OAuth server is disabled")
        let scim = GoTrueError.notFound(.featureDisabled, "SCIM server is disabled")
        for (method, pattern, error) in [
            ("POST", "/sso/?", saml), ("GET", "/sso/saml/metadata", saml), ("POST", "/sso/saml/acs", saml),
            ("GET", "/oauth/authorize", oauth), ("POST", "/oauth/token", oauth), ("POST", "/oauth/clients/register", oauth),
            ("GET", "/oauth/userinfo", oauth), ("GET", "/oauth/authorizations/{authorization_id}", oauth),
            ("POST", "/oauth/authorizations/{authorization_id}/consent", oauth),
            ("GET", "/.well-known/oauth-authorization-server", oauth), ("GET", "/scim/v2/{rest...}", scim),
            ("POST", "/scim/v2/{rest...}", scim),
        ] {
            on(&router, method, pattern, AbsentEndpoint(error: error))
        }
        let client = "/admin/oauth/clients/{client_id}"
        for (method, pattern, error) in [
            ("GET", "/admin/oauth/clients/?", oauth), ("POST", "/admin/oauth/clients/?", oauth), ("GET", client + "/?", oauth),
            ("PUT", client + "/?", oauth), ("DELETE", client + "/?", oauth), ("POST", client + "/regenerate_secret", oauth),
            ("GET", "/admin/sso/providers/?", saml), ("POST", "/admin/sso/providers/?", saml),
            ("POST", "/admin/custom-providers/?", GoTrueError.notFound(.featureDisabled, "Custom OAuth providers are disabled")),
        ] {
            on(&router, method, pattern, AbsentEndpoint(error: error, caller: .administrator))
        }
        for method in ["GET", "DELETE"] {
            on(&router, method, "/user/oauth/grants/?", AbsentEndpoint(error: oauth, caller: .user))
        }
        on(&router, "GET", "/admin/custom-providers/?", CustomProvidersEndpoint())
        for method in ["GET", "PUT", "DELETE"] {
            on(&router, method, "/admin/custom-providers/{identifier}/?", CustomProvidersEndpoint())
        }
    }
}

/// A feature that is off.
struct AbsentEndpoint: FormerEndpoint {
    let error: GoTrueError
    var caller = Caller.unchecked

    /// The bearer that is checked before the answer.
    enum Caller {
        case unchecked
        case user
        case administrator
    }

    var isReading: Bool { true }

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        switch caller {
        case .unchecked: break
        case .user: try context.authenticator.requireUser()
        case .administrator: try context.authenticator.requireAdministrator()
        }
        throw error
    }
}

/// CORS as GoTrue has it, and as the platform's gateway has it below `/auth/v1`.
enum CrossOrigin {
    private static let methods: Set = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    private static let headers: Set = [
        "accept", "authorization", "content-type", "x-client-ip", "x-client-info", "x-jwt-aud", "x-use-cookie",
        "x-supabase-api-version",
    ]

    /// - Parameters:
    ///   - more: Further headers that the settings allow.
    ///   - gateway: Is asked after preflights, which carry no key.
    static func install(in router: inout Router, allowing more: [String], behind gateway: Gateway) {
        let allowed = headers.union(more.map { $0.lowercased() })
        router.before = { preflight($0, allowed) ?? gateway.refusal(of: $0) }
        router.after = addHeaders
    }

    private static func preflight(_ request: EmulatorRequest, _ allowed: Set<String>) -> EmulatorResponse? {
        guard request.method == "OPTIONS", let method = request.headers["access-control-request-method"], !method.isEmpty else {
            return nil
        }
        var response = EmulatorResponse.empty()
        response.headers["Vary"] = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"
        let asked = request.headers["access-control-request-headers"] ?? ""
        let names = asked.pieces(at: ",").map { $0.filter { $0 != " " }.lowercased() }
        let isAllowed = names.allSatisfy { allowed.contains($0) || Gateway.takes(request) }
        guard request.headers["origin"]?.isEmpty == false, methods.contains(method.uppercased()), isAllowed else {
            return response
        }
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Allow-Methods"] = method.uppercased()
        if !asked.isEmpty { response.headers["Access-Control-Allow-Headers"] = asked }
        response.headers["Access-Control-Allow-Credentials"] = "true"
        return response
    }

    private static func addHeaders(_ request: EmulatorRequest, _ response: inout EmulatorResponse) {
        if response.headers["Vary"] == nil { response.headers["Vary"] = "Origin" }
        let isPreflight = request.method == "OPTIONS" && request.headers["access-control-request-method"]?.isEmpty == false
        let isKnown = methods.contains(request.method) || request.method == "OPTIONS"
        guard !isPreflight, isKnown, let origin = request.headers["origin"], !origin.isEmpty else { return }
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Allow-Credentials"] = "true"
        response.headers["Access-Control-Expose-Headers"] = "X-Total-Count, Link, X-Supabase-Api-Version"
    }
}
