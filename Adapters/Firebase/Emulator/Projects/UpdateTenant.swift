internal import LockstepPrimitives

/// Firebase's `projects.tenants.patch`.
struct UpdateTenant: Endpoint {
    let shape = Shape.tenant

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let mask = request.query["updateMask"] ?? ""
        let change = request.body.members
        let config =
            mask.isEmpty
            ? TenantConfig.named(
                TenantConfig.made(change), project: request.scope.project, tenant: request.scope.tenant ?? "")
            : FieldMask(mask).applied(change, to: request.scope.config)
        try request.scopes.setConfig(config, of: request.scope)
        return .object(config)
    }
}
