internal import LockstepEmulation
internal import LockstepPrimitives

/// The routes of the server.
///
/// Each operation is listed once, with its first path; ``everywhere(_:)`` adds the others.
enum RouteTable {
    static let toolkit = "/identitytoolkit.googleapis.com"
    static let legacy = "/www.googleapis.com/identitytoolkit/v3/relyingparty"

    /// The routes of apps and servers for accounts.
    static let accounts: [Endpoint] = [
        .post("/v1/accounts:signUp", .app, body: SignUpRoutes.body, .repeats) { try SignUpRoutes(context: $0).create() },
        .post("/v1/accounts:createAuthUri", .app, body: SignInRoutes.beginBody, .repeatsReading) {
            try SignInRoutes(context: $0).begin()
        },
        .post("/v1/accounts:signInWithPassword", .app, body: SignInRoutes.passwordBody, .repeats) {
            try SignInRoutes(context: $0).withPassword()
        },
        .post("/v1/accounts:signInWithEmailLink", .app, body: SignInRoutes.emailLinkBody, .repeats) {
            try SignInRoutes(context: $0).withEmailLink()
        },
        .post("/v1/accounts:signInWithPhoneNumber", .app, body: SignInRoutes.phoneNumberBody, .repeats) {
            try SignInRoutes(context: $0).withPhoneNumber()
        },
        .post("/v1/accounts:signInWithIdp", .app, body: SignInRoutes.identityProviderBody, .repeats) {
            try SignInRoutes(context: $0).withIdentityProvider()
        },
        .post("/v1/accounts:signInWithCustomToken", .app, body: SignInRoutes.customTokenBody, .repeats) {
            try SignInRoutes(context: $0).withCustomToken()
        },
        .post("/v1/accounts:sendOobCode", .app, body: VerificationRoutes.linkBody, .repeats) {
            try VerificationRoutes(context: $0).sendLink()
        },
        .post("/v1/accounts:resetPassword", .app, body: VerificationRoutes.resetBody, .repeats) {
            try VerificationRoutes(context: $0).resetPassword()
        },
        .post("/v1/accounts:sendVerificationCode", .app, body: VerificationRoutes.textBody) {
            try VerificationRoutes(context: $0).sendText()
        },
        .post("/v1/accounts:lookup", .app, body: UserRoutes.lookupBody, .repeatsReading) { try UserRoutes(context: $0).lookup() },
        .post("/v1/accounts:update", .app, body: UserRoutes.updateBody, .repeats) { try UserRoutes(context: $0).update() },
        .post("/v1/accounts:delete", .app, body: UserRoutes.deleteBody, .repeats) { try UserRoutes(context: $0).delete() },
    ]

    static let tokens: [Endpoint] = [
        .post("/securetoken.googleapis.com/v1/token", .keyWithForm, body: TokenRoutes.refreshBody, .repeats) {
            try TokenRoutes(context: $0).refresh()
        },
        .post("/v2/accounts:revokeToken", .administration, body: TokenRoutes.revokeBody, .repeatsReading) {
            try TokenRoutes(context: $0).revoke()
        },
        .post(scope + ":createSessionCookie", .administration, body: TokenRoutes.cookieBody, .repeatsReading) {
            try TokenRoutes(context: $0).createSessionCookie()
        },
    ]

    static let factors: [Endpoint] = [
        .post("/v2/accounts/mfaEnrollment:start", .app, body: FactorRoutes.enrolmentBody, .repeats) {
            try FactorRoutes(context: $0).startEnrolment()
        },
        .post("/v2/accounts/mfaEnrollment:finalize", .app, body: FactorRoutes.enrolmentProofBody, .repeats) {
            try FactorRoutes(context: $0).finishEnrolment()
        },
        .post("/v2/accounts/mfaEnrollment:withdraw", .app, body: FactorRoutes.withdrawBody, .repeats) {
            try FactorRoutes(context: $0).withdraw()
        },
        .post("/v2/accounts/mfaSignIn:start", .app, body: FactorRoutes.signInBody) {
            try FactorRoutes(context: $0).startSignIn()
        },
        .post("/v2/accounts/mfaSignIn:finalize", .app, body: FactorRoutes.signInProofBody, .repeats) {
            try FactorRoutes(context: $0).finishSignIn()
        },
        .post("/v2/accounts/passkeyEnrollment:start", .key, body: PasskeyRoutes.enrolmentBody, .repeats) {
            try PasskeyRoutes(context: $0).startEnrolment()
        },
        .post("/v2/accounts/passkeyEnrollment:finalize", .key, body: PasskeyRoutes.enrolmentProofBody, .repeats) {
            try PasskeyRoutes(context: $0).finishEnrolment()
        },
        .post("/v2/accounts/passkeySignIn:start", .key, body: PasskeyRoutes.signInBody) {
            try PasskeyRoutes(context: $0).startSignIn()
        },
        .post("/v2/accounts/passkeySignIn:finalize", .key, body: PasskeyRoutes.signInProofBody, .repeats) {
            try PasskeyRoutes(context: $0).finishSignIn()
        },
    ]
}

extension RouteTable {
    /// A project, or one tenant of it; the part in brackets may be missing.
    static let scope = "/v1/projects/{project}[/tenants/{tenant}]"

    /// The other paths of operations: those of version 3, which the iOS SDK still calls, and those of servers, which
    /// contain the project.
    private static let otherPaths: [String: [String]] = [
        "/v1/accounts:createAuthUri": [legacy + "/createAuthUri"],
        "/v1/accounts:delete": [legacy + "/deleteAccount", scope + "/accounts:delete"],
        "/v1/accounts:lookup": [legacy + "/getAccountInfo", scope + "/accounts:lookup"],
        "/v1/accounts:resetPassword": [legacy + "/resetPassword"],
        "/v1/accounts:sendOobCode": [legacy + "/getOobConfirmationCode", scope + "/accounts:sendOobCode"],
        "/v1/accounts:sendVerificationCode": [legacy + "/sendVerificationCode"],
        "/v1/accounts:signInWithCustomToken": [legacy + "/verifyCustomToken"],
        "/v1/accounts:signInWithEmailLink": [legacy + "/emailLinkSignin"],
        "/v1/accounts:signInWithIdp": [legacy + "/verifyAssertion"],
        "/v1/accounts:signInWithPassword": [legacy + "/verifyPassword"],
        "/v1/accounts:signInWithPhoneNumber": [legacy + "/verifyPhoneNumber"],
        "/v1/accounts:signUp": [legacy + "/signupNewUser", scope + "/accounts"],
        "/v1/accounts:update": [legacy + "/setAccountInfo", scope + "/accounts:update"],
        "/v1/projects": [legacy + "/getProjectConfig"],
        "/v1/recaptchaParams": [legacy + "/getRecaptchaParam"],
        scope + "/accounts:query": ["/v1/projects/{project}:queryAccounts"],
        "/v2/projects/{project}/config": ["/admin/v2/projects/{project}/config"],
    ]

    /// Returns an operation under all of its paths.
    ///
    /// Paths without a server name belong to the Identity Toolkit.
    private static func everywhere(_ endpoint: Endpoint) -> [Endpoint] {
        let patterns = [endpoint.pattern] + (otherPaths[endpoint.pattern] ?? [])
        return patterns.flatMap(choices).map { pattern in
            let isBare = ["/v1/", "/v2/", "/admin/v2/"].contains { pattern.hasPrefix($0) }
            return Endpoint(
                endpoint.method, isBare ? toolkit + pattern : pattern, endpoint.access, body: endpoint.body, endpoint.run,
                endpoint.handler)
        }
    }

    /// Returns the patterns with and without the part in brackets.
    private static func choices(_ pattern: String) -> [String] {
        guard case (let head, let rest?) = pattern.cut(at: "["), case (let choice, let tail?) = rest.cut(at: "]") else {
            return [pattern]
        }
        return ["\(head)\(tail)", "\(head)\(choice)\(tail)"]
    }

    /// All routes of a server.
    static func router(_ state: ServerState) -> Router {
        var router = Router()
        let endpoints =
            accounts + tokens + factors + administration + projects + providers + notBuilt + emulator + pages + documents
        router.add(endpoints.flatMap(everywhere), on: state)
        if state.mode == .strict { router.add(strictDocuments, on: state) }
        // Firebase's emulator lists codes and deletes all users for any caller; this emulator rejects pages of other
        // sites. Configurations contain the URLs of functions and providers that this server calls, and errors repeat
        // their responses. A page of another site must not read other servers of this machine in this way.
        router.testPaths =
            ["/emulator/v1/", ServerRoutes.triggers] + ["/v2/projects/", "/admin/v2/projects/"].map { toolkit + $0 }
        CrossOrigin.install(in: &router)
        let finish = router.after
        router.after = { request, response in
            finish(request, &response)
            state.sendEvents()
        }
        Failures.install(in: &router, state)
        return router
    }
}
