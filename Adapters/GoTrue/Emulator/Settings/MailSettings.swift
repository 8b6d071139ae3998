/// The settings of emails and their codes.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.mail.codeLength = 8
/// settings.mail.interval = .zero
/// ```
public struct MailSettings: Sendable, Hashable {
    /// Whether a new email address is confirmed without a message (`GOTRUE_MAILER_AUTOCONFIRM`).
    public var confirmsByItself = false
    /// Whether a user must confirm a change of address with both the old and the new address.
    ///
    /// The setting is `GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED`.
    public var securesChange = true
    /// Whether users can sign in before they verify the email address.
    ///
    /// The setting is `GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS`.
    public var allowsUnverified = false
    /// The number of digits of a code (`GOTRUE_MAILER_OTP_LENGTH`).
    public var codeLength = 6
    /// The lifetime of codes and links (`GOTRUE_MAILER_OTP_EXP`).
    public var codeLife = Duration.seconds(86_400)
    /// The minimum time between two emails of the same kind to the same user (`GOTRUE_SMTP_MAX_FREQUENCY`).
    public var interval = Duration.seconds(60)
    /// The email address of the sender (`GOTRUE_SMTP_ADMIN_EMAIL`).
    public var sender = "admin@example.com"
    /// Whether the server can send emails and SMS (`LOCKSTEP_OUTBOX=off` means no).
    public var isReachable = true
    /// The subject of an email for each purpose, in Go's template language (`GOTRUE_MAILER_SUBJECTS_…`).
    public var subjects = [
        "CONFIRMATION": "Confirm your email address", "INVITE": "You've been invited", "RECOVERY": "Reset your password",
        "MAGIC_LINK": "Your sign-in link", "EMAIL_CHANGE": "Confirm your new email address",
        "REAUTHENTICATION": "{{ .Token }} is your verification code",
    ]
    /// The URL of the email template for each purpose (`GOTRUE_MAILER_TEMPLATES_…`).
    ///
    /// A template is in Go's template language. The URL must use plain HTTP on this machine, or be a path below the
    /// site's URL.
    public var templates: [String: String] = [:]
    /// The only addresses that receive emails; empty if all addresses receive emails
    /// (`GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES`).
    public var authorizedAddresses: [String] = []
    /// The path of the link in an email for each purpose (`GOTRUE_MAILER_URLPATHS_…`).
    public var paths = ["CONFIRMATION": "/verify", "INVITE": "/verify", "RECOVERY": "/verify", "EMAIL_CHANGE": "/verify"]

    /// Whether an address may receive emails; the part after a plus sign is ignored.
    func mayWrite(to address: String) -> Bool {
        guard !authorizedAddresses.isEmpty, !address.isEmpty else { return true }
        var bare = address.lowercased()
        if let plus = bare.unicodeScalars.firstIndex(of: "+"), let sign = bare.unicodeScalars.lastIndex(of: "@"), plus < sign {
            bare.removeSubrange(plus..<sign)
        }
        return authorizedAddresses.contains { $0.lowercased() == bare }
    }
}
