internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// The routes and their endpoints.
struct RouteTable: Sendable {
    private static let toolkit = "/identitytoolkit.googleapis.com"
    private static let legacy = "/www.googleapis.com/identitytoolkit/v3/relyingparty"

    let state: ServerState

    var router: Router {
        var router = Router()
        addAccounts(&router)
        addFactors(&router)
        addProjects(&router)
        addProviders(&router)
        addNotBuilt(&router)
        addLegacy(&router)
        addEmulators(&router)
        addPages(&router)
        // Firebase's emulator lists codes and deletes all users for any caller; this one refuses pages of other sites.
        // Configurations name the functions and providers that this server asks, whose answers a refusal repeats: a page of another site
        // must not read other servers of this machine so.
        router.testPaths =
            ["/emulator/v1/", EmulatorHub.triggers] + ["/v2/projects/", "/admin/v2/projects/"].map { Self.toolkit + $0 }
        CrossOrigin.install(in: &router)
        let finish = router.after
        router.after = { [state] request, response in
            finish(request, &response)
            state.sendEvents()
        }
        Failures.install(in: &router, state)
        return router
    }

    private func add(
        _ router: inout Router, _ method: String, _ path: String, _ endpoint: any Endpoint,
        _ access: EndpointAuthorizer.Access = .keyOrAdministrator, takesForms: Bool = false
    ) {
        let authorizer = EndpointAuthorizer(
            shape: endpoint.shape, access: access, mode: state.mode, takesForms: takesForms)
        router.on(method, path) { request -> Reply in try reply(to: request, endpoint, authorizer) }
    }

    /// Runs an endpoint in a transaction; a request that is refused without the tables needs none.
    private func reply(
        to request: EmulatorRequest, project: String? = nil, _ endpoint: any Endpoint, _ authorizer: EndpointAuthorizer
    ) throws -> Reply {
        let claim = try authorizer.claim(of: request, project: project)
        return TransactionRunner(state).reply(to: request, endpoint.isReading ? .reads : .writes) { context in
            .json(try endpoint.answer(authorizer.authorize(claim, context)))
        }
    }
}

extension RouteTable {
    private static let accounts: [(name: String, endpoint: any Endpoint)] = [
        ("createAuthUri", CreateAuthURI()), ("delete", DeleteAccount()), ("lookup", Lookup()),
        ("resetPassword", ResetPassword()), ("sendOobCode", SendOobCode()), ("sendVerificationCode", SendVerificationCode()),
        ("signInWithCustomToken", SignInWithCustomToken()), ("signInWithEmailLink", SignInWithEmailLink()),
        ("signInWithIdp", SignInWithIdp()), ("signInWithPassword", SignInWithPassword()),
        ("signInWithPhoneNumber", SignInWithPhoneNumber()), ("signUp", SignUp()), ("update", UpdateAccount()),
    ]

    private func addAccounts(_ router: inout Router) {
        for (name, endpoint) in Self.accounts { add(&router, "POST", Self.toolkit + "/v1/accounts:\(name)", endpoint) }
        add(&router, "POST", "/securetoken.googleapis.com/v1/token", GrantToken(), .keyOnly, takesForms: true)
    }

    private func addFactors(_ router: inout Router) {
        let accounts = Self.toolkit + "/v2/accounts/"
        add(&router, "POST", accounts + "mfaEnrollment:start", StartEnrolment())
        add(&router, "POST", accounts + "mfaEnrollment:finalize", FinalizeEnrolment())
        add(&router, "POST", accounts + "mfaEnrollment:withdraw", WithdrawFactor())
        add(&router, "POST", accounts + "mfaSignIn:start", StartFactor())
        add(&router, "POST", accounts + "mfaSignIn:finalize", FinalizeFactor())
        add(&router, "POST", accounts + "passkeyEnrollment:start", StartPasskeyEnrolment(), .keyOnly)
        add(&router, "POST", accounts + "passkeyEnrollment:finalize", FinalizePasskeyEnrolment(), .keyOnly)
        add(&router, "POST", accounts + "passkeySignIn:start", StartPasskeySignIn(), .keyOnly)
        add(&router, "POST", accounts + "passkeySignIn:finalize", FinalizePasskeySignIn(), .keyOnly)
    }

    private func addProjects(_ router: inout Router) {
        let administration: [(name: String, endpoint: any Endpoint)] = [
            ("batchCreate", BatchCreate()), ("batchDelete", BatchDelete()), ("delete", DeleteAccount()), ("lookup", Lookup()),
            ("query", QueryAccounts()), ("sendOobCode", SendOobCode()), ("update", UpdateAccount()),
        ]
        let project = Self.toolkit + "/v1/projects/{project}"
        for scope in [project, project + "/tenants/{tenant}"] {
            add(&router, "POST", scope + "/accounts", SignUp())
            for (name, endpoint) in administration { add(&router, "POST", scope + "/accounts:\(name)", endpoint) }
            add(&router, "GET", scope + "/accounts:batchGet", BatchGet())
            add(&router, "POST", scope + ":createSessionCookie", CreateSessionCookie())
        }
        add(&router, "POST", project + ":queryAccounts", QueryAccounts())
        add(&router, "GET", Self.toolkit + "/v1/projects", ProjectInfo())
        add(&router, "GET", Self.toolkit + "/v1/recaptchaParams", RecaptchaParameters())
        add(&router, "GET", Self.toolkit + "/v2/passwordPolicy", GetPasswordPolicy())
        add(&router, "POST", Self.toolkit + "/v2/accounts:revokeToken", RevokeToken())
        let config = Self.toolkit + "/v2/projects/{project}"
        for config in [config, Self.toolkit + "/admin/v2/projects/{project}"] {
            add(&router, "GET", config + "/config", GetProjectConfig())
            add(&router, "PATCH", config + "/config", UpdateProjectConfig())
        }
        add(&router, "POST", config + "/tenants", CreateTenant())
        add(&router, "GET", config + "/tenants", ListTenants())
        add(&router, "GET", config + "/tenants/{tenant}", GetTenant())
        add(&router, "PATCH", config + "/tenants/{tenant}", UpdateTenant())
        add(&router, "DELETE", config + "/tenants/{tenant}", DeleteTenant())
    }

    /// The configurations of identity providers, which Firebase's emulator lacks.
    private func addProviders(_ router: inout Router) {
        let project = Self.toolkit + "/v2/projects/{project}"
        for scope in [project, project + "/tenants/{tenant}"] {
            for kind in ProviderConfig.allCases {
                let list = "\(scope)/\(kind.rawValue)"
                add(&router, "GET", list, ListProviderConfigs(kind: kind))
                add(&router, "POST", list, CreateProviderConfig(kind: kind))
                add(&router, "GET", list + "/{id}", GetProviderConfig(kind: kind))
                add(&router, "PATCH", list + "/{id}", UpdateProviderConfig(kind: kind))
                add(&router, "DELETE", list + "/{id}", DeleteProviderConfig(kind: kind))
            }
        }
        add(&router, "GET", Self.toolkit + "/v2/defaultSupportedIdps", ListKnownProviders())
    }

    private func addNotBuilt(_ router: inout Router) {
        func add(_ method: String, _ path: String, _ name: String) {
            self.add(&router, method, Self.toolkit + path, NotBuilt(name: "identitytoolkit." + name))
        }
        for name in ["issueSamlResponse", "signInWithGameCenter", "verifyIosClient"] {
            add("POST", "/v1/accounts:\(name)", "accounts.\(name)")
        }
        add("GET", "/v2/recaptchaConfig", "getRecaptchaConfig")
        add("POST", "/v2/projects/{project}/identityPlatform:initializeAuth", "projects.identityPlatform.initializeAuth")
        for name in ["getIamPolicy", "setIamPolicy", "testIamPermissions"] {
            add("POST", "/v2/projects/{project}/tenants/{tenant}:\(name)", "projects.tenants.\(name)")
        }
    }

    /// The names of version 3, which the iOS SDK calls to this day.
    private func addLegacy(_ router: inout Router) {
        let names = [
            "deleteAccount": "delete", "emailLinkSignin": "signInWithEmailLink", "getAccountInfo": "lookup",
            "getOobConfirmationCode": "sendOobCode", "setAccountInfo": "update", "signupNewUser": "signUp",
            "verifyAssertion": "signInWithIdp", "verifyCustomToken": "signInWithCustomToken",
            "verifyPassword": "signInWithPassword", "verifyPhoneNumber": "signInWithPhoneNumber",
        ]
        for (name, endpoint) in Self.accounts {
            let old = names.first { $0.value == name }?.key ?? name
            add(&router, "POST", Self.legacy + "/" + old, endpoint)
        }
        for method in ["GET", "POST"] {
            add(&router, method, Self.legacy + "/getProjectConfig", ProjectInfo())
            add(&router, method, Self.legacy + "/getRecaptchaParam", RecaptchaParameters())
        }
        router.post(Self.legacy + "/signOutUser") { _ throws -> EmulatorResponse in
            throw APIError.notImplemented("signOutUser is not implemented in the Auth Emulator.")
        }
        addTransfer(&router, "downloadAccount", BatchGet(), LegacyTransfer.download)
        addTransfer(&router, "uploadAccount", BatchCreate(), LegacyTransfer.upload)
    }

    private func addTransfer(
        _ router: inout Router, _ name: String, _ endpoint: any Endpoint,
        _ transfer: @escaping @Sendable (EmulatorRequest) throws(APIError) -> (EmulatorRequest, project: String)
    ) {
        let authorizer = EndpointAuthorizer(shape: endpoint.shape, access: .keyOrAdministrator, mode: state.mode)
        router.post(Self.legacy + "/" + name) { request -> Reply in
            let (request, project) = try transfer(request)
            return try reply(to: request, project: project, endpoint, authorizer)
        }
    }

    private func addEmulators(_ router: inout Router) {
        let project = "/emulator/v1/projects/{project}"
        for scope in [project, project + "/tenants/{tenant}"] {
            add(&router, "DELETE", scope + "/accounts", DeleteAllAccounts(), .open)
            add(&router, "GET", scope + "/oobCodes", ListActionCodes(), .open)
            add(&router, "GET", scope + "/verificationCodes", ListTextCodes(), .open)
        }
        add(&router, "GET", project + "/config", GetEmulatorConfig(), .open)
        add(&router, "PATCH", project + "/config", UpdateEmulatorConfig(), .open)
        EmulatorHub.install(in: &router, state)
        for method in ["GET", "HEAD"] {
            router.on(method, "/") { _ throws -> EmulatorResponse in
                .json([
                    "authEmulator": [
                        "ready": true, "docs": "https://firebase.google.com/docs/emulator-suite",
                        "apiSpec": "/emulator/openapi.json",
                    ]
                ])
            }
        }
    }
}

extension RouteTable {
    /// Pages for people and keys for servers.
    private func addPages(_ router: inout Router) {
        let runner = TransactionRunner(state)
        for method in ["GET", "HEAD"] {
            router.on(method, "/emulator/action") { request -> Reply in
                runner.reply(to: request) { context in
                    try EmulatorAction(request: EndpointAuthorizer.page(context)).answer()
                }
            }
            router.on(method, ActionPage.path) { request -> Reply in
                runner.reply(to: request, .reads) { context in
                    try ActionPage(request: EndpointAuthorizer.page(context), form: nil).answer()
                }
            }
        }
        addSignInPages(&router, runner)
        router.post(ActionPage.path) { request -> Reply in
            let form = request.form()
            return runner.reply(to: request) { context in
                try ActionPage(request: EndpointAuthorizer.page(context, form: form), form: form).answer()
            }
        }
        for path in [
            "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
            Self.toolkit + "/v1/sessionCookiePublicKeys",
        ] {
            router.get(path, suspending: { _ in try await keys { key in JSONWebKeySet(publishing: [key]).json } })
        }
        var certificates = ["/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"]
        // Those of session cookies, where the Admin SDKs ask for them; Firebase's emulator has no such path.
        if state.mode == .strict { certificates.append(Self.legacy + "/publicKeys") }
        for path in certificates {
            router.get(path, suspending: { _ in try await keys { key in try Certificate.document(of: key) } })
        }
    }

    /// The pages behind the SDKs' sign-in by pop-up and redirect.
    private func addSignInPages(_ router: inout Router, _ runner: TransactionRunner<ServerState>) {
        router.get(ProviderChooser.path) { request -> Reply in
            runner.reply(to: request, .reads) { context in
                try ProviderChooser(request: EndpointAuthorizer.page(context)).answer()
            }
        }
        router.get(RelayFrame.path) { _ throws -> EmulatorResponse in RelayFrame.page }
        for (path, script) in [(ProviderChooser.scriptPath, ProviderChooser.script), (RelayFrame.scriptPath, RelayFrame.script)] {
            router.get(path) { _ throws -> EmulatorResponse in .text(script, contentType: "text/javascript; charset=utf-8") }
        }
    }

    /// The public half of the signing key.
    private func keys(_ document: (SigningKey) throws -> JSON) async throws -> EmulatorResponse {
        guard state.mode == .strict else {
            throw APIError.notImplemented(
                "identitytoolkit.getSessionCookiePublicKeys is not implemented in the Auth Emulator.")
        }
        return .json(try document(try await state.signingKey.value)).with("Cache-Control", "public, max-age=3600")
    }
}

/// The headers that browsers need before a page may call another origin.
enum CrossOrigin {
    static func install(in router: inout Router) {
        router.before = preflight
        router.after = allowOrigin
    }

    /// Answers a browser's preflight request.
    @Sendable private static func preflight(_ request: EmulatorRequest) -> EmulatorResponse? {
        guard request.method == "OPTIONS" else { return nil }
        var response = EmulatorResponse.empty()
            .with("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
            .with("Vary", "Origin, Access-Control-Request-Headers")
        response.headers["Access-Control-Allow-Headers"] = request.headers["access-control-request-headers"]
        return response
    }

    /// Pages have no such header: they are opened, and no script of another site may read the accounts and codes in them.
    @Sendable private static func allowOrigin(_ request: EmulatorRequest, _ response: inout EmulatorResponse) {
        if response.headers["Content-Type"]?.hasPrefix("text/html") == true { return }
        response.headers["Access-Control-Allow-Origin"] = request.headers["origin"]
        if response.headers["Vary"] == nil { response.headers["Vary"] = "Origin" }
        if request.headers["access-control-request-private-network"] != nil {
            response.headers["Access-Control-Allow-Private-Network"] = "true"
        }
    }
}
