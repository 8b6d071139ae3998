internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /admin/users`.
struct ListUsersEndpoint: Endpoint {
    var isReading: Bool { true }

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticateAdmin()
        let page = try Page(turn.request)
        let isAscending = try Self.isAscending(turn.request.query["sort"])
        let audience = turn.audience
        var condition: SQL = "WHERE aud = \(audience)"
        if let filter = turn.request.query["filter"], !filter.isEmpty {
            condition +=
                " AND (email GLOB \(Self.glob("%\(filter)%")) OR json_extract(raw_user_meta_data, '$.full_name') LIKE \("%\(filter)%") ESCAPE '\\')"
        }
        let count: Int = try db.value("SELECT count(*) FROM users " + condition) ?? 0
        var rows = condition
        rows += isAscending ? " ORDER BY created_at, row" : " ORDER BY created_at DESC, row DESC"
        rows += " LIMIT \(page.size) OFFSET \(page.offset)"
        let users = try db.users(rows).map { user -> JSON in
            var user = user
            user.identities = nil
            return .object(user.json)
        }
        let body: JSONObject = ["users": .array(users), "aud": .string(audience)]
        return page.headed(.go(body), count: count, turn.request)
    }

    /// A case-sensitive pattern from a `LIKE` pattern with `%` and `_`.
    private static func glob(_ filter: String) -> String {
        var glob = ""
        var isEscaped = false
        for character in filter {
            switch character {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "%" where !isEscaped: glob += "*"
            case "_" where !isEscaped: glob += "?"
            case "*", "?", "[": glob += "[\(character)]"
            default: glob.append(character)
            }
            isEscaped = false
        }
        return glob
    }

    private static func isAscending(_ text: String?) throws -> Bool {
        guard let text, !text.isEmpty else { return false }
        let pieces = text.split(separator: " ", omittingEmptySubsequences: false)
        guard pieces[0] == "created_at" else {
            throw GoTrueError.invalid("Bad Sort Parameters: bad field for sort '\(pieces[0])'")
        }
        guard pieces.count > 1 else { return false }
        switch pieces[1].lowercased() {
        case "asc": return true
        case "desc": return false
        default:
            throw GoTrueError.invalid("Bad Sort Parameters: bad direction for sort '\(pieces[1])', only 'asc' and 'desc' allowed")
        }
    }
}
