/// An outgoing mail.
struct Letter: Sendable {
    enum Purpose: String, Sendable {
        case confirmation = "CONFIRMATION"
        case invite = "INVITE"
        case recovery = "RECOVERY"
        case magicLink = "MAGIC_LINK"
        case emailChange = "EMAIL_CHANGE"
        case reauthentication = "REAUTHENTICATION"

        /// The link's `type`, and a hook's `email_action_type`.
        var linkType: String {
            switch self {
            case .confirmation: "signup"
            case .invite: "invite"
            case .recovery: "recovery"
            case .magicLink: "magiclink"
            case .emailChange: "email_change"
            case .reauthentication: "reauthentication"
            }
        }

        /// The server's error when the mail cannot be sent.
        var failure: String {
            switch self {
            case .confirmation: "Error sending confirmation email"
            case .invite: "Error sending invite email"
            case .recovery: "Error sending recovery email"
            case .magicLink: "Error sending magic link email"
            case .emailChange: "Error sending email change email"
            case .reauthentication: "Error sending reauthentication email"
            }
        }
    }

    var purpose: Purpose
    var address: String
    var code: String
    /// `nil` for the one mail without a link.
    var link: String?
    /// The values for the subject's template.
    var values: [String: String]
}
