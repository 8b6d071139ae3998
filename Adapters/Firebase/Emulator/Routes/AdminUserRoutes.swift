internal import LockstepEmulation
internal import LockstepPrimitives

/// Requests of administrators about many accounts.
struct AdminUserRoutes {
    let context: RequestContext

    static let queryBody: BodySchema = [
        "expression": .list(.members(["email": .text, "phoneNumber": .text, "userId": .text])), "limit": .text, "offset": .text,
        "order": .choice(["ORDER_UNSPECIFIED", "ASC", "DESC"]), "returnUserInfo": .flag,
        "sortBy": .choice(["SORT_BY_FIELD_UNSPECIFIED", "USER_ID", "NAME", "CREATED_AT", "LAST_LOGIN_AT", "USER_EMAIL"]),
        "tenantId": .text,
    ]

    /// `accounts:query`: lists or counts users.
    func query() throws -> JSON {
        let body = context.body
        let isEmulators = !context.isStrict
        if !(body["expression"]?.array ?? []).isEmpty {
            if isEmulators { throw APIError.notImplemented("expression is not implemented.") }
            return try filtered()
        }
        if body.flag("returnUserInfo") == false {
            let count = try context.users.count()
            return ["recordsCount": .string(String(count))]
        }
        if body.given("limit") != nil, isEmulators { throw APIError.notImplemented("limit is not implemented.") }
        let offset = body.given("offset") ?? "0"
        if offset != "0", isEmulators { throw APIError.notImplemented("offset is not implemented.") }
        guard ["USER_ID", "SORT_BY_FIELD_UNSPECIFIED"].contains(body.given("sortBy") ?? "USER_ID") else {
            throw APIError.notImplemented("Only sorting by USER_ID is implemented.")
        }
        let limit = body.given("limit").flatMap { Int($0) } ?? (isEmulators ? -1 : 500)
        let users = try context.users.all(limit: limit, offset: Int(offset) ?? 0, isDescending: body.given("order") == "DESC")
        return answer(users)
    }

    private func filtered() throws -> JSON {
        var found: [User] = []
        var ids: Set<ExactString> = []
        for expression in context.body.bodies("expression") {
            let user: User?
            if let email = expression.given("email") {
                user = try context.users.find(email: Formats.canonical(email))
            } else if let number = expression.given("phoneNumber") {
                user = try context.users.find(phoneNumber: number)
            } else {
                user = try context.users.find(expression.given("userId") ?? "")
            }
            if let user, ids.insert(user.localID.exact).inserted { found.append(user) }
        }
        return context.body.flag("returnUserInfo") == false
            ? ["recordsCount": .string(String(found.count))] : answer(found)
    }

    private func answer(_ users: [User]) -> JSON {
        ["recordsCount": .string(String(users.count)), "userInfo": .array(users.map { $0.json(.whole) })]
    }

    private static let most = 1000

    /// The body of version 3, with the members that version 1 has in its query.
    static let exportBody: BodySchema = [
        "delegatedProjectNumber": .text, "maxResults": .text, "nextPageToken": .text, "targetProjectId": .text, "tenantId": .text,
    ]

    /// `accounts:batchGet`: users page by page, in the order of their ids.
    func export() throws -> JSON {
        let asked = try context.wholeNumber("maxResults")
        let size = asked == 0 ? 20 : min(asked, Self.most)
        if size < 0, context.isStrict { throw APIError.badPayload("maxResults must be between 1 and 1000.") }
        if let tenant = context.query["tenantId"], !tenant.isEmpty, context.scope.tenant == nil {
            context.call.scope = try context.scopes.named(project: context.scope.project, tenant: tenant)
        }
        let users = try context.users.all(after: context.parameter("nextPageToken") ?? "", limit: size < 0 ? -1 : size)
        let view: User.View = context.isStrict ? .export : .seed
        var response: JSONObject = [
            "kind": "identitytoolkit#DownloadAccountResponse", "users": .array(users.map { $0.json(view) }),
        ]
        if size >= 0, users.count >= size, let last = users.last { response["nextPageToken"] = .string(last.localID) }
        return .object(response)
    }

    static let deleteBody: BodySchema = ["force": .flag, "localIds": .list(.text), "tenantId": .text]

    /// `accounts:batchDelete`: deletes users who are disabled, or with `force` any.
    func delete() throws -> JSON {
        let ids = context.body.texts("localIds")
        try context.require((1...1000).contains(ids.count), .listTooLong)
        let isForced = context.body.flag("force") ?? false
        var errors: [JSON] = []
        for (index, id) in ids.enumerated() {
            guard let user = try context.users.find(id) else { continue }
            if user.isDisabled == true || isForced {
                try context.users.remove(user)
            } else {
                errors.append([
                    "index": .int(Int64(index)), "localId": .string(id),
                    "message": "NOT_DISABLED : Disable the account before batch deletion.",
                ])
            }
        }
        return errors.isEmpty ? [:] : ["errors": .array(errors)]
    }
}
