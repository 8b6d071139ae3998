internal import Lockstep

/// The messages that GoTrue sends, by the request that asks for them.
enum Message: String, Sendable {
    /// Proves the address of a new account.
    case signUp
    /// Signs the recipient in, by e-mail.
    case signIn
    /// Signs the recipient in, by SMS.
    case signInByPhone
    /// Lets the recipient set a new password.
    case recovery
    /// Proves a new address of a user.
    case emailChange
    /// Proves a new number of a user.
    case phoneChange
    /// Lets a user whose sign-in is too old change the password.
    case reauthentication
    /// The same, for a user without an address.
    case reauthenticationByPhone

    /// The `type` of its code at `/verify`.
    var codeType: String {
        switch self {
        case .signUp: "signup"
        // Matches both messages of the server: a new address gets a confirmation, a known one a magic link.
        case .signIn: "email"
        case .signInByPhone: "sms"
        case .recovery: "recovery"
        case .emailChange: "email_change"
        case .phoneChange: "phone_change"
        // Its code is sent with the request that needed it.
        case .reauthentication, .reauthenticationByPhone: "reauthentication"
        }
    }

    var channel: Challenge.Channel {
        switch self {
        case .signInByPhone, .phoneChange, .reauthenticationByPhone: .sms
        default: .email
        }
    }

    /// The kind of flow that its link belongs to.
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
