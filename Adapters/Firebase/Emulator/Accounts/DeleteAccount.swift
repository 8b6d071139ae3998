internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:delete`: the user's own account; for administrators any.
struct DeleteAccount: Operation {
    let shape = Shape.deleteAccount
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        try call.transaction { db in
            let user: User
            if call.isAdministrators {
                let localID = try call.require(call.body.given("localId"), .missingLocalID)
                user = try call.require(try db.user(localID, in: call.space), .userNotFound)
            } else {
                let token = try call.require(call.body.given("idToken"), .missingIDToken)
                let holder = try call.holder(of: token, &db)
                try call.requireRecentSignIn(holder)
                user = holder.user
            }
            try db.delete(user, in: call.space)
        }
        return ["kind": "identitytoolkit#DeleteAccountResponse"]
    }
}
