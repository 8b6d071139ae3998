internal import LockstepEmulation

extension SettingSections {
    /// Addresses, access tokens, ways to sign in, emails.
    static let people: [Section] = [
        Section("Addresses") {
            Setting("GOTRUE_SITE_URL", \.siteURL, .text, "The default target of links and redirects.")
            Setting(
                "GOTRUE_URI_ALLOW_LIST", \.allowedRedirects, .list(), "Glob patterns of further targets, separated by commas.")
            Setting(
                "API_EXTERNAL_URL", \.externalURL, .optional(.text),
                "The address of this server in links and tokens (default: the address at which it listens). It has no prefix GOTRUE_."
            ).fixed
            Setting("GOTRUE_API_EXTERNAL_URL", \.secondExternalURL, .optional(.text), "Another name for the same setting.").fixed
            Setting(
                "GOTRUE_CORS_ALLOWED_HEADERS", \.allowedHeaders, .list(),
                "Additional request headers that pages of other origins may send, separated by commas.")
        },
        Section("Access tokens") {
            Setting(
                "GOTRUE_JWT_SECRET", \.tokens.secret, .signingSecret,
                "The secret that signs access tokens and the keys anon and service_role; at least 32 characters."
            ).fixed
            Setting("GOTRUE_JWT_EXP", \.tokens.life, .number, "The lifetime of access tokens in seconds.")
            Setting("GOTRUE_JWT_AUD", \.tokens.audience, .text, "The audience of access tokens (aud).")
            Setting("GOTRUE_JWT_DEFAULT_GROUP_NAME", \.tokens.role, .text, "The role of new users.")
            Setting(
                "GOTRUE_JWT_ADMIN_ROLES", \.tokens.adminRoles, .list(),
                "The roles whose tokens may use the administrator's routes, separated by commas.")
            Setting(
                "GOTRUE_JWT_ISSUER", \.tokens.issuer, .optional(.text),
                "The issuer of access tokens (iss; default: this server's address).")
            Setting("GOTRUE_JWT_KEY_ID", \.tokens.keyID, .optional(.text), "The id of the secret in tokens (kid).").fixed
            Setting(
                "GOTRUE_JWT_KEYS", \.tokens.keys, .optional(.secret),
                "A list of private JSON Web Keys. The key with \"sign\" in its key_ops signs."
            ).fixed
            Setting(
                "GOTRUE_JWT_VALID_METHODS", \.tokens.methods, .list(),
                "The accepted algorithms of tokens, separated by commas (default: those of the keys)."
            ).fixed
            Setting(
                "SUPABASE_PUBLISHABLE_KEY", \.tokens.publishableKey, .optional(.projectKey),
                "The key of apps below /auth/v1 (sb_publishable_…; default: derived from JWT_SECRET)."
            ).fixed
            Setting(
                "SUPABASE_SECRET_KEY", \.tokens.secretKey, .optional(.secretProjectKey),
                "The key of servers below /auth/v1 (sb_secret_…; default: derived from JWT_SECRET)."
            ).fixed
        },
        Section("Ways in") {
            Setting("GOTRUE_DISABLE_SIGNUP", \.signIn.isSignUpDisabled, .flag, "Whether new users are rejected.")
            Setting(
                "GOTRUE_EXTERNAL_EMAIL_ENABLED", \.signIn.allowsEmail, .flag,
                "Whether people can sign up and sign in with an email address.")
            Setting(
                "GOTRUE_EXTERNAL_PHONE_ENABLED", \.signIn.allowsPhone, .flag,
                "Whether people can sign up and sign in with a phone number."
            )
            Setting(
                "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", \.signIn.allowsAnonymous, .flag,
                "Whether anonymous users can sign in, without an address and a number.")
            Setting(
                "GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED", \.signIn.allowsMagicLink, .flag,
                "Whether people can sign in with an emailed link or code.")
            Setting(
                "GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", \.signIn.allowsManualLinking, .flag,
                "Whether people can link and unlink identities themselves.")
        },
        Section("Mails") {
            Setting(
                "GOTRUE_MAILER_AUTOCONFIRM", \.mail.confirmsByItself, .flag,
                "Whether addresses are confirmed without an email.")
            Setting(
                "GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", \.mail.securesChange, .flag,
                "Whether the old address must also confirm a new address.")
            Setting(
                "GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS", \.mail.allowsUnverified, .flag,
                "Whether people can sign in with a provider's unverified address.")
            Setting(
                "GOTRUE_MAILER_OTP_LENGTH", \.mail.codeLength, .codeLength, "The number of digits of codes in emails, 6 to 10.")
            Setting(
                "GOTRUE_MAILER_OTP_EXP", \.mail.codeLife, .codeLife(usually: .seconds(86_400)),
                "The lifetime of codes and links in emails, in seconds; at most a day.")
            Setting(
                "GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES", \.mail.authorizedAddresses, .list(),
                "The only addresses that receive emails, separated by commas (default: all).")
            Setting(
                "GOTRUE_SMTP_MAX_FREQUENCY", \.mail.interval, .interval,
                "The minimum time between two emails of a kind to a user; 1ms for none.")
            Setting("GOTRUE_SMTP_ADMIN_EMAIL", \.mail.sender, .text, "The sender of emails.")
            Setting(
                "LOCKSTEP_OUTBOX", \.mail.isReachable, .onUnlessOff,
                "With off, no mail server and no SMS provider is reachable. Only in the emulator."
            ).fixed
            mailTexts
        },
    ]

    /// SMS, refresh tokens, sessions, passwords.
    static let messages: [Section] = [
        Section("Text messages") {
            Setting(
                "GOTRUE_SMS_AUTOCONFIRM", \.sms.confirmsByItself, .flag,
                "Whether numbers are confirmed without a message.")
            Setting(
                "GOTRUE_SMS_OTP_LENGTH", \.sms.codeLength, .codeLength, "The number of digits of codes in text messages, 6 to 10."
            )
            Setting(
                "GOTRUE_SMS_OTP_EXP", \.sms.codeLife, .codeLife(usually: .seconds(60)),
                "The lifetime of codes in text messages, in seconds; at most a day.")
            Setting(
                "GOTRUE_SMS_MAX_FREQUENCY", \.sms.interval, .interval,
                "The minimum time between two messages of a kind to a user; 1ms for none.")
            Setting("GOTRUE_SMS_TEMPLATE", \.sms.template, .text, "The text of a message.")
            Setting(
                "GOTRUE_SMS_PROVIDER", \.sms.provider, .text,
                "The provider that the outbox replaces. Without a name, the outbox replaces a hook, which accepts any channel.")
            smsCredentials
            Setting(
                "GOTRUE_SMS_TEST_OTP", \.sms.testCodes, .testCodes,
                "Test numbers without messages, and their fixed codes: 15551230000:123456,15551230001:654321.")
            Setting(
                "GOTRUE_SMS_TEST_OTP_VALID_UNTIL", \.sms.testCodesEnd, .optional(.time),
                "The expiry of the fixed codes, such as 2030-01-01T00:00:00Z (default: never).")
        },
        Section("Refresh tokens") {
            Setting(
                "GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", \.refresh.punishesReuse, .flag,
                "Whether reuse of a refresh token ends its session.")
            Setting(
                "GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", \.refresh.reuseInterval, .wholeSeconds,
                "The seconds during which a used refresh token is accepted again.")
            Setting(
                "GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE", \.refresh.allowsReuse, .flag,
                "Whether a used refresh token is always accepted again (version 2).")
            Setting(
                "GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION", \.refresh.version,
                .number.adjusted("0, 1 or 2") { (0...2).contains($0) ? max(1, $0) : nil },
                "1: a row for each refresh token; 2: signed counters of the session.")
        },
        Section("Sessions") {
            Setting(
                "GOTRUE_SESSIONS_TIMEBOX", \.sessions.life, .optional(.life),
                "The maximum lifetime of a session, such as 24h (default: no limit).")
            Setting(
                "GOTRUE_SESSIONS_INACTIVITY_TIMEOUT", \.sessions.idleLife, .optional(.life),
                "The maximum time of a session without a refresh (default: no limit).")
            Setting(
                "GOTRUE_SESSIONS_ALLOW_LOW_AAL", \.sessions.lowAssuranceLife, .optional(.life),
                "The maximum time of a session without its user's second factor (default: no limit).")
            Setting(
                "GOTRUE_SESSIONS_SINGLE_PER_USER", \.sessions.isSinglePerUser, .flag,
                "Whether a new sign-in ends older sessions.")
        },
        Section("Passwords") {
            Setting(
                "GOTRUE_PASSWORD_MIN_LENGTH", \.passwords.minimumLength, .number.adjusted { max(6, $0) },
                "The minimum length of a password in bytes, at least 6.")
            Setting(
                "GOTRUE_PASSWORD_REQUIRED_CHARACTERS", \.passwords.requiredCharacters, .characterSets,
                "Sets of characters, separated by colons. A password must contain one character of each.")
            Setting(
                "LOCKSTEP_PASSWORD_COST", \.passwords.cost, .choice,
                "The cost of a hash: real for the server's own, least for fast tests. Only in the emulator.")
            Setting(
                "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION", \.passwords.requiresReauthentication, .flag,
                "Whether a new password on an old session requires a code.")
            Setting(
                "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", \.passwords.requiresCurrent, .flag,
                "Whether a new password requires the current password.")
        },
    ]
}
