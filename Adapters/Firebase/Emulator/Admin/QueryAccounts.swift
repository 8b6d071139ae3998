internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:query`: lists or counts users.
struct QueryAccounts: Endpoint {
    let shape = Shape.queryAccounts
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        let isEmulators = request.settings.mode == .emulator
        if !(body.members["expression"]?.array ?? []).isEmpty {
            if isEmulators { throw APIError.notImplemented("expression is not implemented.") }
            return try filtered(request)
        }
        if body.flag("returnUserInfo") == false {
            let count = try request.db.userCount(in: request.scope)
            return ["recordsCount": .string(String(count))]
        }
        if body.given("limit") != nil, isEmulators { throw APIError.notImplemented("limit is not implemented.") }
        let offset = body.given("offset") ?? "0"
        if offset != "0", isEmulators { throw APIError.notImplemented("offset is not implemented.") }
        guard ["USER_ID", "SORT_BY_FIELD_UNSPECIFIED"].contains(body.given("sortBy") ?? "USER_ID") else {
            throw APIError.notImplemented("Only sorting by USER_ID is implemented.")
        }
        let limit = body.given("limit").flatMap { Int($0) } ?? (isEmulators ? -1 : 500)
        let users = try request.db.users(
            limit: limit, offset: Int(offset) ?? 0, isDescending: body.given("order") == "DESC", in: request.scope)
        return answer(users, request)
    }

    private func filtered(_ request: AuthorizedRequest) throws -> JSON {
        var found: [User] = []
        for expression in request.body.messages("expression") {
            let user: User?
            if let email = expression.given("email") {
                user = try request.db.user(email: Formats.canonical(email), in: request.scope)
            } else if let number = expression.given("phoneNumber") {
                user = try request.db.user(phoneNumber: number, in: request.scope)
            } else {
                user = try request.db.user(expression.given("userId") ?? "", in: request.scope)
            }
            if let user, !found.contains(where: { $0.localID == user.localID }) { found.append(user) }
        }
        return request.body.flag("returnUserInfo") == false
            ? ["recordsCount": .string(String(found.count))] : answer(found, request)
    }

    private func answer(_ users: [User], _ request: AuthorizedRequest) -> JSON {
        ["recordsCount": .string(String(users.count)), "userInfo": .array(users.map { $0.json(.whole) })]
    }
}
