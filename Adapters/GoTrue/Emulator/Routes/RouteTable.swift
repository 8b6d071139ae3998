internal import LockstepEmulation
internal import LockstepPrimitives

/// The routes.
///
/// Each route declares who may call it (`ServerState.Access`), which body it has, and whether its handler runs again
/// after deferred work (`.repeats`).
enum RouteTable {
    static func router(on state: ServerState) -> Router {
        var router = Router()
        // The routes are at the root as in GoTrue itself, and below /auth/v1 as on the platform's gateway.
        router.mounts = ["", Gateway.mount]
        for list in [info, people, factors, passkeys, administration, absent] { router.add(list, on: state) }
        CrossOrigin.install(in: &router, allowing: state.settings.allowedHeaders, behind: Gateway(state: state))
        Failures(state: state).install(in: &router)
        return router
    }

    private static let info: [Endpoint] = [
        .get("/health", .anyone) { InfoRoutes(context: $0).health() },
        .get("/settings", .anyone) { InfoRoutes(context: $0).settings() },
        .get("/.well-known/jwks.json", .anyone) { InfoRoutes(context: $0).keys() },
        .get("/.well-known/openid-configuration", .anyone) { InfoRoutes(context: $0).discovery() },
    ]

    private static let people: [Endpoint] = [
        .post("/signup/?", .anyone, body: SignUpRoutes.body, .repeats) { try SignUpRoutes(context: $0).create() },
        .post("/token", .anyone, .repeats) { try TokenRoutes(context: $0).create() },
        .post("/otp", .anyone, body: MessageRoutes.codeBody, .repeats) { try MessageRoutes(context: $0).sendCode() },
        .post("/magiclink", .anyone, body: MessageRoutes.linkBody, .repeats) { try MessageRoutes(context: $0).sendLink() },
        .post("/recover", .anyone, body: MessageRoutes.recoveryBody, .repeats) { try MessageRoutes(context: $0).recover() },
        .post("/resend", .anyone, body: MessageRoutes.resendBody, .repeats) { try MessageRoutes(context: $0).resend() },
        .get("/reauthenticate/?", .user, .repeats) { try MessageRoutes(context: $0).reauthenticate() },
        .get("/verify/?", .anyone, .repeats) { try VerificationRoutes(context: $0).followLink() },
        .post("/verify/?", .anyone, body: VerificationRoutes.body, .repeats) { try VerificationRoutes(context: $0).verify() },
        .post("/logout", .user) { try SessionRoutes(context: $0).end() },
        .get("/user/?", .user) { try UserRoutes(context: $0).show() },
        .put("/user/?", .user, body: UserRoutes.body, .repeats) { try UserRoutes(context: $0).update() },
        .get("/user/identities/authorize", .user, .writes) { try ProviderRoutes(context: $0).authorizeLink() },
        .delete("/user/identities/{identity_id}", .user) { try UserRoutes(context: $0).unlink() },
        .get("/authorize", .anyone, .writes) { try ProviderRoutes(context: $0).authorize() },
        .get("/callback/?", .anyone, .repeats) { try ProviderRoutes(context: $0).callback() },
        .post("/callback/?", .anyone, .repeats) { try ProviderRoutes(context: $0).callback() },
    ]

    private static let factors: [Endpoint] = [
        .post("/factors/?", .permanentUser, body: FactorRoutes.body) { try FactorRoutes(context: $0).enroll() },
        .post("/factors/{factor_id}/challenge", .permanentUser, body: FactorRoutes.challengeBody, .repeats) {
            try FactorRoutes(context: $0).challenge()
        },
        .post("/factors/{factor_id}/verify", .permanentUser, body: FactorRoutes.verificationBody, .repeats) {
            try FactorRoutes(context: $0).verify()
        },
        .delete("/factors/{factor_id}/?", .permanentUser) { try FactorRoutes(context: $0).unenroll() },
    ]

    private static let passkeys: [Endpoint] = [
        .post("/passkeys/registration/options", .passkeys(.permanentUser)) { try PasskeyRoutes(context: $0).beginRegistration() },
        .post("/passkeys/registration/verify", .passkeys(.permanentUser), body: PasskeyRoutes.body) {
            try PasskeyRoutes(context: $0).register()
        },
        .post("/passkeys/authentication/options", .passkeys(.anyone), body: PasskeyRoutes.signInBody) {
            try PasskeyRoutes(context: $0).beginSignIn()
        },
        .post("/passkeys/authentication/verify", .passkeys(.anyone), body: PasskeyRoutes.body, .repeats) {
            try PasskeyRoutes(context: $0).signIn()
        },
        .get("/passkeys/?", .passkeys(.user)) { try PasskeyRoutes(context: $0).list() },
        .patch("/passkeys/{passkey_id}/?", .passkeys(.user), body: PasskeyRoutes.nameBody) {
            try PasskeyRoutes(context: $0).rename()
        },
        .delete("/passkeys/{passkey_id}/?", .passkeys(.user)) { try PasskeyRoutes(context: $0).delete() },
    ]

    private static let administration: [Endpoint] = [
        .post("/invite", .administrator, body: AdminUserRoutes.invitationBody, .repeats) {
            try AdminUserRoutes(context: $0).invite()
        },
        .get("/admin/users/?", .administrator) { try AdminUserRoutes(context: $0).list() },
        .post("/admin/users/?", .administrator, body: AdminUserRoutes.body, .repeats) {
            try AdminUserRoutes(context: $0).create()
        },
        .get("/admin/users/{user_id}/?", .administrator) { try AdminUserRoutes(context: $0).show() },
        .put("/admin/users/{user_id}/?", .administrator, body: AdminUserRoutes.body, .repeats) {
            try AdminUserRoutes(context: $0).update()
        },
        .delete("/admin/users/{user_id}/?", .administrator, body: AdminUserRoutes.deletionBody) {
            try AdminUserRoutes(context: $0).delete()
        },
        .get("/admin/users/{user_id}/factors/?", .administrator) { try AdminFactorRoutes(context: $0).list() },
        .put("/admin/users/{user_id}/factors/{factor_id}/?", .administrator, body: AdminFactorRoutes.body) {
            try AdminFactorRoutes(context: $0).update()
        },
        .delete("/admin/users/{user_id}/factors/{factor_id}/?", .administrator) { try AdminFactorRoutes(context: $0).delete() },
        .get("/admin/users/{user_id}/passkeys/?", .administrator) { try AdminPasskeyRoutes(context: $0).list() },
        .delete("/admin/users/{user_id}/passkeys/{passkey_id}/?", .administrator) {
            try AdminPasskeyRoutes(context: $0).delete()
        },
        .post("/admin/generate_link", .administrator, body: AdminLinkRoutes.body, .repeats) {
            try AdminLinkRoutes(context: $0).create()
        },
        .get("/admin/audit/?", .administrator) { try AdminAuditRoutes(context: $0).list() },
        .get("/admin/custom-providers/?", .administrator) { try AdminProviderRoutes(context: $0).list() },
        .get("/admin/custom-providers/{identifier}/?", .administrator) { try AdminProviderRoutes(context: $0).show() },
        .put("/admin/custom-providers/{identifier}/?", .administrator, .reads) { try AdminProviderRoutes(context: $0).show() },
        .delete("/admin/custom-providers/{identifier}/?", .administrator, .reads) { try AdminProviderRoutes(context: $0).show() },
    ]

    /// The routes of disabled features; every request gets the feature's error.
    private static let absent: [Endpoint] = {
        let client = "/admin/oauth/clients/{client_id}"
        let routes: [(String, String, ServerState.Access, GoTrueError)] = [
            ("POST", "/sso/?", .anyone, .samlDisabled), ("GET", "/sso/saml/metadata", .anyone, .samlDisabled),
            ("POST", "/sso/saml/acs", .anyone, .samlDisabled),
            ("GET", "/oauth/authorize", .anyone, .oauthDisabled), ("POST", "/oauth/token", .anyone, .oauthDisabled),
            ("POST", "/oauth/clients/register", .anyone, .oauthDisabled), ("GET", "/oauth/userinfo", .anyone, .oauthDisabled),
            ("GET", "/oauth/authorizations/{authorization_id}", .anyone, .oauthDisabled),
            ("POST", "/oauth/authorizations/{authorization_id}/consent", .anyone, .oauthDisabled),
            ("GET", "/.well-known/oauth-authorization-server", .anyone, .oauthDisabled),
            ("GET", "/scim/v2/{rest...}", .anyone, .scimDisabled), ("POST", "/scim/v2/{rest...}", .anyone, .scimDisabled),
            ("GET", "/user/oauth/grants/?", .user, .oauthDisabled), ("DELETE", "/user/oauth/grants/?", .user, .oauthDisabled),
            ("GET", "/admin/oauth/clients/?", .administrator, .oauthDisabled),
            ("POST", "/admin/oauth/clients/?", .administrator, .oauthDisabled),
            ("GET", client + "/?", .administrator, .oauthDisabled), ("PUT", client + "/?", .administrator, .oauthDisabled),
            ("DELETE", client + "/?", .administrator, .oauthDisabled),
            ("POST", client + "/regenerate_secret", .administrator, .oauthDisabled),
            ("GET", "/admin/sso/providers/?", .administrator, .samlDisabled),
            ("POST", "/admin/sso/providers/?", .administrator, .samlDisabled),
            ("POST", "/admin/custom-providers/?", .administrator, .customProvidersDisabled),
        ]
        return routes.map { method, pattern, access, error in Endpoint(method, pattern, access, .reads) { _ in throw error } }
    }()
}
