internal import LockstepPrimitives

/// Firebase's `projects.tenants.create`.
struct CreateTenant: Operation {
    let shape = Shape.tenant
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        let tenant = call.backend.newID()
        let space = try call.backend.space(
            project: call.space.project, tenant: tenant, config: TenantConfig.made(call.body.members))
        return .object(space.config)
    }
}
