/// The settings of second factors.
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
    /// The minimum time between two challenges by text message (`GOTRUE_MFA_PHONE_MAX_FREQUENCY`).
    public var phoneInterval = Duration.seconds(60)
    /// The text of a message with a code (`GOTRUE_MFA_PHONE_TEMPLATE`).
    public var phoneTemplate = "Your code is {{ .Code }}"
    /// The number of digits of a code by text message (`GOTRUE_MFA_PHONE_OTP_LENGTH`).
    public var phoneCodeLength = 6
    /// The lifetime of a challenge (`GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION`), at least 300 seconds.
    public var challengeLife = Duration.seconds(300)
    /// The age at which an unverified factor may be deleted (`GOTRUE_MFA_FACTOR_EXPIRY_DURATION`), at least 300 seconds.
    public var unverifiedLife = Duration.seconds(300)
}
