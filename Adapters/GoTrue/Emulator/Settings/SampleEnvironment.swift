extension GoTrueSettings {
    /// A file of settings with every variable, its default and a line about it: what `lockstep serve gotrue --print-env` prints.
    ///
    /// Read back it gives the defaults. The variables of identity providers are commented out, and shown for Google.
    public static var sampleEnvironment: String {
        var lines = [
            "# Settings of Lockstep's GoTrue, with their defaults. To use it: lockstep serve gotrue --env FILE",
            "# The names are the server's own; GOTRUE_ may be left out. A name without a value is as good as absent.",
        ]
        var section = ""
        for variable in variables(of: sampleProvider) {
            if variable.section != section {
                section = variable.section
                lines += ["", "## " + section]
            }
            let isProviders = variable.name.hasPrefix(providerPrefix)
            if variable.name == providerPrefix + "ENABLED" {
                let names = providerNames.map { $0.uppercased() }.sorted().joined(separator: ", ")
                lines += ["", "# Each provider has these: \(names)."]
            }
            lines += ["", "# " + (SettingComments.comment(on: variable.name) ?? "?")]
            lines.append((isProviders ? "# " : "") + variable.name + "=" + quoted(variable.value))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The provider whose variables stand for those of all.
    static let sampleProvider = "google"

    private static let providerPrefix = "GOTRUE_EXTERNAL_\(sampleProvider.uppercased())_"

    /// In quotes where a shell would split it, or look into it.
    private static func quoted(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { unit in
            switch unit {
            case 0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "#"), UInt8(ascii: "{"): false
            default: true
            }
        }
        return isPlain ? value : "\"\(value)\""
    }
}

/// What each setting does, in a line.
enum SettingComments {
    /// The line about a setting; `nil` for one that has none yet.
    static func comment(on name: String) -> String? {
        let bare = name.hasPrefix("GOTRUE_") ? String(name.dropFirst(7)) : name
        if name == "GOTRUE_API_EXTERNAL_URL" { return "The same by another name." }
        if let comment = lines[bare] { return comment }
        for (prefix, comment) in families where bare.hasPrefix(prefix) { return comment(bare.dropFirst(prefix.count)) }
        for (suffix, comment) in providers where bare.hasPrefix("EXTERNAL_") && bare.hasSuffix(suffix) { return comment }
        return nil
    }

    private static let families: [(prefix: String, comment: @Sendable (Substring) -> String)] = [
        ("MAILER_SUBJECTS_", { "The subject of mails of the kind \($0.lowercased()); {{ .Token }} shows the code." }),
        (
            "MAILER_TEMPLATES_",
            { "The address of a page that is the body of mails of the kind \($0.lowercased()), on this machine." }
        ),
        ("MAILER_URLPATHS_", { "The path of the links in mails of the kind \($0.lowercased())." }),
        ("RATE_LIMIT_", { "Requests in five minutes by caller, for \($0.lowercased().replacing("_", with: " "))." }),
        ("SMS_", { "Goes with GOTRUE_SMS_PROVIDER=\(provider(of: $0)): what it holds does not matter, only that it is there." }),
        ("HOOK_", hook),
    ]

    private static func provider(of name: Substring) -> String {
        let found = SMSSettings.credentials.keys.filter { name.hasPrefix($0.uppercased() + "_") }
        return found.max { $0.utf8.count < $1.utf8.count } ?? ""
    }

    private static let hooks: [(name: String, act: String)] = [
        ("SEND_SMS", "sends text messages"), ("SEND_EMAIL", "sends mails"),
        ("CUSTOM_ACCESS_TOKEN", "changes the claims of access tokens"),
        ("BEFORE_USER_CREATED", "decides whether a user may be created"),
        ("PASSWORD_VERIFICATION_ATTEMPT", "hears of each password that is tried"),
        ("MFA_VERIFICATION_ATTEMPT", "hears of each second factor that is tried"),
    ]

    @Sendable private static func hook(_ rest: Substring) -> String {
        let act = hooks.first { rest.hasPrefix($0.name) }?.act ?? "is called"
        if rest.hasSuffix("_ENABLED") { return "Whether the hook is called that \(act)." }
        if rest.hasSuffix("_URI") { return "The address of the hook that \(act): plain HTTP on this machine." }
        return "What signs the requests to the hook that \(act): v1,whsec_ and base 64, several of them separated by |."
    }

    private static let providers: [(suffix: String, comment: String)] = [
        ("_ENABLED", "Whether people can sign in by it."),
        (
            "_CLIENT_ID",
            "The ids of the apps that its ID tokens may be for, separated by commas; the first one is used for redirects."
        ),
        ("_SECRET", "The secret of the app; /authorize needs one."),
        ("_REDIRECT_URI", "Where it sends people back to; /callback of this server without one."),
        ("_URL", "An issuer on this machine that stands in for it (http://), or another host of it; Keycloak needs one."),
        ("_SKIP_NONCE_CHECK", "Whether the nonce of its ID tokens is not looked at."),
        ("_EMAIL_OPTIONAL", "Whether people may come without an address."),
    ]

    private static let lines = [
        "SITE_URL": "Where links and redirects lead, unless they say otherwise.",
        "URI_ALLOW_LIST": "Globs of further targets, separated by commas.",
        "API_EXTERNAL_URL":
            "The address of this server in links and tokens; the one it listens at without it. Has no GOTRUE_ before it.",
        "CORS_ALLOWED_HEADERS":
            "Request headers that pages of other origins may send besides the server's own, separated by commas.",
        "JWT_SECRET": "What signs access tokens and the keys anon and service_role; at least 32 characters.",
        "JWT_EXP": "The life of access tokens in seconds.",
        "JWT_AUD": "The audience of access tokens (aud).",
        "JWT_DEFAULT_GROUP_NAME": "The role of new users.",
        "JWT_ADMIN_ROLES": "The roles whose tokens may use the administrator's routes, separated by commas.",
        "JWT_ISSUER": "The issuer of access tokens (iss); this server's address without it.",
        "JWT_KEY_ID": "The id that tokens give the secret (kid).",
        "JWT_KEYS": "A list of private JSON Web Keys, one of which has \"sign\" in its key_ops and signs.",
        "SUPABASE_PUBLISHABLE_KEY": "The key of apps below /auth/v1 (sb_publishable_…); one made of JWT_SECRET without it.",
        "SUPABASE_SECRET_KEY": "The key of servers below /auth/v1 (sb_secret_…); one made of JWT_SECRET without it.",
        "JWT_VALID_METHODS": "The algorithms that tokens may name, separated by commas; those of the keys without it.",
        "DISABLE_SIGNUP": "Whether new users are refused.",
        "EXTERNAL_EMAIL_ENABLED": "Whether people sign up and in by e-mail address.",
        "EXTERNAL_PHONE_ENABLED": "Whether people sign up and in by phone number.",
        "EXTERNAL_ANONYMOUS_USERS_ENABLED": "Whether there are guests, who have neither.",
        "EXTERNAL_EMAIL_MAGIC_LINK_ENABLED": "Whether a mail with a link or a code signs in.",
        "SECURITY_MANUAL_LINKING_ENABLED": "Whether people may link and unlink identities by themselves.",
        "MAILER_AUTOCONFIRM": "Whether addresses count as confirmed without a mail.",
        "MAILER_SECURE_EMAIL_CHANGE_ENABLED": "Whether a new address is confirmed from the old one, too.",
        "MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS": "Whether a provider's address that is not verified lets in.",
        "MAILER_OTP_LENGTH": "The digits of codes in mails, 6 to 10.",
        "MAILER_OTP_EXP": "The life of codes and links in mails, in seconds; a day at most.",
        "EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES": "The only addresses that get mails, separated by commas; all without it.",
        "SMTP_MAX_FREQUENCY": "The shortest time between two mails of a kind to one user; 1ms is none.",
        "SMTP_ADMIN_EMAIL": "The sender of mails.",
        "LOCKSTEP_OUTBOX": "off: no mail server and no SMS provider can be reached. The emulator's own.",
        "SMS_AUTOCONFIRM": "Whether numbers count as confirmed without a message.",
        "SMS_OTP_LENGTH": "The digits of codes in text messages, 6 to 10.",
        "SMS_OTP_EXP": "The life of codes in text messages, in seconds; a day at most.",
        "SMS_MAX_FREQUENCY": "The shortest time between two messages of a kind to one user; 1ms is none.",
        "SMS_TEMPLATE": "The text of a message.",
        "SMS_PROVIDER": "The provider that the outbox stands for; without a name it stands for a hook, which takes any channel.",
        "SMS_TEST_OTP": "Numbers that get no message, and their fixed codes: 15551230000:123456,15551230001:654321.",
        "SMS_TEST_OTP_VALID_UNTIL": "When the fixed codes end, such as 2030-01-01T00:00:00Z; never without it.",
        "SECURITY_REFRESH_TOKEN_ROTATION_ENABLED": "Whether reuse of a refresh token ends its session.",
        "SECURITY_REFRESH_TOKEN_REUSE_INTERVAL": "For how many seconds a used refresh token is taken again.",
        "SECURITY_REFRESH_TOKEN_ALLOW_REUSE": "Whether a used refresh token is always taken again (version 2).",
        "SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION": "1: a row for each refresh token; 2: signed counters of the session.",
        "SESSIONS_TIMEBOX": "The longest life of a session, such as 24h; no end without it.",
        "SESSIONS_INACTIVITY_TIMEOUT": "How long a session may go without a refresh; no end without it.",
        "SESSIONS_ALLOW_LOW_AAL": "How long a session may go without its user's second factor; no end without it.",
        "SESSIONS_SINGLE_PER_USER": "Whether a newer sign-in ends the older ones.",
        "PASSWORD_MIN_LENGTH": "The fewest bytes of a password, never under 6.",
        "PASSWORD_REQUIRED_CHARACTERS": "Sets of characters one of each of which a password needs, separated by colons.",
        "LOCKSTEP_HEADER_LIMIT": "The most bytes of headers, up to 1048576, for users with large metadata. The emulator's own.",
        "LOCKSTEP_PASSWORD_COST": "What a hash costs: real as the server's own, least for fast tests. The emulator's own.",
        "SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION": "Whether a new password on an old session needs a code.",
        "SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD": "Whether a new password needs the current one.",
        "MFA_TOTP_ENROLL_ENABLED": "Whether authenticator apps can be added.",
        "MFA_TOTP_VERIFY_ENABLED": "Whether codes of authenticator apps are taken.",
        "MFA_PHONE_ENROLL_ENABLED": "Whether phone numbers can be added as second factors.",
        "MFA_PHONE_VERIFY_ENABLED": "Whether codes by text message are taken as second factors.",
        "MFA_WEB_AUTHN_ENROLL_ENABLED": "Whether security keys can be added as second factors.",
        "MFA_WEB_AUTHN_VERIFY_ENABLED": "Whether security keys are taken as second factors.",
        "MFA_MAX_ENROLLED_FACTORS": "How many second factors a user may have, unverified ones included.",
        "MFA_MAX_VERIFIED_FACTORS": "How many verified second factors a user may have.",
        "MFA_PHONE_MAX_FREQUENCY": "The shortest time between two challenges by text message; 1ms is none.",
        "MFA_PHONE_OTP_LENGTH": "The digits of those codes, 6 to 10.",
        "MFA_PHONE_TEMPLATE": "The text of a message with such a code.",
        "MFA_CHALLENGE_EXPIRY_DURATION": "The life of a challenge in seconds, at least 300.",
        "MFA_FACTOR_EXPIRY_DURATION": "The age at which an unverified factor may be removed, at least 300s.",
        "MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY": "Challenges and verifications of second factors a minute by caller.",
        "PASSKEY_ENABLED": "Whether people sign in by passkey.",
        "PASSKEY_MAX_PASSKEYS_PER_USER": "How many passkeys a user may have.",
        "WEBAUTHN_RP_ID": "The domain that passkeys and security keys are for.",
        "WEBAUTHN_RP_DISPLAY_NAME": "The name that authenticators show.",
        "WEBAUTHN_RP_ORIGINS": "The origins of the pages that use them, separated by commas.",
        "RATE_LIMIT_HEADER": "The header that names the caller; no caller is limited without it.",
        "RATE_LIMIT_EMAIL_SENT": "Mails of the whole server an hour, or a rate such as 30/1h; no limit without it.",
        "RATE_LIMIT_SMS_SENT": "Text messages of the whole server an hour, or a rate such as 30/1h; no limit without it.",
        "RATE_LIMIT_ANONYMOUS_USERS": "Guests an hour by caller.",
        "SECURITY_CAPTCHA_ENABLED":
            "Whether a captcha token is asked for; those that hCaptcha and Turnstile give out for tests pass, every other is refused.",
        "SECURITY_CAPTCHA_SECRET": "Taken, and not used.", "SECURITY_CAPTCHA_PROVIDER": "Taken, and not used.",
        "EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS": "Further issuers of ID tokens, separated by commas.",
        "EXTERNAL_FLOW_STATE_EXPIRY_DURATION": "How long a flow with a proof key or a provider lives, at least 300s.",
    ]
}
