internal import Lockstep

/// The messages that GoTrue sends, by what is asked of the server.
enum Message: String, Sendable {
    /// Proves the address of a new account.
    case signUp
    /// Lets somebody in by e-mail.
    case signIn
    /// Lets somebody in by SMS.
    case signInByPhone
    /// Lets somebody set a new password.
    case recovery
    /// Proves a new address of a user.
    case emailChange
    /// Proves a new number of a user.
    case phoneChange
    /// Lets a user change the password whose sign-in is too old for that.
    case reauthentication
    /// The same, for a user without an address.
    case reauthenticationByPhone

    /// What its code is called at `/verify`.
    var codeType: String {
        switch self {
        case .signUp: "signup"
        // Tries both of the server's places: a new address gets a confirmation, a known one a magic link.
        case .signIn: "email"
        case .signInByPhone: "sms"
        case .recovery: "recovery"
        case .emailChange: "email_change"
        case .phoneChange: "phone_change"
        // Its code goes along with what it was asked for.
        case .reauthentication, .reauthenticationByPhone: "reauthentication"
        }
    }

    var channel: Challenge.Channel {
        switch self {
        case .signInByPhone, .phoneChange, .reauthenticationByPhone: .sms
        default: .email
        }
    }

    /// The kind of flow that it belongs to, where the flow was not begun for it.
    var kind: Flow.Kind {
        switch self {
        case .signUp: .confirmation
        case .signIn, .signInByPhone: .signIn
        case .recovery: .passwordReset
        case .emailChange: .emailChange
        case .phoneChange: .linking
        case .reauthentication, .reauthenticationByPhone: .reauthentication
        }
    }
}
