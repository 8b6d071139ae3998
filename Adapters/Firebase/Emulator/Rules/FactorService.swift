internal import LockstepPrimitives
internal import LockstepSQLite

/// Second factors: who must give one, who may have one, and the sign-ins that wait for one.
struct FactorService {
    let context: RequestContext

    /// Providers whose users can have no second factor.
    private static let ineligible: Set = [ProviderID.anonymous, ProviderID.phone, ProviderID.custom, ProviderID.gameCenter]

    /// The most second factors that a user may have (https://cloud.google.com/identity-platform/docs/web/mfa).
    private static let limit = 5

    /// Whether a sign-in of this user must wait for a second factor.
    func isAsked(of user: User) -> Bool {
        user.hasFactors && context.rules.asksForFactors
    }

    /// The members that the answer of a pending sign-in has in addition.
    func pending(_ user: User, provider: String) throws -> JSONObject {
        let credential: String
        switch context.settings.mode {
        case .emulator: credential = OpenToken.pending(user, provider: provider, in: context.scope)
        case .strict:
            credential = context.newToken("pending credential", bytes: 96)
            try context.db.insertPending(credential, of: user, provider: provider, at: context.now, in: context.scope)
        }
        return [
            "mfaPendingCredential": .string(credential), "mfaInfo": .array((user.factors ?? []).map(\.maskedJSON)),
        ]
    }

    /// The user of this pending credential, and the first factor.
    func pendingUser(_ credential: String) throws -> (user: User, provider: String) {
        if context.isStrict {
            let pending = try context.require(try context.db.pending(credential, in: context.scope), .invalidPendingCredential)
            if let lifetime = context.settings.lifetimes.pendingFactor {
                try context.require(context.now - pending.createdAt <= lifetime, .invalidPendingCredential)
            }
            return (try context.require(try context.db.user(pending.localID, in: context.scope), .userNotFound), pending.provider)
        }
        guard let members = OpenToken.members(ofPending: credential) else {
            throw APIError.refused(sentence: "((Invalid phoneVerificationInfo.mfaPendingCredential.))")
        }
        let isOurs = members["projectId"]?.string == context.scope.project
        let isTenants = context.scope.tenant == nil || members["tenantId"]?.string == context.scope.tenant
        try context.require(isOurs && isTenants, .invalidProjectID, "Project ID does not match MFA pending credential.")
        guard let user = try context.db.user(members["localId"]?.string ?? "", in: context.scope) else {
            throw APIError.refused(sentence: "((User in pendingCredentialPayload does not exist.))")
        }
        return (user, members["signInProvider"]?.string ?? ProviderID.password)
    }

    /// Whether the request is about time-based codes; refused where the project has not switched them on.
    ///
    /// Firebase's emulator 15.28.1 knows none, and reads such a request as one about a text message.
    func isByTime(_ member: String) throws(APIError) -> Bool {
        guard context.body.has(member) else { return false }
        if context.rules.asksForTimeFactors { return true }
        guard context.isStrict || context.settings.allowsTimeFactors else { return false }
        throw .refused(.operationNotAllowed, "TOTP based MFA not enabled.")
    }

    func requireTextFactors() throws(APIError) {
        try context.require(context.rules.asksForTextFactors, .operationNotAllowed, "SMS based MFA not enabled.")
    }

    /// Refuses users who cannot have a second factor, or have the maximum.
    func requireEligible(_ holder: Holder) throws(APIError) {
        try context.require(
            !Self.ineligible.contains(holder.provider), .unsupportedFirstFactor,
            "MFA is not available for the given first factor.")
        guard context.isStrict else { return }
        try context.tokens.requireRecentSignIn(holder)
        try context.require((holder.user.factors ?? []).count < Self.limit, .secondFactorLimit)
    }

    func requireNewFactor(_ number: String, _ user: User) throws(APIError) {
        try context.require(
            !(user.factors ?? []).contains { $0.phone == number }, .secondFactorExists,
            "Phone number already enrolled as second factor for this account.")
    }

    /// The factors that an administrator gives a user; a duplicate number counts once.
    ///
    /// - Parameter kept: the user's own: an entry that names a factor by time-based codes keeps it. Others of the kind are refused, as
    ///   Firebase's emulator refuses all: no request has a secret.
    func read(_ entries: [Body], makingIDs: Bool, keeping kept: [Factor] = []) throws(APIError) -> [Factor] {
        var factors: [Factor] = []
        for entry in entries {
            let named = entry.given("mfaEnrollmentId")
            if entry.has("totpInfo"), !entry.has("phoneInfo"), var own = kept.first(where: { $0.id == named && $0.secret != nil })
            {
                try context.require(!factors.contains { $0.id == own.id }, .duplicateFactorID)
                own.displayName = entry.text("displayName")
                own.enrolledAt = entry.text("enrolledAt") ?? own.enrolledAt
                factors.append(own)
                continue
            }
            let number = entry.given("phoneInfo") ?? ""
            try context.require(context.isPhoneNumber(number), .invalidFactorPhone, "Invalid format.")
            guard !factors.contains(where: { $0.phone == number }) else { continue }
            let id = makingIDs ? context.newID() : named
            let given = try context.require(id, .invalidFactorID, "mfaEnrollmentId must be defined.")
            try context.require(!factors.contains { $0.id == given }, .duplicateFactorID)
            factors.append(
                Factor(id: given, displayName: entry.text("displayName"), enrolledAt: entry.text("enrolledAt"), phone: number))
        }
        return factors
    }
}

extension SQLiteConnection {
    /// Keeps a sign-in that waits for its second factor.
    mutating func insertPending(_ credential: String, of user: User, provider: String, at now: Instant, in scope: ProjectScope)
        throws
    {
        try run(
            """
            INSERT INTO pending_sign_ins (credential, space, local_id, provider, created_at)
            VALUES (\(credential), \(scope.id), \(user.localID), \(provider), \(now))
            """)
    }

    mutating func pending(_ credential: String, in scope: ProjectScope) throws -> (
        localID: String, provider: String, createdAt: Instant
    )? {
        try first(
            """
            SELECT local_id, provider, created_at FROM pending_sign_ins
            WHERE space = \(scope.id) AND credential = \(credential)
            """
        ) { row throws(SQLiteError) in (localID: try row[0], provider: try row[1], createdAt: try row[2]) }
    }

    mutating func removePending(_ credential: String) throws {
        try run("DELETE FROM pending_sign_ins WHERE credential = \(credential)")
    }

    /// Keeps the secret of a factor by time-based codes until its first code comes.
    mutating func insertTimeFactor(_ session: String, secret: String, of user: User, at now: Instant, in scope: ProjectScope)
        throws
    {
        try run(
            """
            INSERT INTO totp_enrolments (session, space, local_id, secret, created_at)
            VALUES (\(session), \(scope.id), \(user.localID), \(secret), \(now))
            """)
    }

    mutating func timeFactorSecret(_ session: String, of user: User, in scope: ProjectScope) throws -> String? {
        try value(
            """
            SELECT secret FROM totp_enrolments
            WHERE session = \(session) AND space = \(scope.id) AND local_id = \(user.localID)
            """)
    }

    mutating func removeTimeFactor(_ session: String) throws {
        try run("DELETE FROM totp_enrolments WHERE session = \(session)")
    }
}
