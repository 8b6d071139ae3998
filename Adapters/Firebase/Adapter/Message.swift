internal import Lockstep

/// The messages that Firebase sends; the raw values are the wire's.
enum Message: String, Sendable {
    /// Proves the address of an account.
    case confirmation = "VERIFY_EMAIL"
    /// Signs the recipient in.
    case signIn = "EMAIL_SIGNIN"
    /// Lets the recipient set a new password.
    case recovery = "PASSWORD_RESET"
    /// Proves a new address of a user.
    case emailChange = "VERIFY_AND_CHANGE_EMAIL"

    /// The `mode` of its link.
    var mode: String {
        switch self {
        case .confirmation: "verifyEmail"
        case .signIn: "signIn"
        case .recovery: "resetPassword"
        case .emailChange: "verifyAndChangeEmail"
        }
    }

    init?(mode: String) {
        guard let message = [Message.confirmation, .signIn, .recovery, .emailChange].first(where: { $0.mode == mode }) else {
            return nil
        }
        self = message
    }

    /// The flows that its link may continue.
    var kinds: Set<Flow.Kind> {
        switch self {
        case .confirmation: [.confirmation]
        case .signIn: [.signIn, .linking, .reauthentication]
        case .recovery: [.passwordReset]
        case .emailChange: [.emailChange]
        }
    }

    /// Whether Firebase can be asked if the proof was given elsewhere.
    var isPolled: Bool { self == .confirmation || self == .emailChange }
}
