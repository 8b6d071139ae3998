internal import LockstepPrimitives

/// `GET /v1/projects`: the public settings of a project.
struct ProjectInfo: Operation {
    let shape = Shape.empty
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        try call.require(call.space.tenant == nil, .unsupportedTenantOperation)
        return [
            "projectId": .string(call.settings.projectNumber),
            "authorizedDomains": .array(call.rules.authorizedDomains.map(JSON.string)),
        ]
    }
}
