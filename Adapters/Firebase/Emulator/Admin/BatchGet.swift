internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:batchGet`: users page by page, in the order of their ids.
struct BatchGet: Operation {
    let shape = Shape.empty
    let effort = Effort.rows

    private static let most = 1000

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        let asked = try call.query["maxResults"].map(Self.whole) ?? 0
        let size = asked == 0 ? 20 : min(asked, Self.most)
        if size < 0, call.settings.mode == .strict { throw APIError.badPayload("maxResults must be between 1 and 1000.") }
        var space = call.space
        if let tenant = call.query["tenantId"], !tenant.isEmpty, space.tenant == nil {
            space = try call.backend.space(project: space.project, tenant: tenant)
        }
        let users = try call.reading { [space] db in
            try db.users(after: call.query["nextPageToken"] ?? "", limit: size < 0 ? -1 : size, in: space)
        }
        let view: User.View = call.settings.mode == .strict ? .export : .whole
        var answer: JSONObject = [
            "kind": "identitytoolkit#DownloadAccountResponse", "users": .array(users.map { $0.json(view) }),
        ]
        if size >= 0, users.count >= size, let last = users.last { answer["nextPageToken"] = .string(last.localID) }
        return .object(answer)
    }

    static func whole(_ text: String) throws(APIError) -> Int {
        guard let number = Int(text) else { throw .badPayload(" must be integer") }
        return number
    }
}
