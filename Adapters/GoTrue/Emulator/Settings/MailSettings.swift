/// Mails and their codes.
public struct MailSettings: Sendable, Hashable {
    /// Addresses count as confirmed at once (`GOTRUE_MAILER_AUTOCONFIRM`).
    public var confirmsByItself = false
    /// A change of address is confirmed from both addresses (`GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED`).
    public var securesChange = true
    /// The setting `GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS`.
    public var allowsUnverified = false
    /// Digits of a code (`GOTRUE_MAILER_OTP_LENGTH`).
    public var codeLength = 6
    /// Life of codes and links (`GOTRUE_MAILER_OTP_EXP`).
    public var codeLife = Duration.seconds(86_400)
    /// The shortest time between two mails of a kind to one user (`GOTRUE_SMTP_MAX_FREQUENCY`).
    public var interval = Duration.seconds(60)
    /// The setting `GOTRUE_SMTP_ADMIN_EMAIL`.
    public var sender = "admin@example.com"
    /// Whether there is a mail server and an SMS provider (`LOCKSTEP_OUTBOX=off` means no).
    public var isReachable = true
    /// Subjects by purpose, in Go's template language (`GOTRUE_MAILER_SUBJECTS_…`).
    public var subjects = [
        "CONFIRMATION": "Confirm your email address", "INVITE": "You've been invited", "RECOVERY": "Reset your password",
        "MAGIC_LINK": "Your sign-in link", "EMAIL_CHANGE": "Confirm your new email address",
        "REAUTHENTICATION": "{{ .Token }} is your verification code",
    ]
    /// Addresses of pages by purpose, in Go's template language (`GOTRUE_MAILER_TEMPLATES_…`); plain HTTP on this machine, or
    /// below the site.
    public var templates: [String: String] = [:]
    /// The only addresses that get mail, where there are any (`GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES`).
    public var authorizedAddresses: [String] = []
    /// Paths of links by purpose (`GOTRUE_MAILER_URLPATHS_…`).
    public var paths = ["CONFIRMATION": "/verify", "INVITE": "/verify", "RECOVERY": "/verify", "EMAIL_CHANGE": "/verify"]

    mutating func read(_ environment: inout EnvironmentReader) {
        environment.flag("GOTRUE_MAILER_AUTOCONFIRM", into: &confirmsByItself)
        environment.flag("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", into: &securesChange)
        environment.flag("GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS", into: &allowsUnverified)
        environment.number("GOTRUE_MAILER_OTP_LENGTH", into: &codeLength)
        if !(6...10).contains(codeLength) { codeLength = 6 }
        environment.seconds("GOTRUE_MAILER_OTP_EXP", into: &codeLife)
        codeLife = codeLife == .zero ? .seconds(86_400) : min(codeLife, .seconds(86_400))
        environment.list("GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES", into: &authorizedAddresses)
        if confirmsByItself, allowsUnverified {
            environment.problem(
                "GOTRUE_MAILER_AUTOCONFIRM and GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS cannot both be true.")
        }
        environment.duration("GOTRUE_SMTP_MAX_FREQUENCY", into: &interval)
        if interval == .zero { interval = .seconds(60) }
        environment.text("GOTRUE_SMTP_ADMIN_EMAIL", into: &sender)
        if environment.text("LOCKSTEP_OUTBOX", default: "on") == "off" { isReachable = false }
        for purpose in subjects.keys.sorted() {
            environment.text("GOTRUE_MAILER_SUBJECTS_\(purpose)", into: &subjects[purpose, default: ""])
        }
        for purpose in subjects.keys.sorted() {
            templates[purpose] = environment.text("GOTRUE_MAILER_TEMPLATES_\(purpose)")
        }
        for purpose in paths.keys.sorted() {
            environment.text("GOTRUE_MAILER_URLPATHS_\(purpose)", into: &paths[purpose, default: "/verify"])
        }
    }

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
