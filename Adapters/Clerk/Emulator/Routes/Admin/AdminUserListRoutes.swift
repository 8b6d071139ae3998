internal import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `GET /v1/users` and `GET /v1/users/count`, which have the same filters.
struct AdminUserListRoutes {
    let context: RequestContext

    private static let orders: Set<String> = [
        "created_at", "updated_at", "email_address", "web3wallet", "first_name", "last_name", "phone_number", "username",
        "last_active_at", "last_sign_in_at",
    ]

    /// Returns a list without the total, which `/users/count` returns.
    func list() throws -> Answer {
        let (_, offset) = try context.window()
        var condition = try filter()
        if let id = context.query.text("starting_after") { condition += try follower(of: id, offset: offset) }
        let order = try order()
        let users = try context.page(of: UserRecord.self, where: condition, by: order).rows
        return .resource(.array(try users.map { try context.privateJSON($0) }))
    }

    func count() throws -> Answer {
        let condition = try filter()
        let count = try context.db.count(UserRecord.self, condition)
        return .resource(["object": "total_count", "total_count": .int(Int64(count))])
    }

    /// Returns the users after another one in the order of creation, in either direction (the specification's
    /// `starting_after`).
    private func follower(of id: String, offset: Int) throws -> SQL {
        guard offset == 0 else {
            throw ClerkError.malformed("starting_after", "starting_after cannot be combined with a non-zero offset.")
        }
        guard ["created_at", "+created_at", "-created_at"].contains(orderText) else {
            throw ClerkError.malformed("starting_after", "starting_after requires ordering by created_at.")
        }
        let created = try context.user(id).createdAt
        let row: SQL = "(SELECT rowid FROM users WHERE id = \(id))"
        return orderText.hasPrefix("-")
            ? " AND (created_at < \(created) OR created_at = \(created) AND rowid < \(row))"
            : " AND (created_at > \(created) OR created_at = \(created) AND rowid > \(row))"
    }

    private var orderText: String { context.query.text("order_by") ?? "-created_at" }

    private func order() throws -> SQL {
        let text = orderText
        let name = text.hasPrefix("-") || text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard Self.orders.contains(name) else { throw ClerkError.invalidValue("order_by", String(text.prefix(60))) }
        let direction: SQL = text.hasPrefix("-") ? "DESC" : "ASC"
        let column: SQL =
            switch name {
            case "email_address", "phone_number":
                "(SELECT min(value) FROM identifications i WHERE i.user_id = users.id AND i.kind = \(name))"
            case "web3wallet": "id"
            default: SQL(stringLiteral: name)
            }
        return "\(column) \(direction), rowid \(direction)"
    }

    private func filter() throws -> SQL {
        var condition: SQL = "1 = 1"
        func add(_ more: SQL) { condition += " AND \(more)" }
        for (parameter, column) in [("user_id", "id"), ("external_id", "external_id"), ("username", "username")] {
            let texts = try listed(context.query.list(parameter), parameter)
            if !texts.isEmpty { add("\(name: column) IN (\(list: texts))") }
        }
        for kind in ["email_address", "phone_number"] {
            let texts = try listed(context.query.list(kind).map { kind == "email_address" ? $0.lowercased() : $0 }, kind)
            if !texts.isEmpty {
                add("id IN (SELECT user_id FROM identifications WHERE kind = \(kind) AND value IN (\(list: texts)))")
            }
            if let text = context.query.text("\(kind)_query") {
                add("id IN (SELECT user_id FROM identifications WHERE kind = \(kind) AND \(SQL.contains(text, in: "value")))")
            }
        }
        if let text = context.query.text("username_query") { add(.contains(text, in: "username")) }
        if let text = context.query.text("name_query") { add(.contains(text, in: "first_name", "last_name")) }
        if let text = context.query.text("query") {
            add("id IN (\(UserSearch.ids(matching: text)))")
        }
        if let banned = try context.query.flag("banned") { add("banned = \(banned)") }
        if let provider = context.query.text("provider") {
            let subjects = try listed(context.query.list("provider_user_id"), "provider_user_id")
            let name = provider.hasPrefix("oauth_") ? String(provider.dropFirst(6)) : provider
            let more: SQL = subjects.isEmpty ? "" : " AND subject IN (\(list: subjects))"
            add("id IN (SELECT user_id FROM external_accounts WHERE provider = \(name)\(more))")
        }
        for column in ["created_at", "last_active_at", "last_sign_in_at"] {
            for (suffix, sign) in [("before", "<"), ("after", ">"), ("since", ">=")] {
                guard let text = context.query.text("\(column)_\(suffix)") else { continue }
                guard let time = Int64(text) else { throw ClerkError.wrongType("\(column)_\(suffix)", "integer") }
                add("\(name: column) \(name: sign) \(time)")
            }
        }
        return condition
    }

    private func listed(_ texts: [String], _ parameter: String) throws -> [String] {
        guard texts.count <= 100 else { throw ClerkError.malformed(parameter, "\(parameter) takes 100 values at most.") }
        return texts
    }
}

/// Finds users by a part of a name, an address or an id.
enum UserSearch {
    /// Selects the ids of users whose id is a text, or whose names or addresses contain it.
    static func ids(matching text: String) -> SQL {
        """
        SELECT id FROM users WHERE id = \(text) OR \(SQL.contains(text, in: "username", "first_name", "last_name"))
        OR id IN (SELECT user_id FROM identifications WHERE \(SQL.contains(text, in: "value")))
        """
    }
}
