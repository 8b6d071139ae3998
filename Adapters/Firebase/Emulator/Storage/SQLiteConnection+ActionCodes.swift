internal import LockstepPrimitives
internal import LockstepSQLite

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
