internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension FactorRoutes {
    static let signInBody: BodySchema = [
        "mfaEnrollmentId": .text, "mfaPendingCredential": .text, "phoneSignInInfo": .phoneRequest, "tenantId": .text,
    ]

    /// `mfaSignIn:start`: sends a code to an enrolled phone, for a pending sign-in.
    func startSignIn() throws -> JSON {
        try context.factors.requireTextFactors()
        let credential = try context.require(
            context.body.given("mfaPendingCredential"), .missingPendingCredential, "Request does not have MFA pending credential."
        )
        let id = try context.require(
            context.body.given("mfaEnrollmentId"), .missingFactorID, "No second factor identifier is provided.")
        let user = try context.factors.pendingUser(credential).user
        let factor = try context.require((user.factors ?? []).first { $0.id.exact == id.exact }, .factorNotFound)
        let number = try context.require(factor.phone, .invalidArgument, "MFA provider not supported!")
        return ["phoneResponseInfo": ["sessionInfo": .string(try context.phoneNumbers.sendCode(to: number))]]
    }

    static let signInProofBody: BodySchema = [
        "mfaEnrollmentId": .text, "mfaPendingCredential": .text, "phoneVerificationInfo": .phoneProof, "tenantId": .text,
        "totpVerificationInfo": .members(["verificationCode": .text]),
    ]

    /// `mfaSignIn:finalize`: completes the pending sign-in with the code.
    func finishSignIn() throws -> JSON {
        let body = context.body
        let isByTime = try context.factors.isByTime("totpVerificationInfo")
        if !isByTime { try context.factors.requireTextFactors() }
        let credential = try context.require(
            body.given("mfaPendingCredential"), .missingCredential, "Please set MFA Pending Credential.")
        // The code is used up before any other check.
        let number = try isByTime ? nil : provenNumber()
        return try APIError.keepingChanges { try signIn(credential, number: number) }
    }

    private func signIn(_ credential: String, number: String?) throws -> JSON {
        let pending = try context.factors.pendingUser(credential)
        var user = pending.user
        let factor: Factor?
        if let number {
            factor = (user.factors ?? []).first { $0.phone == number || $0.maskedPhone == number }
        } else {
            factor = try factorByTime(user)
        }
        let given = try context.require(factor, .factorNotFound)
        try context.require(user.isDisabled != true, .userDisabled)
        let kind = number == nil ? "totp" : ProviderID.phone
        let claims = try context.functions.beforeSignIn(
            &user, .init(method: pending.provider, secondFactor: kind), isNew: false)
        user.lastLoginAt = context.now.milliseconds
        let tokens = try context.tokens.issue(
            to: &user, Grant(provider: pending.provider, claims: claims, secondFactor: .init(id: given.id, kind: kind)))
        try context.users.touch(user)
        try context.db.delete(PendingSignIn.self, "credential = \(credential)")
        var response: JSONObject = [:]
        response["idToken"] = tokens["idToken"]
        response["refreshToken"] = tokens["refreshToken"]
        return .object(response)
    }

    private func provenNumber() throws -> String {
        let info = try context.require(
            context.body.nested("phoneVerificationInfo"), .invalidArgument, "MFA provider not supported!")
        return try context.phoneNumbers.number(provenBy: info)
    }

    private func factorByTime(_ user: User) throws -> Factor? {
        let id = try context.require(
            context.body.given("mfaEnrollmentId"), .missingFactorID, "No second factor identifier is provided.")
        let info = try context.require(context.body.nested("totpVerificationInfo"), .invalidArgument)
        let code = try context.require(info.given("verificationCode"), .missingCode)
        guard let factor = (user.factors ?? []).first(where: { $0.id.exact == id.exact }) else { return nil }
        let secret = try context.require(factor.secret, .invalidArgument, "MFA provider not supported!")
        try context.require(
            TOTP(secret: secret).accepts(code, at: context.now, within: context.rules.adjacentIntervals), .invalidCode)
        return factor
    }
}
