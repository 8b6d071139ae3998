internal import LockstepEmulation
internal import LockstepPrimitives

extension GoTrueSettings: EmulatorSettings {
    /// The server's default settings.
    public var standard: GoTrueSettings { GoTrueSettings() }

    /// Checks whether the settings contradict each other.
    ///
    /// - Throws: ``GoTrueSettingsError`` if the settings contradict each other.
    public mutating func settle() throws {
        let problems = contradictions()
        if !problems.isEmpty { throw GoTrueSettingsError(problems: problems) }
    }

    /// The providers that the real server knows.
    static let providerNames = [
        "apple", "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab", "google",
        "keycloak",
        "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos", "twitch", "twitter", "zoom",
        "vercel_marketplace", "x",
    ]

    /// Reads settings by the server's own names, with or without the prefix `GOTRUE_`.
    ///
    /// If a setting appears with both names, the value with the prefix is used. If a setting has no effect, ``notices``
    /// contains a sentence about that setting.
    ///
    /// - Parameters:
    ///   - defaults: The names and values for settings that `pairs` does not contain.
    /// - Throws: ``GoTrueSettingsError`` with all invalid values.
    public init(
        environment pairs: [(name: String, value: String)], defaults: [(name: String, value: String)] = []
    ) throws(GoTrueSettingsError) {
        self.init()
        var problems: [String] = []
        var unknown: Set<String> = []
        func values(_ pairs: [(name: String, value: String)]) -> [(name: String, value: JSON)] {
            pairs.map { ($0.name, .string($0.value)) }
        }
        var (given, unwritten) = (GivenNames(), GivenNames())
        let ofDefaults = Self.table.apply(values(defaults), to: &self, given: &unwritten, skipsEmpty: true)
        for problem in ofDefaults + Self.table.apply(values(pairs), to: &self, given: &given, skipsEmpty: true) {
            switch problem {
            case .unknownName(let name): unknown.insert(name)
            case .wrongValue(let name, _, let wants): problems.append("\(name) must be \(wants).")
            }
        }
        self.given = given.with(defaults: unwritten)
        problems += contradictions()
        notices += unknown.sorted().compactMap(Self.notice)
        if !problems.isEmpty { throw GoTrueSettingsError(problems: problems) }
    }

    /// Returns a sentence for each contradiction between settings.
    private mutating func contradictions() -> [String] {
        externalURL = externalURL ?? secondExternalURL
        var problems = hooks.check()
        if mail.confirmsByItself, mail.allowsUnverified {
            problems.append(
                "GOTRUE_MAILER_AUTOCONFIRM and GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS cannot both be true.")
        }
        notices += sms.findCredentials().map { [$0] } ?? []
        return problems
    }

    private static func notice(of written: String) -> String? {
        let name = table.likeliestName(of: written)
        // Names are long and begin in the same way. A name with more than two different letters is a different setting,
        // perhaps one of the real server's.
        let known = table.names + providerNames.flatMap { SettingSections.providerSettings($0).map(\.name) }
        if let meant = known.nearest(to: name, within: 2) {
            return "\(written) is unknown and has no effect. Did you mean \(meant)?"
        }
        if withoutMeaning.contains(where: name.hasPrefix) { return nil }
        if let feature = unsupported.first(where: { name.hasPrefix($0.prefix) }) {
            return "\(written) has no effect: \(feature.reason)."
        }
        return "\(written) is unknown and has no effect."
    }

    /// Settings for the real server's machine.
    private static let withoutMeaning = [
        "GOTRUE_DB_", "GOTRUE_LOG_", "GOTRUE_API_", "GOTRUE_TRACING_", "GOTRUE_METRICS_", "GOTRUE_PROFILER_", "GOTRUE_SMTP_",
        "GOTRUE_RELOADING_", "GOTRUE_AUDIT_LOG_", "GOTRUE_OPERATOR_TOKEN",
        "GOTRUE_DATABASE_URL", "GOTRUE_PORT", "GOTRUE_HOST",
    ]

    private static let unsupported: [(prefix: String, reason: String)] = [
        ("GOTRUE_SAML_", "SAML is not emulated"), ("GOTRUE_OAUTH_SERVER_", "the OAuth server is not emulated"),
        ("GOTRUE_EXTERNAL_WEB3_", "Web3 sign-in is not emulated"),
        ("GOTRUE_MAILER_NOTIFICATIONS_", "notification emails are not sent"),
        ("GOTRUE_MAILER_EMAIL_VALIDATION_", "only the form of addresses is checked"),
        ("GOTRUE_CUSTOM_OAUTH_", "providers that are created at run time are not emulated"),
        ("GOTRUE_EXPERIMENTAL_", "experiments are not emulated"),
        ("GOTRUE_MFA_RECOVERY_CODES_", "recovery codes are not emulated"),
        ("GOTRUE_SESSIONS_TAGS", "sessions have no tags"), ("GOTRUE_PASSWORD_HIBP_", "no password is looked up on the internet"),
        ("GOTRUE_HOOK_", "this hook is not called"),
        ("GOTRUE_SMS_", "messages go to the outbox, never to a provider"), ("GOTRUE_SECURITY_", "this check is not emulated"),
        ("GOTRUE_EXTERNAL_", "this provider is not emulated"),
    ]
}
