internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `mfaEnrollment:start`: a code by text message, or a new secret for time-based codes.
struct StartEnrolment: Endpoint {
    let shape = Shape.enrolmentStart

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        let isByTime = try request.factors.isByTime("totpEnrollmentInfo")
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
        try request.require(request.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
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

/// `mfaEnrollment:finalize`: the code enrols the factor, and the answer has tokens that name it.
struct FinalizeEnrolment: Endpoint {
    let shape = Shape.enrolmentFinalize

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        let isByTime = try request.factors.isByTime("totpVerificationInfo")
        if !isByTime { try request.factors.requireTextFactors() }
        let token = try request.require(body.given("idToken"), .missingIDToken)
        let holder = try request.tokens.holder(of: token)
        try request.factors.requireEligible(holder)
        var user = holder.user
        let proven = try isByTime ? factorByTime(user, request) : factorByText(user, request)
        user.factors = (user.factors ?? []) + [proven]
        let grant = Grant(
            provider: holder.provider, secondFactor: .init(id: proven.id, kind: isByTime ? "totp" : ProviderID.phone),
            authTime: holder.claims["auth_time"]?.int)
        let tokens = try request.tokens.issue(to: &user, grant)
        try request.db.update(user, identitiesChanged: false, in: request.scope)
        var response: JSONObject = [:]
        response["idToken"] = tokens["idToken"]
        response["refreshToken"] = tokens["refreshToken"]
        if isByTime { response["totpAuthInfo"] = [:] }
        return .object(response)
    }

    private func factorByText(_ user: User, _ request: AuthorizedRequest) throws -> Factor {
        let info = try request.require(
            request.body.message("phoneVerificationInfo"), .invalidArgument, "((Missing phoneVerificationInfo.))")
        let number = try request.phoneNumbers.number(provenBy: info)
        // The code is used up from here on, even where the number is the user's already.
        try APIError.keepingChanges { try request.factors.requireNewFactor(number, user) }
        return newFactor(request, phone: number)
    }

    private func factorByTime(_ user: User, _ request: AuthorizedRequest) throws -> Factor {
        let info = try request.require(request.body.message("totpVerificationInfo"), .invalidArgument)
        let code = try request.require(info.given("verificationCode"), .missingCode)
        let session = try request.require(info.given("sessionInfo"), .missingSessionInfo)
        let secret = try request.require(
            try request.db.timeFactorSecret(session, of: user, in: request.scope), .invalidSessionInfo)
        try request.require(
            TOTP(secret: secret).accepts(code, at: request.now, within: request.rules.adjacentIntervals), .invalidCode)
        try request.db.removeTimeFactor(session)
        return newFactor(request, secret: secret)
    }

    private func newFactor(_ request: AuthorizedRequest, phone: String? = nil, secret: String? = nil) -> Factor {
        Factor(
            id: request.newID(), displayName: request.body.text("displayName"), enrolledAt: request.now.rfc3339, phone: phone,
            secret: secret)
    }
}

/// Firebase's `mfaEnrollment:withdraw`.
struct WithdrawFactor: Endpoint {
    let shape = Shape.enrolmentWithdraw

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        let token = try request.require(request.body.given("idToken"), .missingIDToken)
        let holder = try request.tokens.holder(of: token)
        if request.settings.mode == .strict { try request.tokens.requireRecentSignIn(holder) }
        var user = holder.user
        let id = request.body.text("mfaEnrollmentId")
        let rest = (user.factors ?? []).filter { $0.id != id }
        try request.require(rest.count < (user.factors ?? []).count, .factorNotFound)
        user.factors = rest
        let tokens = try request.tokens.issue(
            to: &user, Grant(provider: holder.provider, authTime: holder.claims["auth_time"]?.int))
        try request.db.update(user, identitiesChanged: false, in: request.scope)
        return .object(tokens)
    }
}
