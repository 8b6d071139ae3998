/// The settings of emails and their codes.
public struct MailSettings: Sendable, Hashable {
    /// Whether addresses are confirmed immediately (`GOTRUE_MAILER_AUTOCONFIRM`).
    public var confirmsByItself = false
    /// Whether both addresses must confirm a change (`GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED`).
    public var securesChange = true
    /// The setting `GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS`.
    public var allowsUnverified = false
    /// The number of digits of a code (`GOTRUE_MAILER_OTP_LENGTH`).
    public var codeLength = 6
    /// The lifetime of codes and links (`GOTRUE_MAILER_OTP_EXP`).
    public var codeLife = Duration.seconds(86_400)
    /// The minimum time between two emails of a kind to a user (`GOTRUE_SMTP_MAX_FREQUENCY`).
    public var interval = Duration.seconds(60)
    /// The setting `GOTRUE_SMTP_ADMIN_EMAIL`.
    public var sender = "admin@example.com"
    /// Whether there is a mail server and an SMS provider (`LOCKSTEP_OUTBOX=off` means no).
    public var isReachable = true
    /// The subjects by purpose, in Go's template language (`GOTRUE_MAILER_SUBJECTS_…`).
    public var subjects = [
        "CONFIRMATION": "Confirm your email address", "INVITE": "You've been invited", "RECOVERY": "Reset your password",
        "MAGIC_LINK": "Your sign-in link", "EMAIL_CHANGE": "Confirm your new email address",
        "REAUTHENTICATION": "{{ .Token }} is your verification code",
    ]
    /// The addresses of email templates by purpose, in Go's template language (`GOTRUE_MAILER_TEMPLATES_…`).
    ///
    /// They must be plain HTTP on this machine, or below the site.
    public var templates: [String: String] = [:]
    /// The only addresses that receive emails; empty for all (`GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES`).
    public var authorizedAddresses: [String] = []
    /// The paths of links by purpose (`GOTRUE_MAILER_URLPATHS_…`).
    public var paths = ["CONFIRMATION": "/verify", "INVITE": "/verify", "RECOVERY": "/verify", "EMAIL_CHANGE": "/verify"]

    /// Whether an address may get mail; what follows a plus sign does not count.
    func mayWrite(to address: String) -> Bool {
        guard !authorizedAddresses.isEmpty, !address.isEmpty else { return true }
        var bare = address.lowercased()
        if let plus = bare.unicodeScalars.firstIndex(of: "+"), let sign = bare.unicodeScalars.lastIndex(of: "@"), plus < sign {
            bare.removeSubrange(plus..<sign)
        }
        return authorizedAddresses.contains { $0.lowercased() == bare }
    }
}
