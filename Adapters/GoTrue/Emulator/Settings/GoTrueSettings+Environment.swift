extension GoTrueSettings {
    /// The providers that the real server knows.
    static let providerNames = [
        "apple", "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab", "google",
        "keycloak",
        "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos", "twitch", "twitter", "zoom",
        "vercel_marketplace", "x",
    ]

    /// Reads settings by the server's own names, with `GOTRUE_` before them or without it; where both are given, the longer one counts.
    ///
    /// - Throws: ``GoTrueSettingsError`` naming each value that cannot be read. Names without an effect end up in ``notices``.
    public init(environment pairs: [(name: String, value: String)]) throws(GoTrueSettingsError) {
        self.init()
        var reader = EnvironmentReader(pairs.map { ($0.name, $0.value) }, prefix: "GOTRUE_", besides: ["API_EXTERNAL_URL"])
        reader.text("GOTRUE_SITE_URL", into: &siteURL)
        reader.list("GOTRUE_URI_ALLOW_LIST", into: &allowedRedirects)
        externalURL = reader.text("API_EXTERNAL_URL") ?? reader.text("GOTRUE_API_EXTERNAL_URL")
        tokens.read(&reader)
        signIn.read(&reader)
        mail.read(&reader)
        sms.read(&reader)
        refresh.read(&reader)
        sessions.read(&reader)
        passwords.read(&reader)
        factors.read(&reader)
        passkeys.read(&reader)
        limits.read(&reader)
        hooks.read(&reader)
        reader.flag("GOTRUE_SECURITY_CAPTCHA_ENABLED", into: &asksForCaptcha)
        _ = reader.text("GOTRUE_SECURITY_CAPTCHA_SECRET")
        _ = reader.text("GOTRUE_SECURITY_CAPTCHA_PROVIDER")
        reader.list("GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS", into: &allowedIssuers)
        reader.list("GOTRUE_CORS_ALLOWED_HEADERS", into: &allowedHeaders)
        reader.duration("GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION", into: &flowLife)
        flowLife = max(flowLife, .seconds(300))
        for name in Self.providerNames where !reader.pairs(prefixed: "GOTRUE_EXTERNAL_\(name.uppercased())_").isEmpty {
            providers[name] = ProviderSettings(named: name, &reader)
        }
        notices = reader.notices + Self.notices(for: reader)
        if !reader.problems.isEmpty { throw GoTrueSettingsError(problems: reader.problems) }
    }

    private static func notices(for reader: EnvironmentReader) -> [String] {
        reader.leftOver.compactMap { name in
            if withoutMeaning.contains(where: name.hasPrefix) { return nil }
            let written = reader.written(name)
            if let feature = unsupported.first(where: { name.hasPrefix($0.prefix) }) {
                return "\(written) has no effect: \(feature.reason)."
            }
            return "\(written) is unknown and has no effect."
        }
    }

    /// Settings of the real server's machine.
    private static let withoutMeaning = [
        "GOTRUE_DB_", "GOTRUE_LOG_", "GOTRUE_API_", "GOTRUE_TRACING_", "GOTRUE_METRICS_", "GOTRUE_PROFILER_", "GOTRUE_SMTP_",
        "GOTRUE_RELOADING_", "GOTRUE_AUDIT_LOG_", "GOTRUE_OPERATOR_TOKEN",
        "GOTRUE_DATABASE_URL", "GOTRUE_PORT", "GOTRUE_HOST",
    ]

    private static let unsupported: [(prefix: String, reason: String)] = [
        ("GOTRUE_SAML_", "SAML is not emulated"), ("GOTRUE_OAUTH_SERVER_", "the OAuth server is not emulated"),
        ("GOTRUE_EXTERNAL_WEB3_", "Web3 sign-in is not emulated"),
        ("GOTRUE_MAILER_NOTIFICATIONS_", "notification mails are not sent"),
        ("GOTRUE_MAILER_EMAIL_VALIDATION_", "addresses are looked at by their form only"),
        ("GOTRUE_CUSTOM_OAUTH_", "providers that are made at run time are not emulated"),
        ("GOTRUE_EXPERIMENTAL_", "experiments are not emulated"),
        ("GOTRUE_MFA_RECOVERY_CODES_", "recovery codes are not emulated"),
        ("GOTRUE_SESSIONS_TAGS", "sessions have no tags"), ("GOTRUE_PASSWORD_HIBP_", "no password is looked up in the internet"),
        ("GOTRUE_HOOK_", "this hook is not called"),
        ("GOTRUE_SMS_", "messages go to the outbox, never to a provider"), ("GOTRUE_SECURITY_", "this check is not emulated"),
        ("GOTRUE_EXTERNAL_", "this provider is not emulated"),
    ]
}
