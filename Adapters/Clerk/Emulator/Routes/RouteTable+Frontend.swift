import LockstepEmulation
import LockstepPrimitives

/// The routes of the Frontend API (https://clerk.com/docs/reference/frontend-api).
extension RouteTable.Frontend {
    static let all =
        general + pages + client + signIns + signUps + sessions + me + identifications + factors + organizations

    private static var general: [Endpoint] {
        [
            .get("/v1/environment", .anyone, .writes) { .bare(try Environment($0).json) },
            .patch("/v1/environment", .anyone) { .bare(try Environment($0).json) },
            .get("/v1/health", .anyone) { _ in .bare(["status": "healthy"]) },
            Endpoint("HEAD", "/v1/health", .anyone, .reads) { _ in .page("") },
            .post("/v1/dev_browser", .anyone) { try BrowserRoutes(context: $0).devBrowser() },
            .get("/v1/client/handshake", .anyone, .repeats) { try BrowserRoutes(context: $0).handshake() },
            .get("/v1/verify", .anyone, .repeats) { try LinkRoutes(context: $0).open() },
            .get("/v1/oauth_callback", .anyone, .repeats) { try ProviderRoutes(context: $0).callback() },
            .post("/v1/oauth_callback", .anyone, .repeats) { try ProviderRoutes(context: $0).callback() },
            .get("/oauth_provider/{provider}/authorize", .anyone, .repeats) { try ProviderRoutes(context: $0).authorize() },
            .get("/v1/tickets/accept", .anyone, .repeats) { try TicketRoutes(context: $0).accept() },
            .get("/images/{image_id}", .anyone) { try ProfileImageRoutes(context: $0).show() },
        ]
    }

    private static var pages: [Endpoint] {
        [
            .get("/.well-known/jwks.json", .anyone, .repeatsReading) { try InstanceRoutes(context: $0).keys() },
            .get("/.well-known/assetlinks.json", .anyone) { try InstanceRoutes(context: $0).assetLinks() },
            .get("/.well-known/apple-app-site-association", .anyone) {
                try InstanceRoutes(context: $0).appleAssociation()
            },
            .get("/.well-known/openid-configuration", .anyone) {
                try InstanceRoutes(context: $0).openIDConfiguration()
            },
            .get("/.well-known/oauth-authorization-server", .anyone) {
                try InstanceRoutes(context: $0).authorizationServer()
            },
            .get("/.well-known/webauthn", .anyone) { try InstanceRoutes(context: $0).webAuthn() },
            .get("/v1/account_portal", .anyone) { try InstanceRoutes(context: $0).accountPortal() },
            .get("/v1/proxy-health", .anyone) { try InstanceRoutes(context: $0).proxyHealth() },
            .get("/v1/redirect", .anyone) { try InstanceRoutes(context: $0).redirect() },
            .get("/v1/clear-site-data", .anyone) { try InstanceRoutes(context: $0).clearSiteData() },
            .get("/v1/dev_browser/init", .anyone) { try InstanceRoutes(context: $0).devBrowserInit() },
            .post("/v1/dev_browser/set_first_party_cookie", .anyone) {
                try InstanceRoutes(context: $0).setFirstPartyCookie()
            },
        ]
    }

    private static var client: [Endpoint] {
        [
            .get("/v1/client", .anyone, .repeats) { try ClientRoutes(context: $0).get() },
            .post("/v1/client", .anyone, body: .form("code_verifier"), .repeats) { try ClientRoutes(context: $0).create() },
            .put("/v1/client", .anyone, body: .form("code_verifier"), .repeats) { try ClientRoutes(context: $0).create() },
            .delete("/v1/client", .anyone, .repeats) { try ClientRoutes(context: $0).delete() },
            .delete("/v1/client/sessions", .anyone, .repeats) { try ClientRoutes(context: $0).deleteSessions() },
            .post("/v1/client/magic_links/complete", .anyone, body: .form("flow_id", "approval_token", "code_verifier"), .repeats)
            { try LinkRoutes(context: $0).complete() },
            .post("/v1/client/verify", .anyone, .repeats) { _ in .client },
        ]
    }

    private static var signIns: [Endpoint] {
        let path = "/v1/client/sign_ins"
        return [
            .post(path, .anyone, body: SignInRoutes.createBody, .repeats) { try SignInRoutes(context: $0).create() },
            .get(path + "/{sign_in_id}", .anyone, .repeats) { try SignInRoutes(context: $0).get() },
            .post(path + "/{sign_in_id}/prepare_first_factor", .anyone, body: SignInRoutes.prepareFirstFactorBody, .repeats) {
                try SignInRoutes(context: $0).prepareFirstFactor()
            },
            .post(path + "/{sign_in_id}/attempt_first_factor", .anyone, body: SignInRoutes.attemptFirstFactorBody, .repeats) {
                try SignInRoutes(context: $0).attemptFirstFactor()
            },
            .post(path + "/{sign_in_id}/prepare_second_factor", .anyone, body: SignInRoutes.prepareSecondFactorBody, .repeats) {
                try SignInRoutes(context: $0).prepareSecondFactor()
            },
            .post(path + "/{sign_in_id}/attempt_second_factor", .anyone, body: .form("strategy", "code"), .repeats) {
                try SignInRoutes(context: $0).attemptSecondFactor()
            },
            .post(path + "/{sign_in_id}/reset_password", .anyone, body: .form("password", "sign_out_of_other_sessions"), .repeats)
            { try SignInRoutes(context: $0).resetPassword() },
        ]
    }

    private static var signUps: [Endpoint] {
        let path = "/v1/client/sign_ups"
        return [
            .post(path, .anyone, body: SignUpRoutes.createBody, .repeats) { try SignUpRoutes(context: $0).create() },
            .get(path + "/{sign_up_id}", .anyone, .repeats) { try SignUpRoutes(context: $0).get() },
            .patch(path + "/{sign_up_id}", .anyone, body: SignUpRoutes.updateBody, .repeats) {
                try SignUpRoutes(context: $0).update()
            },
            .post(path + "/{sign_up_id}/prepare_verification", .anyone, body: SignUpRoutes.prepareVerificationBody, .repeats) {
                try SignUpRoutes(context: $0).prepareVerification()
            },
            .post(
                path + "/{sign_up_id}/attempt_verification", .anyone, body: .form("strategy", "code", "signature", "token"),
                .repeats
            ) { try SignUpRoutes(context: $0).attemptVerification() },
        ]
    }

    private static var sessions: [Endpoint] {
        let path = "/v1/client/sessions/{session_id}"
        return [
            .get(path, .anyone, .repeats) { try SessionRoutes(context: $0).get() },
            .post(path + "/touch", .anyone, body: .form("active_organization_id", "intent"), .repeats) {
                try SessionRoutes(context: $0).touch()
            },
            .post(path + "/end", .anyone, .repeats) { try SessionRoutes(context: $0).end() },
            .post(path + "/remove", .anyone, .repeats) { try SessionRoutes(context: $0).remove() },
            .post(path + "/tokens", .anyone, body: .form("organization_id", "token", "force_origin", "tab_state"), .repeats) {
                try SessionRoutes(context: $0).token()
            },
            .post(path + "/tokens/{template_name}", .anyone, body: .empty, .repeats) {
                try SessionRoutes(context: $0).templateToken()
            },
            .post(path + "/verify", .anyone, body: .form("level"), .repeats) { try ReverificationRoutes(context: $0).start() },
            .post(path + "/verify/prepare_first_factor", .anyone, body: ReverificationRoutes.prepareFirstBody, .repeats) {
                try ReverificationRoutes(context: $0).prepareFirst()
            },
            .post(
                path + "/verify/attempt_first_factor", .anyone,
                body: .form("strategy", "code", "password", "public_key_credential"), .repeats
            ) { try ReverificationRoutes(context: $0).attemptFirst() },
            .post(path + "/verify/prepare_second_factor", .anyone, body: .form("strategy", "phone_number_id"), .repeats) {
                try ReverificationRoutes(context: $0).prepareSecond()
            },
            .post(path + "/verify/attempt_second_factor", .anyone, body: .form("strategy", "code"), .repeats) {
                try ReverificationRoutes(context: $0).attemptSecond()
            },
            .get("/v1/me/sessions", .user, .repeats) { try SessionRoutes(context: $0).devices() },
            .get("/v1/me/sessions/active", .user, .repeats) { try SessionRoutes(context: $0).devices() },
            .post("/v1/me/sessions/{session_id}/revoke", .user, .repeats) { try SessionRoutes(context: $0).revoke() },
        ]
    }

    private static var me: [Endpoint] {
        [
            .get("/v1/me", .user, .repeats) { try UserRoutes(context: $0).get() },
            .patch("/v1/me", .user, body: UserRoutes.updateBody, .repeats) { try UserRoutes(context: $0).update() },
            .delete("/v1/me", .user, .repeats) { try UserRoutes(context: $0).delete() },
            .patch("/v1/me/metadata", .user, body: .form("unsafe_metadata"), .repeats) {
                try UserRoutes(context: $0).updateMetadata()
            },
            .post("/v1/me/change_password", .user, body: PasswordRoutes.changeBody, .repeats) {
                try PasswordRoutes(context: $0).change()
            },
            .post("/v1/me/remove_password", .freshUser, body: .form("current_password"), .repeats) {
                try PasswordRoutes(context: $0).remove()
            },
            .post("/v1/me/external_accounts", .freshUser, body: ExternalAccountRoutes.createBody, .repeats) {
                try ExternalAccountRoutes(context: $0).create()
            },
            .patch(
                "/v1/me/external_accounts/{external_account_id}/reauthorize", .user, body: ExternalAccountRoutes.reauthorizeBody,
                .repeats
            ) { try ExternalAccountRoutes(context: $0).reauthorize() },
            .delete("/v1/me/external_accounts/{external_account_id}/tokens", .freshUser, .repeats) {
                try ExternalAccountRoutes(context: $0).deleteTokens()
            },
            .post("/v1/me/tokens", .user, body: .form("service"), .repeats) { try SessionRoutes(context: $0).serviceToken() },
            .delete("/v1/me/external_accounts/{external_account_id}", .freshUser, .repeats) {
                try ExternalAccountRoutes(context: $0).delete()
            },
            .post("/v1/me/profile_image", .user, .repeats) { try ProfileImageRoutes(context: $0).set() },
            .delete("/v1/me/profile_image", .user, .repeats) { try ProfileImageRoutes(context: $0).delete() },
        ]
    }

    private static var identifications: [Endpoint] {
        [IdentificationRecord.Kind.email, .phone].flatMap { kind -> [Endpoint] in
            let path = kind == .email ? "/v1/me/email_addresses" : "/v1/me/phone_numbers"
            let one = path + "/{identification_id}"
            let both: [Endpoint] = [
                .get(path, .user, .repeats) { try IdentificationRoutes(context: $0, kind: kind).list() },
                .post(path, .user, body: IdentificationRoutes.createBody(kind), .repeats) {
                    try IdentificationRoutes(context: $0, kind: kind).create()
                },
                .get(one, .user, .repeats) { try IdentificationRoutes(context: $0, kind: kind).get() },
                .delete(one, .freshUser, .repeats) { try IdentificationRoutes(context: $0, kind: kind).delete() },
                .post(one + "/prepare_verification", .user, body: IdentificationRoutes.prepareBody, .repeats) {
                    try IdentificationRoutes(context: $0, kind: kind).prepare()
                },
                .post(one + "/attempt_verification", .user, body: .form("code", "strategy"), .repeats) {
                    try IdentificationRoutes(context: $0, kind: kind).attempt()
                },
            ]
            let update: Endpoint = .patch(
                one, .freshUser, body: .form("reserved_for_second_factor", "default_second_factor"), .repeats
            ) { try IdentificationRoutes(context: $0, kind: kind).update() }
            return kind == .phone ? both + [update] : both
        }
    }

    private static var factors: [Endpoint] {
        [
            .post("/v1/me/totp", .user, body: .empty, .repeats) { try FactorRoutes(context: $0).createTOTP() },
            .post("/v1/me/totp/attempt_verification", .user, body: .form("code"), .repeats) {
                try FactorRoutes(context: $0).attemptTOTP()
            },
            .delete("/v1/me/totp", .freshUser, .repeats) { try FactorRoutes(context: $0).deleteTOTP() },
            .post("/v1/me/passkeys", .freshUser, body: .empty, .repeats) { try PasskeyRoutes(context: $0).create() },
            .get("/v1/me/passkeys/{passkey_id}", .user, .repeats) { try PasskeyRoutes(context: $0).get() },
            .patch("/v1/me/passkeys/{passkey_id}", .user, body: .form("name"), .repeats) {
                try PasskeyRoutes(context: $0).rename()
            },
            .delete("/v1/me/passkeys/{passkey_id}", .freshUser, .repeats) { try PasskeyRoutes(context: $0).delete() },
            .post(
                "/v1/me/passkeys/{passkey_id}/attempt_verification", .user, body: .form("strategy", "public_key_credential"),
                .repeats
            ) { try PasskeyRoutes(context: $0).attempt() },
            .post("/v1/me/backup_codes", .user, body: .empty, .repeats) { try FactorRoutes(context: $0).createBackupCodes() },
        ]
    }
}
