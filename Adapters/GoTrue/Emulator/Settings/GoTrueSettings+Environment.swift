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
        var reader = EnvironmentReader(
            pairs.map { ($0.name, $0.value) }, prefix: "GOTRUE_",
            besides: ["API_EXTERNAL_URL", "SUPABASE_PUBLISHABLE_KEY", "SUPABASE_SECRET_KEY"])
        read(&reader)
        for name in Self.providerNames where !reader.pairs(prefixed: "GOTRUE_EXTERNAL_\(name.uppercased())_").isEmpty {
            providers[name] = ProviderSettings(named: name, &reader)
        }
        notices = reader.notices + Self.notices(for: reader)
        if !reader.problems.isEmpty { throw GoTrueSettingsError(problems: reader.problems) }
    }

    /// The settings that the environment may hold, with their defaults, in the order in which they are read.
    ///
    /// - Parameter provider: The one identity provider whose settings are among them; those of the others have the same names but for its own.
    static func variables(of provider: String) -> [EnvironmentReader.Variable] {
        var reader = EnvironmentReader([(String, String)](), prefix: "GOTRUE_", besides: [])
        var settings = GoTrueSettings()
        settings.read(&reader)
        reader.begin("Identity providers")
        _ = ProviderSettings(named: provider, &reader)
        return reader.variables
    }

    private mutating func read(_ reader: inout EnvironmentReader) {
        reader.begin("Addresses")
        reader.text("GOTRUE_SITE_URL", into: &siteURL)
        reader.list("GOTRUE_URI_ALLOW_LIST", into: &allowedRedirects)
        externalURL = reader.text("API_EXTERNAL_URL") ?? reader.text("GOTRUE_API_EXTERNAL_URL")
        reader.list("GOTRUE_CORS_ALLOWED_HEADERS", into: &allowedHeaders)
        reader.begin("Access tokens")
        tokens.read(&reader)
        reader.begin("Ways in")
        signIn.read(&reader)
        reader.begin("Mails")
        mail.read(&reader)
        reader.begin("Text messages")
        sms.read(&reader)
        reader.begin("Refresh tokens")
        refresh.read(&reader)
        reader.begin("Sessions")
        sessions.read(&reader)
        reader.begin("Passwords")
        passwords.read(&reader)
        reader.begin("Second factors")
        factors.read(&reader)
        reader.begin("Passkeys")
        passkeys.read(&reader)
        reader.begin("Limits")
        limits.read(&reader)
        reader.begin("Hooks")
        hooks.read(&reader)
        reader.begin("Captcha")
        reader.flag("GOTRUE_SECURITY_CAPTCHA_ENABLED", into: &asksForCaptcha)
        _ = reader.text("GOTRUE_SECURITY_CAPTCHA_SECRET")
        _ = reader.text("GOTRUE_SECURITY_CAPTCHA_PROVIDER")
        reader.begin("Identity providers")
        reader.list("GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS", into: &allowedIssuers)
        reader.duration("GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION", into: &flowLife)
        flowLife = max(flowLife, .seconds(300))
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
