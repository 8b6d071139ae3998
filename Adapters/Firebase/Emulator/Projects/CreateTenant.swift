internal import LockstepPrimitives

/// Firebase's `projects.tenants.create`.
struct CreateTenant: Endpoint {
    let shape = Shape.tenant

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let created = try request.scopes.created(
            project: request.scope.project, tenant: request.newID(), config: TenantConfig.made(request.body.members))
        return .object(created.config)
    }
}
