internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:batchDelete`: deletes users who are disabled, or with `force` any.
struct BatchDelete: Operation {
    let shape = Shape.batchDelete
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        let ids = call.body.texts("localIds")
        try call.require((1...1000).contains(ids.count), .listTooLong)
        let isForced = call.body.flag("force") ?? false
        let errors = try call.transaction { db in
            var errors: [JSON] = []
            for (index, id) in ids.enumerated() {
                guard let user = try db.user(id, in: call.space) else { continue }
                if user.isDisabled == true || isForced {
                    try db.delete(user, in: call.space)
                } else {
                    errors.append([
                        "index": .int(Int64(index)), "localId": .string(id),
                        "message": "NOT_DISABLED : Disable the account before batch deletion.",
                    ])
                }
            }
            return errors
        }
        return errors.isEmpty ? [:] : ["errors": .array(errors)]
    }
}
