internal import LockstepPrimitives
internal import LockstepSQLite

/// `mfaSignIn:start`: a code to an enrolled phone, for a pending sign-in.
struct StartFactor: Endpoint {
    let shape = Shape.factorStart

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        try request.factors.requireTextFactors()
        let credential = try request.require(
            request.body.given("mfaPendingCredential"), .missingPendingCredential, "Request does not have MFA pending credential."
        )
        let id = try request.require(
            request.body.given("mfaEnrollmentId"), .missingFactorID, "No second factor identifier is provided.")
        let user = try request.factors.pendingUser(credential).user
        let factor = try request.require((user.factors ?? []).first { $0.id == id }, .factorNotFound)
        let number = try request.require(factor.phone, .invalidArgument, "MFA provider not supported!")
        return ["phoneResponseInfo": ["sessionInfo": .string(try request.phoneNumbers.sendCode(to: number))]]
    }
}
