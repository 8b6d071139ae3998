internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:query`: lists or counts users.
struct QueryAccounts: Operation {
    let shape = Shape.queryAccounts
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        let isEmulators = call.settings.mode == .emulator
        if !(body.members["expression"]?.array ?? []).isEmpty {
            if isEmulators { throw APIError.notImplemented("expression is not implemented.") }
            return try filtered(call)
        }
        if body.flag("returnUserInfo") == false {
            let count = try call.reading { db in try db.userCount(in: call.space) }
            return ["recordsCount": .string(String(count))]
        }
        if body.given("limit") != nil, isEmulators { throw APIError.notImplemented("limit is not implemented.") }
        let offset = body.given("offset") ?? "0"
        if offset != "0", isEmulators { throw APIError.notImplemented("offset is not implemented.") }
        guard ["USER_ID", "SORT_BY_FIELD_UNSPECIFIED"].contains(body.given("sortBy") ?? "USER_ID") else {
            throw APIError.notImplemented("Only sorting by USER_ID is implemented.")
        }
        let limit = body.given("limit").flatMap { Int($0) } ?? (isEmulators ? -1 : 500)
        let users = try call.reading { db in
            try db.users(
                limit: limit, offset: Int(offset) ?? 0, isDescending: body.given("order") == "DESC", in: call.space)
        }
        return answer(users, call)
    }

    private func filtered(_ call: Call) throws -> JSON {
        let users = try call.reading { db in
            var found: [User] = []
            for expression in call.body.messages("expression") {
                let user: User?
                if let email = expression.given("email") {
                    user = try db.user(email: Formats.canonical(email), in: call.space)
                } else if let number = expression.given("phoneNumber") {
                    user = try db.user(phoneNumber: number, in: call.space)
                } else {
                    user = try db.user(expression.given("userId") ?? "", in: call.space)
                }
                if let user, !found.contains(where: { $0.localID == user.localID }) { found.append(user) }
            }
            return found
        }
        return call.body.flag("returnUserInfo") == false
            ? ["recordsCount": .string(String(users.count))] : answer(users, call)
    }

    private func answer(_ users: [User], _ call: Call) -> JSON {
        ["recordsCount": .string(String(users.count)), "userInfo": .array(users.map { $0.json(.whole) })]
    }
}
