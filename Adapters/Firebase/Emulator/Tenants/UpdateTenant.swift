internal import LockstepPrimitives

/// Firebase's `projects.tenants.patch`.
struct UpdateTenant: Operation {
    let shape = Shape.tenant
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        let mask = call.query["updateMask"] ?? ""
        let change = call.body.members
        let config =
            mask.isEmpty
            ? TenantConfig.named(
                TenantConfig.made(change), project: call.space.project, tenant: call.space.tenant ?? "")
            : FieldMask(mask).applied(change, to: call.space.config)
        try call.backend.setConfig(config, of: call.space)
        return .object(config)
    }
}
