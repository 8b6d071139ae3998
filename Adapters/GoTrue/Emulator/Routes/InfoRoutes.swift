internal import LockstepEmulation
internal import LockstepPrimitives

/// The routes for the server's health, settings, keys and discovery document.
struct InfoRoutes {
    let context: RequestContext

    /// Handles `GET /health`.
    func health() -> EmulatorResponse {
        let body: JSON = [
            "version": "v2.196.0", "name": "GoTrue", "description": "GoTrue is a user registration and authentication API",
        ]
        return .go(body)
    }

    /// Handles `GET /settings`.
    func settings() -> EmulatorResponse {
        let settings = context.settings
        var external: JSONObject = ["anonymous_users": .bool(settings.signIn.allowsAnonymous)]
        for name in GoTrueSettings.providerNames where !["zoom", "vercel_marketplace", "x"].contains(name) {
            external[name] = .bool(settings.providers[name]?.isEnabled ?? false)
        }
        external["email"] = .bool(settings.signIn.allowsEmail)
        external["phone"] = .bool(settings.signIn.allowsPhone)
        external["zoom"] = .bool(settings.providers["zoom"]?.isEnabled ?? false)
        let body: JSON = [
            "external": .object(external), "disable_signup": .bool(settings.signIn.isSignUpDisabled),
            "mailer_autoconfirm": .bool(settings.mail.confirmsByItself),
            "phone_autoconfirm": .bool(settings.sms.confirmsByItself),
            "sms_provider": .string(settings.sms.provider), "saml_enabled": false, "saml_private_key_next_configured": true,
            "passkeys_enabled": .bool(settings.passkeys.isEnabled),
        ]
        return .go(body)
    }

    /// Handles `GET /.well-known/jwks.json`.
    func keys() -> EmulatorResponse { cached(context.state.keys.published) }

    /// Handles `GET /.well-known/openid-configuration`.
    func discovery() -> EmulatorResponse {
        let base = context.settings.tokens.issuer ?? context.state.base
        func texts(_ texts: String...) -> JSON { .array(texts.map(JSON.string)) }
        return cached([
            "issuer": .string(base), "authorization_endpoint": .string(base + "/oauth/authorize"),
            "token_endpoint": .string(base + "/oauth/token"), "jwks_uri": .string(base + "/.well-known/jwks.json"),
            "userinfo_endpoint": .string(base + "/oauth/userinfo"),
            "scopes_supported": texts("openid", "profile", "email", "phone", "offline_access"),
            "response_types_supported": texts("code"), "response_modes_supported": texts("query"),
            "grant_types_supported": texts("authorization_code", "refresh_token"), "subject_types_supported": texts("public"),
            "id_token_signing_alg_values_supported": texts("RS256", "HS256", "ES256"),
            "token_endpoint_auth_methods_supported": texts("client_secret_basic", "client_secret_post", "none"),
            "claims_supported": texts(
                "sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "email", "email_verified", "phone_number",
                "phone_number_verified", "name", "picture", "preferred_username", "updated_at"),
            "code_challenge_methods_supported": texts("S256", "plain"),
        ])
    }

    private func cached(_ json: JSON) -> EmulatorResponse { .go(json).with("Cache-Control", "public, max-age=600") }
}
