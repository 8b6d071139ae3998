internal import LockstepPrimitives

/// A mailed code: its action and its recipient.
struct ActionCode: Sendable, Equatable {
    /// The action of a code; the set is Firebase's, and grows.
    struct Kind: RawRepresentable, Sendable, Hashable {
        let rawValue: String

        static let passwordReset = Kind(rawValue: "PASSWORD_RESET")
        static let verifyEmail = Kind(rawValue: "VERIFY_EMAIL")
        static let emailSignIn = Kind(rawValue: "EMAIL_SIGNIN")
        static let changeEmail = Kind(rawValue: "VERIFY_AND_CHANGE_EMAIL")
        static let recoverEmail = Kind(rawValue: "RECOVER_EMAIL")

        /// `mode` in the link.
        var mode: String? {
            switch self {
            case .passwordReset: "resetPassword"
            case .verifyEmail: "verifyEmail"
            case .emailSignIn: "signIn"
            case .changeEmail: "verifyAndChangeEmail"
            case .recoverEmail: "recoverEmail"
            default: nil
            }
        }

        /// The lifetime of a code of this kind; `nil` means forever.
        func lifetime(_ lifetimes: Lifetimes) -> Duration? {
            switch self {
            case .passwordReset: lifetimes.passwordReset
            case .emailSignIn: lifetimes.signInLink
            default: lifetimes.verification
            }
        }
    }

    let code: String
    let kind: Kind
    let email: String
    let newEmail: String?
    let link: String
    let createdAt: Instant

    /// The entry of the emulator's list of codes.
    var json: JSON {
        var members: JSONObject = ["email": .string(email)]
        members["newEmail"] = newEmail.map(JSON.string)
        members["requestType"] = .string(kind.rawValue)
        members["oobCode"] = .string(code)
        members["oobLink"] = .string(link)
        return .object(members)
    }
}
