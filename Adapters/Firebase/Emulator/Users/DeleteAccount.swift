internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:delete`: the user's own account; for administrators any.
struct DeleteAccount: Endpoint {
    let shape = Shape.deleteAccount

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        let user: User
        if request.isAdministrators {
            let localID = try request.require(request.body.given("localId"), .missingLocalID)
            user = try request.require(try request.db.user(localID, in: request.scope), .userNotFound)
        } else {
            let token = try request.require(request.body.given("idToken"), .missingIDToken)
            let holder = try request.tokens.holder(of: token)
            try request.tokens.requireRecentSignIn(holder)
            user = holder.user
        }
        try request.db.delete(user, in: request.scope)
        return ["kind": "identitytoolkit#DeleteAccountResponse"]
    }
}
