internal import LockstepEmulation

extension SettingSections {
    /// Second factors, passkeys, limits, hooks, captcha, identity providers.
    static let protection: [Section] = [
        Section("Second factors") {
            Setting(
                "GOTRUE_MFA_TOTP_ENROLL_ENABLED", \.factors.totp.mayEnroll, .flag, "Whether authenticator apps can be added.")
            Setting(
                "GOTRUE_MFA_TOTP_VERIFY_ENABLED", \.factors.totp.mayVerify, .flag,
                "Whether codes of authenticator apps are accepted.")
            Setting(
                "GOTRUE_MFA_PHONE_ENROLL_ENABLED", \.factors.phone.mayEnroll, .flag,
                "Whether phone numbers can be added as second factors.")
            Setting(
                "GOTRUE_MFA_PHONE_VERIFY_ENABLED", \.factors.phone.mayVerify, .flag,
                "Whether codes by text message are accepted as second factors.")
            Setting(
                "GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED", \.factors.webAuthn.mayEnroll, .flag,
                "Whether security keys can be added as second factors.")
            Setting(
                "GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED", \.factors.webAuthn.mayVerify, .flag,
                "Whether security keys are accepted as second factors.")
            Setting(
                "GOTRUE_MFA_MAX_ENROLLED_FACTORS", \.factors.maximumEnrolled, .number,
                "The maximum number of second factors of a user, including unverified ones.")
            Setting(
                "GOTRUE_MFA_MAX_VERIFIED_FACTORS", \.factors.maximumVerified, .number,
                "The maximum number of verified second factors of a user.")
            Setting(
                "GOTRUE_MFA_PHONE_MAX_FREQUENCY", \.factors.phoneInterval, .interval,
                "The minimum time between two challenges by text message; 1ms for none.")
            Setting(
                "GOTRUE_MFA_PHONE_OTP_LENGTH", \.factors.phoneCodeLength, .codeLength,
                "The number of digits of those codes, 6 to 10.")
            Setting("GOTRUE_MFA_PHONE_TEMPLATE", \.factors.phoneTemplate, .text, "The text of a message with such a code.")
            Setting(
                "GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION", \.factors.challengeLife, .wholeSeconds.atLeastFiveMinutes,
                "The lifetime of a challenge in seconds, at least 300.")
            Setting(
                "GOTRUE_MFA_FACTOR_EXPIRY_DURATION", \.factors.unverifiedLife, .duration.atLeastFiveMinutes,
                "The age at which an unverified factor may be removed, at least 300s.")
        },
        Section("Passkeys") {
            Setting("GOTRUE_PASSKEY_ENABLED", \.passkeys.isEnabled, .flag, "Whether people can sign in with a passkey.")
            Setting(
                "GOTRUE_WEBAUTHN_RP_ID", \.passkeys.relyingParty, .text, "The domain of passkeys and security keys."
            )
            Setting("GOTRUE_WEBAUTHN_RP_DISPLAY_NAME", \.passkeys.displayName, .text, "The name that authenticators show.")
            Setting(
                "GOTRUE_WEBAUTHN_RP_ORIGINS", \.passkeys.origins, .list(),
                "The origins of the pages that use them, separated by commas.")
            Setting(
                "GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER", \.passkeys.maximum, .number, "The maximum number of passkeys of a user.")
        },
        Section("Limits") {
            Setting(
                "GOTRUE_RATE_LIMIT_HEADER", \.limits.header, .optional(.text),
                "The header that identifies the caller (default: callers are not limited).")
            Setting(
                "GOTRUE_RATE_LIMIT_EMAIL_SENT", \.limits.mails, .optional(.rate),
                "The emails of the whole server per hour, or a rate such as 30/1h (default: no limit).")
            Setting(
                "GOTRUE_RATE_LIMIT_SMS_SENT", \.limits.messages, .optional(.rate),
                "The text messages of the whole server per hour, or a rate such as 30/1h (default: no limit).")
            callerLimits
            Setting(
                "GOTRUE_RATE_LIMIT_ANONYMOUS_USERS", \.limits.anonymousPerHour, .number,
                "The new anonymous users per hour and caller.")
            Setting(
                "GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", \.limits.factorsPerMinute, .number,
                "The challenges and verifications of second factors per minute and caller.")
            Setting(
                "LOCKSTEP_HEADER_LIMIT", \.limits.headerBytes, .number(32 << 10...1 << 20),
                "The maximum size of headers in bytes, up to 1048576, for users with large metadata. Only in the emulator."
            ).fixed
        },
        Section("Hooks") {
            hookSettings
        },
        Section("Captcha") {
            Setting(
                "GOTRUE_SECURITY_CAPTCHA_ENABLED", \.asksForCaptcha, .flag,
                "Whether a captcha token is required. Only the test tokens of hCaptcha and Turnstile are accepted."
            )
            Setting.unused("GOTRUE_SECURITY_CAPTCHA_SECRET", "Accepted but not used.")
            Setting.unused("GOTRUE_SECURITY_CAPTCHA_PROVIDER", "Accepted but not used.")
        },
        Section("Identity providers") {
            Setting(
                "GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS", \.allowedIssuers, .list(),
                "Further issuers of ID tokens, separated by commas.")
            Setting(
                "GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION", \.flowLife, .duration.atLeastFiveMinutes,
                "The lifetime of a flow with a proof key or a provider, at least 300s.")
        },
    ]
}
