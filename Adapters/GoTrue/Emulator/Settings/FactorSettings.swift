/// The settings of second factors.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.factors.phone.mayEnroll = true
/// settings.factors.phone.mayVerify = true
/// ```
public struct FactorSettings: Sendable, Hashable {
    /// The settings for one kind of second factor.
    public struct Kind: Sendable, Hashable {
        /// Whether users may add such a factor (`GOTRUE_MFA_…_ENROLL_ENABLED`).
        public var mayEnroll: Bool
        /// Whether users may sign in with such a factor (`GOTRUE_MFA_…_VERIFY_ENABLED`).
        public var mayVerify: Bool
    }

    /// The settings for authenticator apps.
    public var totp = Kind(mayEnroll: true, mayVerify: true)
    /// The settings for codes by SMS.
    public var phone = Kind(mayEnroll: false, mayVerify: false)
    /// The settings for security keys and passkeys.
    public var webAuthn = Kind(mayEnroll: false, mayVerify: false)
    /// The maximum number of factors of a user, including unverified factors (`GOTRUE_MFA_MAX_ENROLLED_FACTORS`).
    public var maximumEnrolled = 10
    /// The maximum number of verified factors of a user (`GOTRUE_MFA_MAX_VERIFIED_FACTORS`).
    public var maximumVerified = 10
    /// The minimum time between two challenges by SMS (`GOTRUE_MFA_PHONE_MAX_FREQUENCY`).
    public var phoneInterval = Duration.seconds(60)
    /// The text of an SMS with a code (`GOTRUE_MFA_PHONE_TEMPLATE`).
    public var phoneTemplate = "Your code is {{ .Code }}"
    /// The number of digits of a code by SMS (`GOTRUE_MFA_PHONE_OTP_LENGTH`).
    public var phoneCodeLength = 6
    /// The lifetime of a challenge (`GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION`), at least 300 seconds.
    public var challengeLife = Duration.seconds(300)
    /// The age after which the server may delete an unverified factor (`GOTRUE_MFA_FACTOR_EXPIRY_DURATION`), at least
    /// 300 seconds.
    public var unverifiedLife = Duration.seconds(300)
}
