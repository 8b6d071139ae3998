import LockstepPrimitives

/// The routes of the Frontend API (https://clerk.com/docs/reference/frontend-api).
enum FrontendRoutes {
    typealias Route = (method: String, pattern: String, handler: FrontendService.Handler)

    static var all: [Route] {
        general + pages + client + signIns + signUps + sessions + me + identifications + factors + organizations
            + enterprise
    }

    private static var general: [Route] {
        [
            ("GET", "/v1/environment", { .bare(try Environment($0).json) }),
            ("PATCH", "/v1/environment", { .bare(try Environment($0).json) }),
            ("GET", "/v1/health", { _ in .bare(["status": "healthy"]) }),
            ("HEAD", "/v1/health", { _ in .page("") }),
            ("POST", "/v1/dev_browser", { try BrowserRoutes(call: $0).devBrowser() }),
            ("GET", "/v1/client/handshake", { try BrowserRoutes(call: $0).handshake() }),
            ("GET", "/v1/verify", { try EmailLinks(call: $0).open() }),
            ("GET", "/v1/oauth_callback", { try ProviderPage(call: $0).callback() }),
            ("POST", "/v1/oauth_callback", { try ProviderPage(call: $0).callback() }),
            ("GET", "/oauth_provider/{provider}/authorize", { try ProviderPage(call: $0).authorize() }),
            ("GET", "/v1/tickets/accept", { try TicketPage(call: $0).accept() }),
            ("GET", "/webhooks", { try WebhookPage(call: $0).show() }),
            ("GET", "/images/{image_id}", { try ProfileImageRoutes(call: $0).show() }),
            ("POST", "/v1/waitlist", { try WaitlistRoutes(call: $0).join() }),
        ]
    }

    private static var pages: [Route] {
        [
            ("GET", "/.well-known/assetlinks.json", { try InstancePages(call: $0).assetLinks() }),
            ("GET", "/.well-known/apple-app-site-association", { try InstancePages(call: $0).appleAssociation() }),
            ("GET", "/.well-known/openid-configuration", { try InstancePages(call: $0).openIDConfiguration() }),
            ("GET", "/.well-known/oauth-authorization-server", { try InstancePages(call: $0).authorizationServer() }),
            ("GET", "/.well-known/webauthn", { try InstancePages(call: $0).webAuthn() }),
            ("GET", "/v1/account_portal", { try InstancePages(call: $0).accountPortal() }),
            ("GET", "/v1/proxy-health", { try InstancePages(call: $0).proxyHealth() }),
            ("GET", "/v1/redirect", { try InstancePages(call: $0).redirect() }),
            ("GET", "/v1/clear-site-data", { try InstancePages(call: $0).clearSiteData() }),
            ("GET", "/v1/dev_browser/init", { try InstancePages(call: $0).devBrowserInit() }),
            ("POST", "/v1/dev_browser/set_first_party_cookie", { try InstancePages(call: $0).setFirstPartyCookie() }),
        ]
    }

    private static var client: [Route] {
        [
            ("GET", "/v1/client", { try ClientRoutes(call: $0).get() }),
            ("POST", "/v1/client", { try ClientRoutes(call: $0).create() }),
            ("PUT", "/v1/client", { try ClientRoutes(call: $0).create() }),
            ("DELETE", "/v1/client", { try ClientRoutes(call: $0).delete() }),
            ("DELETE", "/v1/client/sessions", { try ClientRoutes(call: $0).deleteSessions() }),
            ("POST", "/v1/client/magic_links/complete", { try EmailLinks(call: $0).complete() }),
            ("POST", "/v1/client/verify", { _ in .client }),
        ]
    }

    private static var signIns: [Route] {
        let path = "/v1/client/sign_ins"
        return [
            ("POST", path, { try SignInRoutes(call: $0).create() }),
            ("GET", path + "/{sign_in_id}", { try SignInRoutes(call: $0).get() }),
            ("POST", path + "/{sign_in_id}/prepare_first_factor", { try SignInRoutes(call: $0).prepareFirstFactor() }),
            ("POST", path + "/{sign_in_id}/attempt_first_factor", { try SignInRoutes(call: $0).attemptFirstFactor() }),
            ("POST", path + "/{sign_in_id}/prepare_second_factor", { try SignInRoutes(call: $0).prepareSecondFactor() }),
            ("POST", path + "/{sign_in_id}/attempt_second_factor", { try SignInRoutes(call: $0).attemptSecondFactor() }),
            ("POST", path + "/{sign_in_id}/reset_password", { try SignInRoutes(call: $0).resetPassword() }),
        ]
    }

    private static var signUps: [Route] {
        let path = "/v1/client/sign_ups"
        return [
            ("POST", path, { try SignUpRoutes(call: $0).create() }),
            ("GET", path + "/{sign_up_id}", { try SignUpRoutes(call: $0).get() }),
            ("PATCH", path + "/{sign_up_id}", { try SignUpRoutes(call: $0).update() }),
            ("POST", path + "/{sign_up_id}/prepare_verification", { try SignUpRoutes(call: $0).prepareVerification() }),
            ("POST", path + "/{sign_up_id}/attempt_verification", { try SignUpRoutes(call: $0).attemptVerification() }),
        ]
    }

    private static var sessions: [Route] {
        let path = "/v1/client/sessions/{session_id}"
        return [
            ("GET", path, { try SessionRoutes(call: $0).get() }),
            ("POST", path + "/touch", { try SessionRoutes(call: $0).touch() }),
            ("POST", path + "/end", { try SessionRoutes(call: $0).end() }),
            ("POST", path + "/remove", { try SessionRoutes(call: $0).remove() }),
            ("POST", path + "/tokens", { try SessionRoutes(call: $0).token() }),
            ("POST", path + "/tokens/{template_name}", { try SessionRoutes(call: $0).templateToken() }),
            ("POST", path + "/verify", { try ReverificationRoutes(call: $0).start() }),
            ("POST", path + "/verify/prepare_first_factor", { try ReverificationRoutes(call: $0).prepareFirst() }),
            ("POST", path + "/verify/attempt_first_factor", { try ReverificationRoutes(call: $0).attemptFirst() }),
            ("POST", path + "/verify/prepare_second_factor", { try ReverificationRoutes(call: $0).prepareSecond() }),
            ("POST", path + "/verify/attempt_second_factor", { try ReverificationRoutes(call: $0).attemptSecond() }),
            ("GET", "/v1/me/sessions", { try SessionRoutes(call: $0).devices() }),
            ("GET", "/v1/me/sessions/active", { try SessionRoutes(call: $0).devices() }),
            ("POST", "/v1/me/sessions/{session_id}/revoke", { try SessionRoutes(call: $0).revoke() }),
        ]
    }

    private static var me: [Route] {
        [
            ("GET", "/v1/me", { try ProfileRoutes(call: $0).get() }),
            ("PATCH", "/v1/me", { try ProfileRoutes(call: $0).update() }),
            ("DELETE", "/v1/me", { try ProfileRoutes(call: $0).delete() }),
            ("PATCH", "/v1/me/metadata", { try ProfileRoutes(call: $0).updateMetadata() }),
            ("POST", "/v1/me/change_password", { try PasswordRoutes(call: $0).change() }),
            ("POST", "/v1/me/remove_password", { try PasswordRoutes(call: $0).remove() }),
            ("POST", "/v1/me/external_accounts", { try ExternalAccountRoutes(call: $0).create() }),
            (
                "PATCH", "/v1/me/external_accounts/{external_account_id}/reauthorize",
                { try ExternalAccountRoutes(call: $0).reauthorize() }
            ),
            (
                "DELETE", "/v1/me/external_accounts/{external_account_id}/tokens",
                { try ExternalAccountRoutes(call: $0).deleteTokens() }
            ),
            ("POST", "/v1/me/tokens", { try SessionRoutes(call: $0).serviceToken() }),
            ("DELETE", "/v1/me/external_accounts/{external_account_id}", { try ExternalAccountRoutes(call: $0).delete() }),
            ("POST", "/v1/me/profile_image", { try ProfileImageRoutes(call: $0).set() }),
            ("DELETE", "/v1/me/profile_image", { try ProfileImageRoutes(call: $0).delete() }),
        ]
    }

    private static var identifications: [Route] {
        [IdentificationRecord.Kind.email, .phone].flatMap { kind -> [Route] in
            let path = kind == .email ? "/v1/me/email_addresses" : "/v1/me/phone_numbers"
            let one = path + "/{identification_id}"
            let both: [Route] = [
                ("GET", path, { try IdentificationRoutes(call: $0, kind: kind).list() }),
                ("POST", path, { try IdentificationRoutes(call: $0, kind: kind).create() }),
                ("GET", one, { try IdentificationRoutes(call: $0, kind: kind).get() }),
                ("DELETE", one, { try IdentificationRoutes(call: $0, kind: kind).delete() }),
                ("POST", one + "/prepare_verification", { try IdentificationRoutes(call: $0, kind: kind).prepare() }),
                ("POST", one + "/attempt_verification", { try IdentificationRoutes(call: $0, kind: kind).attempt() }),
            ]
            let update: Route = ("PATCH", one, { try IdentificationRoutes(call: $0, kind: kind).update() })
            return kind == .phone ? both + [update] : both
        }
    }

    private static var factors: [Route] {
        [
            ("POST", "/v1/me/totp", { try SecondFactorRoutes(call: $0).createTOTP() }),
            ("POST", "/v1/me/totp/attempt_verification", { try SecondFactorRoutes(call: $0).attemptTOTP() }),
            ("DELETE", "/v1/me/totp", { try SecondFactorRoutes(call: $0).deleteTOTP() }),
            ("POST", "/v1/me/passkeys", { try PasskeyRoutes(call: $0).create() }),
            ("GET", "/v1/me/passkeys/{passkey_id}", { try PasskeyRoutes(call: $0).get() }),
            ("PATCH", "/v1/me/passkeys/{passkey_id}", { try PasskeyRoutes(call: $0).rename() }),
            ("DELETE", "/v1/me/passkeys/{passkey_id}", { try PasskeyRoutes(call: $0).delete() }),
            ("POST", "/v1/me/passkeys/{passkey_id}/attempt_verification", { try PasskeyRoutes(call: $0).attempt() }),
            ("POST", "/v1/me/backup_codes", { try SecondFactorRoutes(call: $0).createBackupCodes() }),
        ]
    }
}
