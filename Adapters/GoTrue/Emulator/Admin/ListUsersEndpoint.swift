internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /admin/users`.
struct ListUsersEndpoint: FormerEndpoint {
    var isReading: Bool { true }

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.authenticator.requireAdministrator()
        let page = try Page(context.request)
        let isAscending = try Self.isAscending(context.request.query["sort"])
        let audience = context.audience
        var condition: SQL = "WHERE aud = \(audience)"
        if let filter = context.request.query["filter"], !filter.isEmpty {
            condition +=
                " AND (email GLOB \(Self.glob("%\(filter)%")) OR json_extract(raw_user_meta_data, '$.full_name') LIKE \("%\(filter)%") ESCAPE '\\')"
        }
        let count: Int = try context.db.value("SELECT count(*) FROM users " + condition) ?? 0
        var rows = condition
        rows += isAscending ? " ORDER BY created_at, row" : " ORDER BY created_at DESC, row DESC"
        rows += " LIMIT \(page.size) OFFSET \(page.offset)"
        let users = try context.db.users(rows).map { user -> JSON in
            var user = user
            user.identities = nil
            return .object(user.json)
        }
        let body: JSONObject = ["users": .array(users), "aud": .string(audience)]
        return page.headed(.go(body), count: count, context.request)
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
        let pieces = text.pieces(at: " ", omittingEmptySubsequences: false)
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

/// Answers `GET /admin/users/{user_id}`.
struct UserByAdminEndpoint: FormerEndpoint {
    var isReading: Bool { true }

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.authenticator.requireAdministrator()
        return .go(try context.accounts.userOfPath().json)
    }
}
