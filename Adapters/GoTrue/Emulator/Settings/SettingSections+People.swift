internal import LockstepEmulation

extension SettingSections {
    /// Addresses, access tokens, ways in, emails.
    static let people: [Section] = [
        Section("Addresses") {
            Setting("GOTRUE_SITE_URL", \.siteURL, .text, "Where links and redirects lead, unless they say otherwise.")
            Setting("GOTRUE_URI_ALLOW_LIST", \.allowedRedirects, .list(), "Globs of further targets, separated by commas.")
            Setting(
                "API_EXTERNAL_URL", \.externalURL, .optional(.text),
                "The address of this server in links and tokens; the one it listens at without it. Has no GOTRUE_ before it."
            ).fixed
            Setting("GOTRUE_API_EXTERNAL_URL", \.secondExternalURL, .optional(.text), "The same by another name.").fixed
            Setting(
                "GOTRUE_CORS_ALLOWED_HEADERS", \.allowedHeaders, .list(),
                "Request headers that pages of other origins may send besides the server's own, separated by commas.")
        },
        Section("Access tokens") {
            Setting(
                "GOTRUE_JWT_SECRET", \.tokens.secret, .signingSecret,
                "What signs access tokens and the keys anon and service_role; at least 32 characters."
            ).fixed
            Setting("GOTRUE_JWT_EXP", \.tokens.life, .number, "The life of access tokens in seconds.")
            Setting("GOTRUE_JWT_AUD", \.tokens.audience, .text, "The audience of access tokens (aud).")
            Setting("GOTRUE_JWT_DEFAULT_GROUP_NAME", \.tokens.role, .text, "The role of new users.")
            Setting(
                "GOTRUE_JWT_ADMIN_ROLES", \.tokens.adminRoles, .list(),
                "The roles whose tokens may use the administrator's routes, separated by commas.")
            Setting(
                "GOTRUE_JWT_ISSUER", \.tokens.issuer, .optional(.text),
                "The issuer of access tokens (iss); this server's address without it.")
            Setting("GOTRUE_JWT_KEY_ID", \.tokens.keyID, .optional(.text), "The id that tokens give the secret (kid).").fixed
            Setting(
                "GOTRUE_JWT_KEYS", \.tokens.keys, .optional(.secret),
                "A list of private JSON Web Keys, one of which has \"sign\" in its key_ops and signs."
            ).fixed
            Setting(
                "GOTRUE_JWT_VALID_METHODS", \.tokens.methods, .list(),
                "The algorithms that tokens may name, separated by commas; those of the keys without it."
            ).fixed
            Setting(
                "SUPABASE_PUBLISHABLE_KEY", \.tokens.publishableKey, .optional(.projectKey),
                "The key of apps below /auth/v1 (sb_publishable_…); one made of JWT_SECRET without it."
            ).fixed
            Setting(
                "SUPABASE_SECRET_KEY", \.tokens.secretKey, .optional(.secretProjectKey),
                "The key of servers below /auth/v1 (sb_secret_…); one made of JWT_SECRET without it."
            ).fixed
        },
        Section("Ways in") {
            Setting("GOTRUE_DISABLE_SIGNUP", \.signIn.isSignUpDisabled, .flag, "Whether new users are refused.")
            Setting(
                "GOTRUE_EXTERNAL_EMAIL_ENABLED", \.signIn.allowsEmail, .flag,
                "Whether people sign up and in by e-mail address.")
            Setting(
                "GOTRUE_EXTERNAL_PHONE_ENABLED", \.signIn.allowsPhone, .flag, "Whether people sign up and in by phone number."
            )
            Setting(
                "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", \.signIn.allowsAnonymous, .flag,
                "Whether there are guests, who have neither.")
            Setting(
                "GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED", \.signIn.allowsMagicLink, .flag,
                "Whether a mail with a link or a code signs in.")
            Setting(
                "GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", \.signIn.allowsManualLinking, .flag,
                "Whether people may link and unlink identities by themselves.")
        },
        Section("Mails") {
            Setting(
                "GOTRUE_MAILER_AUTOCONFIRM", \.mail.confirmsByItself, .flag,
                "Whether addresses count as confirmed without a mail.")
            Setting(
                "GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", \.mail.securesChange, .flag,
                "Whether a new address is confirmed from the old one, too.")
            Setting(
                "GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS", \.mail.allowsUnverified, .flag,
                "Whether a provider's address that is not verified lets in.")
            Setting("GOTRUE_MAILER_OTP_LENGTH", \.mail.codeLength, .codeLength, "The digits of codes in mails, 6 to 10.")
            Setting(
                "GOTRUE_MAILER_OTP_EXP", \.mail.codeLife, .codeLife(usually: .seconds(86_400)),
                "The life of codes and links in mails, in seconds; a day at most.")
            Setting(
                "GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES", \.mail.authorizedAddresses, .list(),
                "The only addresses that get mails, separated by commas; all without it.")
            Setting(
                "GOTRUE_SMTP_MAX_FREQUENCY", \.mail.interval, .interval,
                "The shortest time between two mails of a kind to one user; 1ms is none.")
            Setting("GOTRUE_SMTP_ADMIN_EMAIL", \.mail.sender, .text, "The sender of mails.")
            Setting(
                "LOCKSTEP_OUTBOX", \.mail.isReachable, .onUnlessOff,
                "off: no mail server and no SMS provider can be reached. The emulator's own."
            ).fixed
            mailTexts
        },
    ]

    /// Text messages, refresh tokens, sessions, passwords.
    static let messages: [Section] = [
        Section("Text messages") {
            Setting(
                "GOTRUE_SMS_AUTOCONFIRM", \.sms.confirmsByItself, .flag,
                "Whether numbers count as confirmed without a message.")
            Setting("GOTRUE_SMS_OTP_LENGTH", \.sms.codeLength, .codeLength, "The digits of codes in text messages, 6 to 10.")
            Setting(
                "GOTRUE_SMS_OTP_EXP", \.sms.codeLife, .codeLife(usually: .seconds(60)),
                "The life of codes in text messages, in seconds; a day at most.")
            Setting(
                "GOTRUE_SMS_MAX_FREQUENCY", \.sms.interval, .interval,
                "The shortest time between two messages of a kind to one user; 1ms is none.")
            Setting("GOTRUE_SMS_TEMPLATE", \.sms.template, .text, "The text of a message.")
            Setting(
                "GOTRUE_SMS_PROVIDER", \.sms.provider, .text,
                "The provider that the outbox stands for; without a name it stands for a hook, which takes any channel.")
            smsCredentials
            Setting(
                "GOTRUE_SMS_TEST_OTP", \.sms.testCodes, .testCodes,
                "Numbers that get no message, and their fixed codes: 15551230000:123456,15551230001:654321.")
            Setting(
                "GOTRUE_SMS_TEST_OTP_VALID_UNTIL", \.sms.testCodesEnd, .optional(.time),
                "When the fixed codes end, such as 2030-01-01T00:00:00Z; never without it.")
        },
        Section("Refresh tokens") {
            Setting(
                "GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", \.refresh.punishesReuse, .flag,
                "Whether reuse of a refresh token ends its session.")
            Setting(
                "GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", \.refresh.reuseInterval, .wholeSeconds,
                "For how many seconds a used refresh token is taken again.")
            Setting(
                "GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE", \.refresh.allowsReuse, .flag,
                "Whether a used refresh token is always taken again (version 2).")
            Setting(
                "GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION", \.refresh.version,
                .number.adjusted("0, 1 or 2") { (0...2).contains($0) ? max(1, $0) : nil },
                "1: a row for each refresh token; 2: signed counters of the session.")
        },
        Section("Sessions") {
            Setting(
                "GOTRUE_SESSIONS_TIMEBOX", \.sessions.life, .optional(.life),
                "The longest life of a session, such as 24h; no end without it.")
            Setting(
                "GOTRUE_SESSIONS_INACTIVITY_TIMEOUT", \.sessions.idleLife, .optional(.life),
                "How long a session may go without a refresh; no end without it.")
            Setting(
                "GOTRUE_SESSIONS_ALLOW_LOW_AAL", \.sessions.lowAssuranceLife, .optional(.life),
                "How long a session may go without its user's second factor; no end without it.")
            Setting(
                "GOTRUE_SESSIONS_SINGLE_PER_USER", \.sessions.isSinglePerUser, .flag,
                "Whether a newer sign-in ends the older ones.")
        },
        Section("Passwords") {
            Setting(
                "GOTRUE_PASSWORD_MIN_LENGTH", \.passwords.minimumLength, .number.adjusted { max(6, $0) },
                "The fewest bytes of a password, never under 6.")
            Setting(
                "GOTRUE_PASSWORD_REQUIRED_CHARACTERS", \.passwords.requiredCharacters, .characterSets,
                "Sets of characters one of each of which a password needs, separated by colons.")
            Setting(
                "LOCKSTEP_PASSWORD_COST", \.passwords.cost, .choice,
                "What a hash costs: real as the server's own, least for fast tests. The emulator's own.")
            Setting(
                "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION", \.passwords.requiresReauthentication, .flag,
                "Whether a new password on an old session needs a code.")
            Setting(
                "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", \.passwords.requiresCurrent, .flag,
                "Whether a new password needs the current one.")
        },
    ]
}
