internal import LockstepPrimitives

/// Firebase's `projects.tenants.list`.
struct ListTenants: Operation {
    let shape = Shape.empty
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        let asked = try call.query["pageSize"].map(BatchGet.whole) ?? 0
        let size = asked <= 0 ? 20 : min(asked, 1000)
        let start = call.query["pageToken"] ?? ""
        let tenants = try call.backend.tenants(of: call.space.project).filter { ($0.tenant ?? "") > start }.prefix(size)
        var answer: JSONObject = ["tenants": .array(tenants.map { .object($0.config) })]
        if tenants.count == size { answer["nextPageToken"] = tenants.last?.tenant.map(JSON.string) }
        return .object(answer)
    }
}
