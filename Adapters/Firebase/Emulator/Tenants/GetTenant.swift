internal import LockstepPrimitives

/// Firebase's `projects.tenants.get`.
struct GetTenant: Operation {
    let shape = Shape.empty
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON { .object(call.space.config) }
}
