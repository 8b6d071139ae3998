internal import LockstepPrimitives

/// `projects.tenants.delete`: deletes its users, codes and sessions too.
struct DeleteTenant: Endpoint {
    let shape = Shape.empty

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.scopes.remove(request.scope)
        return [:]
    }
}
