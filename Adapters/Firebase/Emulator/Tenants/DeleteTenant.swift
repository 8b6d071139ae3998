internal import LockstepPrimitives

/// `projects.tenants.delete`: deletes its users, codes and sessions too.
struct DeleteTenant: Operation {
    let shape = Shape.empty
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        try call.backend.remove(call.space)
        return [:]
    }
}
