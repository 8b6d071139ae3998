internal import LockstepPrimitives
internal import LockstepSQLite

/// `DELETE /emulator/v1/projects/{p}/accounts`: deletes the users; codes and settings stay.
struct DeleteAllAccounts: Endpoint {
    let shape = Shape.empty

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.db.deleteAllUsers(in: request.scope)
        return [:]
    }
}
