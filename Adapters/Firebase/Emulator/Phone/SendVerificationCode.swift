internal import LockstepPrimitives
internal import LockstepSQLite

/// Firebase's `accounts:sendVerificationCode`.
struct SendVerificationCode: Operation {
    let shape = Shape.sendVerificationCode
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        try call.require(call.space.tenant == nil, .unsupportedTenantOperation)
        try call.require(call.rules.methods.contains(.phone), .operationNotAllowed)
        let number = call.body.given("phoneNumber") ?? ""
        try call.require(Formats.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
        return try call.transaction { db in
            let owner = try db.user(phoneNumber: number, in: call.space)
            try call.require(owner?.hasFactors != true, .unsupportedFirstFactor, SignInWithPhoneNumber.noFirstFactor)
            return ["sessionInfo": .string(try call.sendTextCode(to: number, &db))]
        }
    }
}
