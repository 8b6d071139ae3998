internal import LockstepPrimitives
internal import LockstepSQLite

/// Firebase's `accounts:sendVerificationCode`.
struct SendVerificationCode: Endpoint {
    let shape = Shape.sendVerificationCode

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        try request.require(request.scope.tenant == nil, .unsupportedTenantOperation)
        try request.require(request.rules.methods.contains(.phone), .operationNotAllowed)
        let number = request.body.given("phoneNumber") ?? ""
        try request.require(Formats.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
        let owner = try request.db.user(phoneNumber: number, in: request.scope)
        try request.require(owner?.hasFactors != true, .unsupportedFirstFactor, SignInWithPhoneNumber.noFirstFactor)
        return ["sessionInfo": .string(try request.phoneNumbers.sendCode(to: number))]
    }
}
