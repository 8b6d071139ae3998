internal import LockstepEmulation
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

/// `mfaSignIn:finalize`: the code completes the pending sign-in.
struct FinalizeFactor: Endpoint {
    let shape = Shape.factorFinalize

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        let isByTime = try request.factors.isByTime("totpVerificationInfo")
        if !isByTime { try request.factors.requireTextFactors() }
        let credential = try request.require(
            body.given("mfaPendingCredential"), .missingCredential, "Please set MFA Pending Credential.")
        // The code is used up before any other check.
        let number = try isByTime ? nil : provenNumber(request)
        return try APIError.keepingChanges { try signIn(credential, number: number, request) }
    }

    private func signIn(_ credential: String, number: String?, _ request: AuthorizedRequest) throws -> JSON {
        let pending = try request.factors.pendingUser(credential)
        var user = pending.user
        let factor: Factor?
        if let number {
            factor = (user.factors ?? []).first { $0.phone == number || $0.maskedPhone == number }
        } else {
            factor = try factorByTime(user, request)
        }
        let given = try request.require(factor, .factorNotFound)
        try request.require(user.isDisabled != true, .userDisabled)
        let kind = number == nil ? "totp" : ProviderID.phone
        let claims = try request.functions.beforeSignIn(
            &user, .init(method: pending.provider, secondFactor: kind), isNew: false)
        user.lastLoginAt = request.now.milliseconds
        let tokens = try request.tokens.issue(
            to: &user, Grant(provider: pending.provider, claims: claims, secondFactor: .init(id: given.id, kind: kind)))
        try request.db.touch(user, in: request.scope)
        try request.db.removePending(credential)
        var response: JSONObject = [:]
        response["idToken"] = tokens["idToken"]
        response["refreshToken"] = tokens["refreshToken"]
        return .object(response)
    }

    private func provenNumber(_ request: AuthorizedRequest) throws -> String {
        let info = try request.require(
            request.body.message("phoneVerificationInfo"), .invalidArgument, "MFA provider not supported!")
        return try request.phoneNumbers.number(provenBy: info)
    }

    private func factorByTime(_ user: User, _ request: AuthorizedRequest) throws -> Factor? {
        let id = try request.require(
            request.body.given("mfaEnrollmentId"), .missingFactorID, "No second factor identifier is provided.")
        let info = try request.require(request.body.message("totpVerificationInfo"), .invalidArgument)
        let code = try request.require(info.given("verificationCode"), .missingCode)
        guard let factor = (user.factors ?? []).first(where: { $0.id == id }) else { return nil }
        let secret = try request.require(factor.secret, .invalidArgument, "MFA provider not supported!")
        try request.require(
            TOTP(secret: secret).accepts(code, at: request.now, within: request.rules.adjacentIntervals), .invalidCode)
        return factor
    }
}
