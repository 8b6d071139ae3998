internal import LockstepPrimitives
internal import LockstepSQLite

/// `mfaSignIn:start`: a code to an enrolled phone, for a pending sign-in.
struct StartFactor: Operation {
    let shape = Shape.factorStart
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        try call.requireTextFactors()
        let credential = try call.require(
            call.body.given("mfaPendingCredential"), .missingPendingCredential, "Request does not have MFA pending credential.")
        let id = try call.require(
            call.body.given("mfaEnrollmentId"), .missingFactorID, "No second factor identifier is provided.")
        return try call.transaction { db in
            let user = try call.pendingUser(credential, &db).user
            let factor = try call.require((user.factors ?? []).first { $0.id == id }, .factorNotFound)
            let number = try call.require(factor.phone, .invalidArgument, "MFA provider not supported!")
            return ["phoneResponseInfo": ["sessionInfo": .string(try call.sendTextCode(to: number, &db))]]
        }
    }
}
