/// Second factors.
public struct FactorSettings: Sendable, Hashable {
    /// Whether a kind of factor may be enrolled and verified.
    public struct Kind: Sendable, Hashable {
        /// The setting `GOTRUE_MFA_…_ENROLL_ENABLED`.
        public var mayEnroll: Bool
        /// The setting `GOTRUE_MFA_…_VERIFY_ENABLED`.
        public var mayVerify: Bool
    }

    /// Codes of an authenticator app.
    public var totp = Kind(mayEnroll: true, mayVerify: true)
    /// Codes by text message.
    public var phone = Kind(mayEnroll: false, mayVerify: false)
    /// Security keys.
    public var webAuthn = Kind(mayEnroll: false, mayVerify: false)
    /// The setting `GOTRUE_MFA_MAX_ENROLLED_FACTORS`.
    public var maximumEnrolled = 10
    /// The setting `GOTRUE_MFA_MAX_VERIFIED_FACTORS`.
    public var maximumVerified = 10
    /// The shortest time between two challenges by text message (`GOTRUE_MFA_PHONE_MAX_FREQUENCY`).
    public var phoneInterval = Duration.seconds(60)
    /// The text of a message with a code (`GOTRUE_MFA_PHONE_TEMPLATE`).
    public var phoneTemplate = "Your code is {{ .Code }}"
    /// Digits of a code by text message (`GOTRUE_MFA_PHONE_OTP_LENGTH`).
    public var phoneCodeLength = 6
    /// The lifetime of a challenge (`GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION`), at least 300 seconds.
    public var challengeLife = Duration.seconds(300)
    /// The age at which an unverified factor may be deleted (`GOTRUE_MFA_FACTOR_EXPIRY_DURATION`), at least 300 seconds.
    public var unverifiedLife = Duration.seconds(300)

    mutating func read(_ environment: inout EnvironmentReader) {
        environment.flag("GOTRUE_MFA_TOTP_ENROLL_ENABLED", into: &totp.mayEnroll)
        environment.flag("GOTRUE_MFA_TOTP_VERIFY_ENABLED", into: &totp.mayVerify)
        environment.flag("GOTRUE_MFA_PHONE_ENROLL_ENABLED", into: &phone.mayEnroll)
        environment.flag("GOTRUE_MFA_PHONE_VERIFY_ENABLED", into: &phone.mayVerify)
        environment.flag("GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED", into: &webAuthn.mayEnroll)
        environment.flag("GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED", into: &webAuthn.mayVerify)
        environment.number("GOTRUE_MFA_MAX_ENROLLED_FACTORS", into: &maximumEnrolled)
        environment.number("GOTRUE_MFA_MAX_VERIFIED_FACTORS", into: &maximumVerified)
        environment.duration("GOTRUE_MFA_PHONE_MAX_FREQUENCY", into: &phoneInterval)
        environment.number("GOTRUE_MFA_PHONE_OTP_LENGTH", into: &phoneCodeLength)
        if !(6...10).contains(phoneCodeLength) { phoneCodeLength = 6 }
        environment.text("GOTRUE_MFA_PHONE_TEMPLATE", into: &phoneTemplate)
        if phoneInterval == .zero { phoneInterval = .seconds(60) }
        environment.seconds("GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION", into: &challengeLife)
        challengeLife = max(challengeLife, .seconds(300))
        environment.duration("GOTRUE_MFA_FACTOR_EXPIRY_DURATION", into: &unverifiedLife)
        unverifiedLife = max(unverifiedLife, .seconds(300))
    }
}
