internal import LockstepPrimitives

/// Firebase's `projects.tenants.list`.
struct ListTenants: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let asked = try request.query["pageSize"].map(BatchGet.whole) ?? 0
        let size = asked <= 0 ? 20 : min(asked, 1000)
        let start = request.query["pageToken"] ?? ""
        let tenants = try request.scopes.tenants(of: request.scope.project, after: start, limit: size)
        var answer: JSONObject = ["tenants": .array(tenants.map { .object($0.config) })]
        if tenants.count == size { answer["nextPageToken"] = tenants.last.map { .string($0.id) } }
        return .object(answer)
    }
}
