internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `mfaEnrollment:start`: a code by text message, or a new secret for time-based codes.
struct StartEnrolment: Operation {
    let shape = Shape.enrolmentStart
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        let isByTime = body.has("totpEnrollmentInfo") && call.rules.asksForTimeFactors
        if !isByTime { try call.requireTextFactors() }
        let token = try call.require(body.given("idToken"), .missingIDToken)
        return try call.transaction { db in
            let holder = try call.holder(of: token, &db)
            try call.requireEligible(holder)
            try call.require(
                holder.user.emailVerified == true, .unverifiedEmail,
                "Need to verify email first before enrolling second factors.")
            if isByTime { return try startByTime(holder.user, call, &db) }
            let info = try call.require(body.message("phoneEnrollmentInfo"), .invalidArgument, "((Missing phoneEnrollmentInfo.))")
            let number = info.given("phoneNumber") ?? ""
            try call.require(Formats.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
            try call.requireNewFactor(number, holder.user)
            return ["phoneSessionInfo": ["sessionInfo": .string(try call.sendTextCode(to: number, &db))]]
        }
    }

    private func startByTime(_ user: User, _ call: Call, _ db: inout SQLiteConnection) throws -> JSON {
        let secret = TOTP.newSecret(call.backend.randomness)
        let session = Base64.encode(call.backend.randomness.bytes(96), .url)
        try db.insertTimeFactor(session, secret: secret, of: user, at: call.now, in: call.space)
        return [
            "totpSessionInfo": [
                "sharedSecretKey": .string(secret), "verificationCodeLength": .int(Int64(TOTP.digits)),
                "hashingAlgorithm": "SHA1", "periodSec": .int(TOTP.period), "sessionInfo": .string(session),
                "finalizeEnrollmentTime": .string((call.now + .seconds(300)).rfc3339),
            ]
        ]
    }
}
