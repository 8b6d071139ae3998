internal import LockstepPrimitives

/// Firebase's `projects.getConfig`.
struct GetProjectConfig: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.need(request.scope.tenant == nil, "((Can only get top-level configurations on agent projects.))")
        return ProjectConfigDocument(project: request.scope, state: request.state).json
    }
}
