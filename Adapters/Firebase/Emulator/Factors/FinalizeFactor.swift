internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `mfaSignIn:finalize`: the code completes the pending sign-in.
struct FinalizeFactor: Operation {
    let shape = Shape.factorFinalize
    let effort = Effort.tokens

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        let isByTime = body.has("totpVerificationInfo") && call.rules.asksForTimeFactors
        if !isByTime { try call.requireTextFactors() }
        let credential = try call.require(
            body.given("mfaPendingCredential"), .missingCredential, "Please set MFA Pending Credential.")
        return try call.transaction { db -> Result<JSON, APIError> in
            // The code is used up before any other check.
            let number = try isByTime ? nil : provenNumber(call, &db)
            do throws(APIError) {
                return .success(try APIError.only { try signIn(credential, number: number, call, &db) })
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private func signIn(_ credential: String, number: String?, _ call: Call, _ db: inout SQLiteConnection) throws -> JSON {
        let pending = try call.pendingUser(credential, &db)
        var user = pending.user
        let factor: Factor?
        if let number {
            factor = (user.factors ?? []).first { $0.phone == number || $0.maskedPhone == number }
        } else {
            factor = try factorByTime(user, call)
        }
        let given = try call.require(factor, .factorNotFound)
        try call.require(user.isDisabled != true, .userDisabled)
        user.lastLoginAt = call.now.milliseconds
        let kind = number == nil ? "totp" : ProviderID.phone
        let tokens = try call.issue(
            to: &user, Grant(provider: pending.provider, secondFactor: .init(id: given.id, kind: kind)), &db)
        try db.touch(user, in: call.space)
        try db.removePending(credential)
        var answer: JSONObject = [:]
        answer["idToken"] = tokens["idToken"]
        answer["refreshToken"] = tokens["refreshToken"]
        return .object(answer)
    }

    private func provenNumber(_ call: Call, _ db: inout SQLiteConnection) throws -> String {
        let info = try call.require(
            call.body.message("phoneVerificationInfo"), .invalidArgument, "MFA provider not supported!")
        if info.given("androidVerificationProof") != nil {
            throw APIError.notImplemented("androidVerificationProof is unsupported!")
        }
        let code = try call.require(info.given("code"), .missingCode)
        let session = try call.require(info.given("sessionInfo"), .missingSessionInfo)
        return try call.number(provenBy: code, session: session, &db)
    }

    private func factorByTime(_ user: User, _ call: Call) throws -> Factor? {
        let id = try call.require(
            call.body.given("mfaEnrollmentId"), .missingFactorID, "No second factor identifier is provided.")
        let info = try call.require(call.body.message("totpVerificationInfo"), .invalidArgument)
        let code = try call.require(info.given("verificationCode"), .missingCode)
        guard let factor = (user.factors ?? []).first(where: { $0.id == id }) else { return nil }
        let secret = try call.require(factor.secret, .invalidArgument, "MFA provider not supported!")
        try call.require(TOTP(secret: secret).accepts(code, at: call.now, within: Factor.adjacentIntervals), .invalidCode)
        return factor
    }
}
