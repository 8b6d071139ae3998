internal import LockstepPrimitives

/// Firebase's `projects.tenants.get`.
struct GetTenant: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON { .object(request.scope.config) }
}
