internal import LockstepEmulation

extension SettingSections {
    /// Second factors, passkeys, limits, hooks, captcha, identity providers.
    static let protection: [Section] = [
        Section("Second factors") {
            Setting(
                "GOTRUE_MFA_TOTP_ENROLL_ENABLED", \.factors.totp.mayEnroll, .flag, "Whether authenticator apps can be added.")
            Setting(
                "GOTRUE_MFA_TOTP_VERIFY_ENABLED", \.factors.totp.mayVerify, .flag,
                "Whether codes of authenticator apps are taken.")
            Setting(
                "GOTRUE_MFA_PHONE_ENROLL_ENABLED", \.factors.phone.mayEnroll, .flag,
                "Whether phone numbers can be added as second factors.")
            Setting(
                "GOTRUE_MFA_PHONE_VERIFY_ENABLED", \.factors.phone.mayVerify, .flag,
                "Whether codes by text message are taken as second factors.")
            Setting(
                "GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED", \.factors.webAuthn.mayEnroll, .flag,
                "Whether security keys can be added as second factors.")
            Setting(
                "GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED", \.factors.webAuthn.mayVerify, .flag,
                "Whether security keys are taken as second factors.")
            Setting(
                "GOTRUE_MFA_MAX_ENROLLED_FACTORS", \.factors.maximumEnrolled, .number,
                "How many second factors a user may have, unverified ones included.")
            Setting(
                "GOTRUE_MFA_MAX_VERIFIED_FACTORS", \.factors.maximumVerified, .number,
                "How many verified second factors a user may have.")
            Setting(
                "GOTRUE_MFA_PHONE_MAX_FREQUENCY", \.factors.phoneInterval, .interval,
                "The shortest time between two challenges by text message; 1ms is none.")
            Setting(
                "GOTRUE_MFA_PHONE_OTP_LENGTH", \.factors.phoneCodeLength, .codeLength, "The digits of those codes, 6 to 10.")
            Setting("GOTRUE_MFA_PHONE_TEMPLATE", \.factors.phoneTemplate, .text, "The text of a message with such a code.")
            Setting(
                "GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION", \.factors.challengeLife, .wholeSeconds.atLeastFiveMinutes,
                "The life of a challenge in seconds, at least 300.")
            Setting(
                "GOTRUE_MFA_FACTOR_EXPIRY_DURATION", \.factors.unverifiedLife, .duration.atLeastFiveMinutes,
                "The age at which an unverified factor may be removed, at least 300s.")
        },
        Section("Passkeys") {
            Setting("GOTRUE_PASSKEY_ENABLED", \.passkeys.isEnabled, .flag, "Whether people sign in by passkey.")
            Setting(
                "GOTRUE_WEBAUTHN_RP_ID", \.passkeys.relyingParty, .text, "The domain that passkeys and security keys are for."
            )
            Setting("GOTRUE_WEBAUTHN_RP_DISPLAY_NAME", \.passkeys.displayName, .text, "The name that authenticators show.")
            Setting(
                "GOTRUE_WEBAUTHN_RP_ORIGINS", \.passkeys.origins, .list(),
                "The origins of the pages that use them, separated by commas.")
            Setting(
                "GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER", \.passkeys.maximum, .number, "How many passkeys a user may have.")
        },
        Section("Limits") {
            Setting(
                "GOTRUE_RATE_LIMIT_HEADER", \.limits.header, .optional(.text),
                "The header that names the caller; no caller is limited without it.")
            Setting(
                "GOTRUE_RATE_LIMIT_EMAIL_SENT", \.limits.mails, .optional(.rate),
                "Mails of the whole server an hour, or a rate such as 30/1h; no limit without it.")
            Setting(
                "GOTRUE_RATE_LIMIT_SMS_SENT", \.limits.messages, .optional(.rate),
                "Text messages of the whole server an hour, or a rate such as 30/1h; no limit without it.")
            callerLimits
            Setting("GOTRUE_RATE_LIMIT_ANONYMOUS_USERS", \.limits.anonymousPerHour, .number, "Guests an hour by caller.")
            Setting(
                "GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", \.limits.factorsPerMinute, .number,
                "Challenges and verifications of second factors a minute by caller.")
            Setting(
                "LOCKSTEP_HEADER_LIMIT", \.limits.headerBytes, .number(32 << 10...1 << 20),
                "The most bytes of headers, up to 1048576, for users with large metadata. The emulator's own."
            ).fixed
        },
        Section("Hooks") {
            hookSettings
        },
        Section("Captcha") {
            Setting(
                "GOTRUE_SECURITY_CAPTCHA_ENABLED", \.asksForCaptcha, .flag,
                "Whether a captcha token is asked for; those that hCaptcha and Turnstile give out for tests pass, every other is refused."
            )
            Setting.unused("GOTRUE_SECURITY_CAPTCHA_SECRET", "Taken, and not used.")
            Setting.unused("GOTRUE_SECURITY_CAPTCHA_PROVIDER", "Taken, and not used.")
        },
        Section("Identity providers") {
            Setting(
                "GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS", \.allowedIssuers, .list(),
                "Further issuers of ID tokens, separated by commas.")
            Setting(
                "GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION", \.flowLife, .duration.atLeastFiveMinutes,
                "How long a flow with a proof key or a provider lives, at least 300s.")
        },
    ]
}
