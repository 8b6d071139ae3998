internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:batchGet`: users page by page, in the order of their ids.
struct BatchGet: Endpoint {
    let shape = Shape.empty
    let isReading = true

    private static let most = 1000

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        let asked = try request.query["maxResults"].map(Self.whole) ?? 0
        let size = asked == 0 ? 20 : min(asked, Self.most)
        if size < 0, request.settings.mode == .strict { throw APIError.badPayload("maxResults must be between 1 and 1000.") }
        var scope = request.scope
        if let tenant = request.query["tenantId"], !tenant.isEmpty, scope.tenant == nil {
            scope = try request.scopes.named(project: scope.project, tenant: tenant)
        }
        let users = try request.db.users(after: request.query["nextPageToken"] ?? "", limit: size < 0 ? -1 : size, in: scope)
        let view: User.View = request.settings.mode == .strict ? .export : .seed
        var response: JSONObject = [
            "kind": "identitytoolkit#DownloadAccountResponse", "users": .array(users.map { $0.json(view) }),
        ]
        if size >= 0, users.count >= size, let last = users.last { response["nextPageToken"] = .string(last.localID) }
        return .object(response)
    }

    static func whole(_ text: String) throws(APIError) -> Int {
        guard let number = Int(text) else { throw .badPayload(" must be integer") }
        return number
    }
}
