internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:batchDelete`: deletes users who are disabled, or with `force` any.
struct BatchDelete: Endpoint {
    let shape = Shape.batchDelete

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let ids = request.body.texts("localIds")
        try request.require((1...1000).contains(ids.count), .listTooLong)
        let isForced = request.body.flag("force") ?? false
        var errors: [JSON] = []
        for (index, id) in ids.enumerated() {
            guard let user = try request.db.user(id, in: request.scope) else { continue }
            if user.isDisabled == true || isForced {
                try request.delete(user)
            } else {
                errors.append([
                    "index": .int(Int64(index)), "localId": .string(id),
                    "message": "NOT_DISABLED : Disable the account before batch deletion.",
                ])
            }
        }
        return errors.isEmpty ? [:] : ["errors": .array(errors)]
    }
}
