internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `mfaEnrollment:start`: a code by text message, or a new secret for time-based codes.
struct StartEnrolment: Endpoint {
    let shape = Shape.enrolmentStart

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        let isByTime = body.has("totpEnrollmentInfo") && request.rules.asksForTimeFactors
        if !isByTime { try request.factors.requireTextFactors() }
        let token = try request.require(body.given("idToken"), .missingIDToken)
        let holder = try request.tokens.holder(of: token)
        try request.factors.requireEligible(holder)
        try request.require(
            holder.user.emailVerified == true, .unverifiedEmail,
            "Need to verify email first before enrolling second factors.")
        if isByTime { return try startByTime(holder.user, request) }
        let info = try request.require(body.message("phoneEnrollmentInfo"), .invalidArgument, "((Missing phoneEnrollmentInfo.))")
        let number = info.given("phoneNumber") ?? ""
        try request.require(Formats.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
        try request.factors.requireNewFactor(number, holder.user)
        return ["phoneSessionInfo": ["sessionInfo": .string(try request.phoneNumbers.sendCode(to: number))]]
    }

    private func startByTime(_ user: User, _ request: AuthorizedRequest) throws -> JSON {
        let secret = request.context.nextID(of: "totp secret") { TOTP.newSecret($0) }
        let session = request.newToken("totp session", bytes: 96)
        try request.db.insertTimeFactor(session, secret: secret, of: user, at: request.now, in: request.scope)
        return [
            "totpSessionInfo": [
                "sharedSecretKey": .string(secret), "verificationCodeLength": .int(Int64(TOTP.digits)),
                "hashingAlgorithm": "SHA1", "periodSec": .int(TOTP.period), "sessionInfo": .string(session),
                "finalizeEnrollmentTime": .string((request.now + .seconds(300)).rfc3339),
            ]
        ]
    }
}
