internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:resetPassword`: returns the purpose of a code, or sets a new password with it.
struct ResetPassword: Endpoint {
    let shape = Shape.resetPassword

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        try request.require(request.rules.methods.contains(.password), .passwordLoginDisabled)
        return .object(
            try request.actionCodes.resetPassword(
                code: try request.require(body.given("oobCode"), .missingOobCode), body.given("newPassword")))
    }
}
