internal import LockstepPrimitives

/// `GET /v1/projects`: the public settings of a project.
struct ProjectInfo: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        try request.require(request.scope.tenant == nil, .unsupportedTenantOperation)
        return [
            "projectId": .string(request.settings.projectNumber),
            "authorizedDomains": .array(request.rules.authorizedDomains.map(JSON.string)),
        ]
    }
}
