internal import LockstepEmulation
internal import LockstepPrimitives

/// The routes.
struct Routes: Sendable {
    private static let toolkit = "/identitytoolkit.googleapis.com"
    private static let legacy = "/www.googleapis.com/identitytoolkit/v3/relyingparty"

    let backend: Backend
    let workers: Workers

    func router() -> Router {
        var router = Router()
        addAccounts(&router)
        addFactors(&router)
        addProjects(&router)
        addNotBuilt(&router)
        addLegacy(&router)
        addEmulators(&router)
        addPages(&router)
        // Firebase's emulator lists codes and deletes all users for any caller; this one refuses pages of other sites.
        router.testPaths = ["/emulator/v1/"]
        router.before = Conventions.preflight
        router.after = Conventions.allowOrigin
        router.notFound = { _ in Conventions.answer(.notFound) }
        router.methodNotAllowed = Conventions.methodNotAllowed
        router.failed = { error, _ in Conventions.answer(error) }
        router.refused = { refusal, _ in Conventions.answer(refusal) }
        return router
    }

    private func add(_ router: inout Router, _ method: String, _ path: String, _ door: Door) {
        router.on(method, path) { request -> Reply in try reply(to: request, door) }
    }

    private func add(
        _ router: inout Router, _ method: String, _ path: String, _ operation: any Operation,
        _ access: Door.Access = .keyOrAdministrator
    ) {
        add(&router, method, path, Door(operation: operation, access: access))
    }

    /// Answers calls that read or write a few rows at once; hashing and signing leave the server's thread.
    private func reply(to request: EmulatorRequest, project: String? = nil, _ door: Door) throws -> Reply {
        let call = try door.call(request, project: project, backend)
        let isSlow =
            switch door.operation.effort(of: call) {
            // A token of another server on the same folder may arrive before this server has the key.
            case .rows: backend.mode == .strict && call.idToken != nil && backend.tokens.key == nil
            case .tokens: backend.mode == .strict
            case .hashing: true
            }
        guard isSlow else { return .now(.json(try door.operation.answer(call))) }
        return .later {
            try await backend.ready()
            return try await workers.run { .json(try door.operation.answer(call)) }
        }
    }
}

extension Routes {
    private static let accounts: [(name: String, operation: any Operation)] = [
        ("createAuthUri", CreateAuthURI()), ("delete", DeleteAccount()), ("lookup", Lookup()),
        ("resetPassword", ResetPassword()), ("sendOobCode", SendOobCode()), ("sendVerificationCode", SendVerificationCode()),
        ("signInWithCustomToken", SignInWithCustomToken()), ("signInWithEmailLink", SignInWithEmailLink()),
        ("signInWithIdp", SignInWithIdp()), ("signInWithPassword", SignInWithPassword()),
        ("signInWithPhoneNumber", SignInWithPhoneNumber()), ("signUp", SignUp()), ("update", UpdateAccount()),
    ]

    private func addAccounts(_ router: inout Router) {
        for (name, operation) in Self.accounts { add(&router, "POST", Self.toolkit + "/v1/accounts:\(name)", operation) }
        add(
            &router, "POST", "/securetoken.googleapis.com/v1/token",
            Door(operation: GrantToken(), access: .keyOnly, takesForms: true))
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
        let administration: [(name: String, operation: any Operation)] = [
            ("batchCreate", BatchCreate()), ("batchDelete", BatchDelete()), ("delete", DeleteAccount()), ("lookup", Lookup()),
            ("query", QueryAccounts()), ("sendOobCode", SendOobCode()), ("update", UpdateAccount()),
        ]
        let project = Self.toolkit + "/v1/projects/{project}"
        for space in [project, project + "/tenants/{tenant}"] {
            add(&router, "POST", space + "/accounts", SignUp())
            for (name, operation) in administration { add(&router, "POST", space + "/accounts:\(name)", operation) }
            add(&router, "GET", space + "/accounts:batchGet", BatchGet())
            add(&router, "POST", space + ":createSessionCookie", CreateSessionCookie())
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

    private func addNotBuilt(_ router: inout Router) {
        func add(_ method: String, _ path: String, _ name: String) {
            self.add(&router, method, Self.toolkit + path, NotBuilt(name: "identitytoolkit." + name))
        }
        for name in ["issueSamlResponse", "signInWithGameCenter", "verifyIosClient"] {
            add("POST", "/v1/accounts:\(name)", "accounts.\(name)")
        }
        add("GET", "/v2/recaptchaConfig", "getRecaptchaConfig")
        add("GET", "/v2/defaultSupportedIdps", "defaultSupportedIdps.list")
        add("POST", "/v2/projects/{project}/identityPlatform:initializeAuth", "projects.identityPlatform.initializeAuth")
        for (space, prefix) in [
            ("/v2/projects/{project}", "projects"), ("/v2/projects/{project}/tenants/{tenant}", "projects.tenants"),
        ] {
            for kind in ["defaultSupportedIdpConfigs", "inboundSamlConfigs", "oauthIdpConfigs"] {
                add("GET", "\(space)/\(kind)", "\(prefix).\(kind).list")
                add("POST", "\(space)/\(kind)", "\(prefix).\(kind).create")
                add("GET", "\(space)/\(kind)/{id}", "\(prefix).\(kind).get")
                add("PATCH", "\(space)/\(kind)/{id}", "\(prefix).\(kind).patch")
                add("DELETE", "\(space)/\(kind)/{id}", "\(prefix).\(kind).delete")
            }
        }
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
        for (name, operation) in Self.accounts {
            let old = names.first { $0.value == name }?.key ?? name
            add(&router, "POST", Self.legacy + "/" + old, operation)
        }
        for method in ["GET", "POST"] {
            add(&router, method, Self.legacy + "/getProjectConfig", ProjectInfo())
            add(&router, method, Self.legacy + "/getRecaptchaParam", RecaptchaParameters())
        }
        router.post(Self.legacy + "/signOutUser") { _ throws -> EmulatorResponse in
            throw APIError.notImplemented("signOutUser is not implemented in the Auth Emulator.")
        }
        router.post(Self.legacy + "/downloadAccount") { request -> Reply in
            let (request, project) = try LegacyTransfer.download(request)
            return try reply(to: request, project: project, Door(operation: BatchGet(), access: .keyOrAdministrator))
        }
        router.post(Self.legacy + "/uploadAccount") { request -> Reply in
            let (request, project) = try LegacyTransfer.upload(request)
            return try reply(to: request, project: project, Door(operation: BatchCreate(), access: .keyOrAdministrator))
        }
    }

    private func addEmulators(_ router: inout Router) {
        let project = "/emulator/v1/projects/{project}"
        for space in [project, project + "/tenants/{tenant}"] {
            add(&router, "DELETE", space + "/accounts", DeleteAllAccounts(), .open)
            add(&router, "GET", space + "/oobCodes", ListActionCodes(), .open)
            add(&router, "GET", space + "/verificationCodes", ListTextCodes(), .open)
        }
        add(&router, "GET", project + "/config", GetEmulatorConfig(), .open)
        add(&router, "PATCH", project + "/config", UpdateEmulatorConfig(), .open)
        router.get("/") { _ throws -> EmulatorResponse in
            .json([
                "authEmulator": [
                    "ready": true, "docs": "https://firebase.google.com/docs/emulator-suite", "apiSpec": "/emulator/openapi.json",
                ]
            ])
        }
    }
}

extension Routes {
    /// Pages for people and keys for servers.
    private func addPages(_ router: inout Router) {
        let page = Door(operation: GetTenant(), access: .open)
        for method in ["GET", "HEAD"] {
            router.on(method, "/emulator/action") { request -> Reply in
                let call = try page.pageCall(request, backend)
                return .later { try await workers.run { try EmulatorAction(call: call).answer() } }
            }
            router.on(method, "/__/auth/action") { request throws -> EmulatorResponse in
                try ActionPage(call: try page.pageCall(request, backend), form: nil).answer()
            }
        }
        router.post("/__/auth/action") { request -> Reply in
            let call = try page.pageCall(request, backend, form: request.form())
            return .later { try await workers.run { try ActionPage(call: call, form: request.form()).answer() } }
        }
        for path in [
            "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
            Self.toolkit + "/v1/sessionCookiePublicKeys",
        ] {
            router.get(path, suspending: { request in try await keys { try await backend.tokens.keySet() } })
        }
        router.get(
            "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
            suspending: { _ in
                try await keys { try await backend.tokens.certificates() }
            })
    }

    private func keys(_ document: () async throws -> JSON) async throws -> EmulatorResponse {
        guard backend.mode == .strict else {
            throw APIError.notImplemented(
                "identitytoolkit.getSessionCookiePublicKeys is not implemented in the Auth Emulator.")
        }
        try await backend.ready()
        return .json(try await document()).with("Cache-Control", "public, max-age=3600")
    }
}
