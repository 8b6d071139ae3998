internal import LockstepPrimitives
internal import LockstepSQLite

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

extension SQLiteConnection {
    private static let codeColumns: SQL = "code, kind, email, new_email, link, created_at"

    mutating func insert(_ code: ActionCode, in scope: ProjectScope) throws {
        try run(
            """
            INSERT INTO action_codes (space, \(Self.codeColumns))
            VALUES (\(scope.id), \(code.code), \(code.kind.rawValue), \(code.email), \(code.newEmail.sqliteValue), \(code.link), \(code.createdAt))
            """)
    }

    mutating func actionCode(_ code: String, in scope: ProjectScope) throws -> ActionCode? {
        try first("SELECT \(Self.codeColumns) FROM action_codes WHERE space = \(scope.id) AND code = \(code)") {
            row throws(SQLiteError) in try ActionCode(row)
        }
    }

    /// Uses a code up.
    mutating func remove(_ code: ActionCode, in scope: ProjectScope) throws {
        try run("DELETE FROM action_codes WHERE space = \(scope.id) AND code = \(code.code)")
    }

    /// The codes that are open, in the order in which they were made.
    mutating func actionCodes(in scope: ProjectScope) throws -> [ActionCode] {
        try all("SELECT \(Self.codeColumns) FROM action_codes WHERE space = \(scope.id) ORDER BY id") { row throws(SQLiteError) in
            try ActionCode(row)
        }
    }

    /// The time of the last unused code of a kind for an address.
    mutating func lastActionCode(_ kind: ActionCode.Kind, to email: String, in scope: ProjectScope) throws -> Instant? {
        try value(
            """
            SELECT created_at FROM action_codes WHERE space = \(scope.id) AND email = \(email) AND kind = \(kind.rawValue)
            ORDER BY id DESC LIMIT 1
            """)
    }
}

extension ActionCode {
    fileprivate init(_ row: borrowing SQLiteRow) throws(SQLiteError) {
        let kind: String = try row[1]
        self.init(
            code: try row[0], kind: Kind(rawValue: kind), email: try row[2], newEmail: try row[3], link: try row[4],
            createdAt: try row[5])
    }
}
