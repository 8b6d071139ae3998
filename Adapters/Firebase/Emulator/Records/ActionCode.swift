internal import LockstepEmulation
internal import LockstepPrimitives

/// An emailed code: its action and its recipient.
struct ActionCode: Record {
    /// The action of a code.
    ///
    /// Firebase adds further actions from time to time.
    struct Kind: RawRepresentable, Hashable, ColumnValue {
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

        /// Returns the lifetime of a code of this kind; `nil` means forever.
        func lifetime(_ lifetimes: Lifetimes) -> Duration? {
            switch self {
            case .passwordReset: lifetimes.passwordReset
            case .emailSignIn: lifetimes.signInLink
            default: lifetimes.verification
            }
        }
    }

    var space: Int64 = 0
    var code = ""
    var kind = Kind(rawValue: "")
    var email = ""
    var newEmail: String?
    var link = ""
    var createdAt = Instant(seconds: 0)

    static let table = Table<ActionCode>(
        "action_codes",
        [
            Column("space", \.space, .belongs(to: "spaces (id)")), Column("code", \.code), Column("kind", \.kind),
            Column("email", \.email), Column("new_email", \.newEmail), Column("link", \.link), Column("created_at", \.createdAt),
        ], key: ["space", "code"], numbered: "id", rules: ["UNIQUE (space, code)"],
        indexes: [Index("action_codes_by_email", on: "space, email, kind")])

    /// The entry of the emulator's list of codes.
    var json: JSON {
        JSONObject(given: [
            "email": email, "newEmail": newEmail, "requestType": kind.rawValue, "oobCode": code, "oobLink": link,
        ]).json
    }
}
