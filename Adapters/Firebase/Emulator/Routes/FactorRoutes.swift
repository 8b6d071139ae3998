internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Second factors: their enrollment, and sign-ins that wait for one.
struct FactorRoutes {
    let context: RequestContext

    static let enrolmentBody: BodySchema = [
        "idToken": .text, "phoneEnrollmentInfo": .phoneRequest, "tenantId": .text, "totpEnrollmentInfo": .members(.none),
    ]

    /// `mfaEnrollment:start`: sends a code by SMS, or creates a secret for time-based codes.
    func startEnrolment() throws -> JSON {
        let body = context.body
        let isByTime = try context.factors.isByTime("totpEnrollmentInfo")
        if !isByTime { try context.factors.requireTextFactors() }
        let holder = try context.tokens.requireHolder()
        try context.factors.requireEligible(holder)
        try context.require(
            holder.user.emailVerified == true, .unverifiedEmail,
            "Need to verify email first before enrolling second factors.")
        if isByTime { return try startByTime(holder.user) }
        let info = try context.require(body.nested("phoneEnrollmentInfo"), .invalidArgument, "((Missing phoneEnrollmentInfo.))")
        let number = info.given("phoneNumber") ?? ""
        try context.require(context.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
        try context.factors.requireNewFactor(number, holder.user)
        return ["phoneSessionInfo": ["sessionInfo": .string(try context.phoneNumbers.sendCode(to: number))]]
    }

    private func startByTime(_ user: User) throws -> JSON {
        let secret = context.nextID(of: "totp secret") { TOTP.newSecret($0) }
        let session = context.newToken("totp session", bytes: 96)
        try context.db.insert(
            TimeFactorEnrolment(
                session: session, space: context.scope.id, localID: user.localID, secret: secret, createdAt: context.now))
        return [
            "totpSessionInfo": [
                "sharedSecretKey": .string(secret), "verificationCodeLength": .int(Int64(TOTP.digits)),
                "hashingAlgorithm": "SHA1", "periodSec": .int(TOTP.period), "sessionInfo": .string(session),
                "finalizeEnrollmentTime": .string((context.now + .seconds(300)).rfc3339),
            ]
        ]
    }

    static let enrolmentProofBody: BodySchema = [
        "displayName": .text, "idToken": .text, "phoneVerificationInfo": .phoneProof, "tenantId": .text,
        "totpVerificationInfo": .members(["sessionInfo": .text, "verificationCode": .text]),
    ]

    /// `mfaEnrollment:finalize`: enrolls the factor with the code.
    ///
    /// The tokens in the response contain the factor.
    func finishEnrolment() throws -> JSON {
        let isByTime = try context.factors.isByTime("totpVerificationInfo")
        if !isByTime { try context.factors.requireTextFactors() }
        let holder = try context.tokens.requireHolder()
        try context.factors.requireEligible(holder)
        var user = holder.user
        let proven = try isByTime ? factorByTime(user) : factorByText(user)
        user.factors = (user.factors ?? []) + [proven]
        let grant = Grant(
            provider: holder.provider, secondFactor: .init(id: proven.id, kind: isByTime ? "totp" : ProviderID.phone),
            authTime: holder.claims["auth_time"]?.int)
        let tokens = try context.tokens.issue(to: &user, grant)
        try context.users.update(user, identitiesChanged: false)
        var response: JSONObject = [:]
        response["idToken"] = tokens["idToken"]
        response["refreshToken"] = tokens["refreshToken"]
        if isByTime { response["totpAuthInfo"] = [:] }
        return .object(response)
    }

    private func factorByText(_ user: User) throws -> Factor {
        let info = try context.require(
            context.body.nested("phoneVerificationInfo"), .invalidArgument, "((Missing phoneVerificationInfo.))")
        let number = try context.phoneNumbers.number(provenBy: info)
        // The code is now used up, even if the number already belongs to the user.
        try APIError.keepingChanges { try context.factors.requireNewFactor(number, user) }
        return newFactor(phone: number)
    }

    private func factorByTime(_ user: User) throws -> Factor {
        let info = try context.require(context.body.nested("totpVerificationInfo"), .invalidArgument)
        let code = try context.require(info.given("verificationCode"), .missingCode)
        let session = try context.require(info.given("sessionInfo"), .missingSessionInfo)
        let begun = try context.db.find(
            TimeFactorEnrolment.self, "session = \(session) AND space = \(context.scope.id) AND local_id = \(user.localID)")
        let secret = try context.require(begun?.secret, .invalidSessionInfo)
        try context.require(
            TOTP(secret: secret).accepts(code, at: context.now, within: context.rules.adjacentIntervals), .invalidCode)
        try context.db.delete(TimeFactorEnrolment.self, "session = \(session)")
        return newFactor(secret: secret)
    }

    private func newFactor(phone: String? = nil, secret: String? = nil) -> Factor {
        Factor(
            id: context.newID(), displayName: context.body.text("displayName"), enrolledAt: context.now.rfc3339, phone: phone,
            secret: secret)
    }

    static let withdrawBody: BodySchema = ["idToken": .text, "mfaEnrollmentId": .text, "tenantId": .text]

    /// Firebase's `mfaEnrollment:withdraw`.
    func withdraw() throws -> JSON {
        let holder = try context.tokens.requireHolder()
        if context.isStrict { try context.tokens.requireRecentSignIn(holder) }
        var user = holder.user
        let id = context.body.text("mfaEnrollmentId")
        let rest = (user.factors ?? []).filter { $0.id.exact != id?.exact }
        try context.require(rest.count < (user.factors ?? []).count, .factorNotFound)
        user.factors = rest
        let tokens = try context.tokens.issue(
            to: &user, Grant(provider: holder.provider, authTime: holder.claims["auth_time"]?.int))
        try context.users.update(user, identitiesChanged: false)
        return .object(tokens)
    }
}
