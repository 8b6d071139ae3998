internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `mfaEnrollment:finalize`: the code enrols the factor, and the answer has tokens that name it.
struct FinalizeEnrolment: Operation {
    let shape = Shape.enrolmentFinalize
    let effort = Effort.tokens

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        let isByTime = body.has("totpVerificationInfo") && call.rules.asksForTimeFactors
        if !isByTime { try call.requireTextFactors() }
        let token = try call.require(body.given("idToken"), .missingIDToken)
        return try call.transaction { db in
            let holder = try call.holder(of: token, &db)
            try call.requireEligible(holder)
            var user = holder.user
            let proven = try isByTime ? factorByTime(user, call, &db) : factorByText(user, call, &db)
            user.factors = (user.factors ?? []) + [proven]
            let grant = Grant(
                provider: holder.provider, secondFactor: .init(id: proven.id, kind: isByTime ? "totp" : ProviderID.phone),
                authTime: holder.claims["auth_time"]?.int)
            let tokens = try call.issue(to: &user, grant, &db)
            try db.update(user, identitiesChanged: false, in: call.space)
            var answer: JSONObject = [:]
            answer["idToken"] = tokens["idToken"]
            answer["refreshToken"] = tokens["refreshToken"]
            if isByTime { answer["totpAuthInfo"] = [:] }
            return .object(answer)
        }
    }

    private func factorByText(_ user: User, _ call: Call, _ db: inout SQLiteConnection) throws -> Factor {
        let info = try call.require(
            call.body.message("phoneVerificationInfo"), .invalidArgument, "((Missing phoneVerificationInfo.))")
        if info.given("androidVerificationProof") != nil {
            throw APIError.notImplemented("androidVerificationProof is unsupported!")
        }
        let code = try call.require(info.given("code"), .missingCode)
        let session = try call.require(info.given("sessionInfo"), .missingSessionInfo)
        let number = try call.number(provenBy: code, session: session, &db)
        try call.requireNewFactor(number, user)
        return newFactor(call, phone: number)
    }

    private func factorByTime(_ user: User, _ call: Call, _ db: inout SQLiteConnection) throws -> Factor {
        let info = try call.require(call.body.message("totpVerificationInfo"), .invalidArgument)
        let code = try call.require(info.given("verificationCode"), .missingCode)
        let session = try call.require(info.given("sessionInfo"), .missingSessionInfo)
        let secret = try call.require(try db.timeFactorSecret(session, of: user, in: call.space), .invalidSessionInfo)
        try call.require(TOTP(secret: secret).accepts(code, at: call.now, within: Factor.adjacentIntervals), .invalidCode)
        try db.removeTimeFactor(session)
        return newFactor(call, secret: secret)
    }

    private func newFactor(_ call: Call, phone: String? = nil, secret: String? = nil) -> Factor {
        Factor(
            id: call.backend.newID(), displayName: call.body.text("displayName"), enrolledAt: call.now.rfc3339, phone: phone,
            secret: secret)
    }
}
