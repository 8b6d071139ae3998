internal import LockstepPrimitives
internal import LockstepSQLite

/// `DELETE /emulator/v1/projects/{p}/accounts`: deletes the users; codes and settings stay.
struct DeleteAllAccounts: Operation {
    let shape = Shape.empty
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        try call.transaction { db in try db.deleteAllUsers(in: call.space) }
        return [:]
    }
}
