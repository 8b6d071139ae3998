import LockstepPrimitives

/// `GET /v1/users` and `GET /v1/users/count`, which take the same filters.
struct BackendUserList {
    let call: BackendCall

    private static let orders: Set<String> = [
        "created_at", "updated_at", "email_address", "web3wallet", "first_name", "last_name", "phone_number", "username",
        "last_active_at", "last_sign_in_at",
    ]

    /// A bare list: the total is asked for at `/users/count`.
    func list() throws -> BackendAnswer {
        let (limit, offset) = try call.page()
        var (condition, values) = try filter()
        if let id = call.query.text("starting_after") {
            let user = try call.user(id)
            condition += " AND created_at < ?"
            values.append(.time(user.createdAt))
        }
        let users = try call.store.rows(
            UserRecord.self, "\(condition) ORDER BY \(try order()) LIMIT ? OFFSET ?", values + [.number(limit), .number(offset)])
        return .resource(.array(try users.map { try call.json($0) }))
    }

    func count() throws -> BackendAnswer {
        let (condition, values) = try filter()
        let count = try call.store.number("SELECT count(*) FROM users WHERE \(condition)", values)
        return .resource(["object": "total_count", "total_count": .int(Int64(count))])
    }

    private func order() throws -> String {
        let text = call.query.text("order_by") ?? "-created_at"
        let name = text.hasPrefix("-") || text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard Self.orders.contains(name) else { throw ClerkError.invalidValue("order_by", String(text.prefix(60))) }
        let direction = text.hasPrefix("-") ? "DESC" : "ASC"
        let column =
            switch name {
            case "email_address", "phone_number":
                "(SELECT min(value) FROM identifications i WHERE i.user_id = users.id AND i.kind = '\(name)')"
            case "web3wallet": "id"
            default: name
            }
        return "\(column) \(direction), rowid \(direction)"
    }

    private func filter() throws -> (condition: String, values: [StoredValue]) {
        var conditions = ["1 = 1"]
        var values: [StoredValue] = []
        func add(_ condition: String, _ more: [StoredValue]) {
            conditions.append(condition)
            values += more
        }
        for (parameter, column) in [("user_id", "id"), ("external_id", "external_id"), ("username", "username")] {
            let texts = call.query.list(parameter)
            if !texts.isEmpty { try add("\(column) IN (\(places(texts)))", listed(texts, parameter)) }
        }
        for kind in ["email_address", "phone_number"] {
            let texts = call.query.list(kind).map { kind == "email_address" ? $0.lowercased() : $0 }
            if !texts.isEmpty {
                try add(
                    "id IN (SELECT user_id FROM identifications WHERE kind = '\(kind)' AND value IN (\(places(texts))))",
                    listed(texts, kind))
            }
            if let text = call.query.text("\(kind)_query") {
                add(
                    "id IN (SELECT user_id FROM identifications WHERE kind = '\(kind)' AND value LIKE ? ESCAPE '!')",
                    [.text(like(text))])
            }
        }
        if let text = call.query.text("username_query") { add("username LIKE ? ESCAPE '!'", [.text(like(text))]) }
        if let text = call.query.text("name_query") {
            add("(first_name LIKE ? ESCAPE '!' OR last_name LIKE ? ESCAPE '!')", [.text(like(text)), .text(like(text))])
        }
        if let text = call.query.text("query") {
            let pattern = StoredValue.text(like(text))
            add(
                """
                (id = ? OR username LIKE ? ESCAPE '!' OR first_name LIKE ? ESCAPE '!' OR last_name LIKE ? ESCAPE '!'
                OR id IN (SELECT user_id FROM identifications WHERE value LIKE ? ESCAPE '!'))
                """, [.text(text), pattern, pattern, pattern, pattern])
        }
        if let banned = try call.query.flag("banned") { add("banned = ?", [.flag(banned)]) }
        if let provider = call.query.text("provider") {
            let subjects = call.query.list("provider_user_id")
            let name = provider.hasPrefix("oauth_") ? String(provider.dropFirst(6)) : provider
            let more = subjects.isEmpty ? "" : " AND subject IN (\(places(subjects)))"
            try add(
                "id IN (SELECT user_id FROM external_accounts WHERE provider = ?\(more))",
                [.text(name)] + listed(subjects, "provider_user_id"))
        }
        try addTimes(&conditions, &values)
        return (conditions.joined(separator: " AND "), values)
    }

    private func addTimes(_ conditions: inout [String], _ values: inout [StoredValue]) throws {
        for column in ["created_at", "last_active_at", "last_sign_in_at"] {
            for (suffix, sign) in [("before", "<"), ("after", ">"), ("since", ">=")] {
                guard let text = call.query.text("\(column)_\(suffix)") else { continue }
                guard let time = Int64(text) else { throw ClerkError.wrongType("\(column)_\(suffix)", "integer") }
                conditions.append("\(column) \(sign) ?")
                values.append(.integer(time))
            }
        }
    }

    private func places(_ texts: [String]) -> String { Array(repeating: "?", count: texts.count).joined(separator: ", ") }

    private func listed(_ texts: [String], _ parameter: String) throws -> [StoredValue] {
        guard texts.count <= 100 else { throw ClerkError.malformed(parameter, "\(parameter) takes 100 values at most.") }
        return texts.map { .text($0) }
    }

    private func like(_ text: String) -> String {
        var pattern = "%"
        for character in text.prefix(256) {
            if "%_!".contains(character) { pattern.append("!") }
            pattern.append(character)
        }
        return pattern + "%"
    }
}
