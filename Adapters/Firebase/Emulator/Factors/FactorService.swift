internal import LockstepPrimitives
internal import LockstepSQLite

/// Second factors: who must give one, who may have one, and the sign-ins that wait for one.
struct FactorService {
    let request: AuthorizedRequest

    /// Providers whose users can have no second factor.
    private static let ineligible: Set = [ProviderID.anonymous, ProviderID.phone, ProviderID.custom, ProviderID.gameCenter]

    /// The most second factors that a user may have (https://cloud.google.com/identity-platform/docs/web/mfa).
    private static let limit = 5

    /// Whether a sign-in of this user must wait for a second factor.
    func isAsked(of user: User) -> Bool {
        user.hasFactors && request.rules.asksForFactors
    }

    /// The members that the answer of a pending sign-in has in addition.
    func pending(_ user: User, provider: String) throws -> JSONObject {
        let credential: String
        switch request.settings.mode {
        case .emulator: credential = OpenToken.pending(user, provider: provider, in: request.scope)
        case .strict:
            credential = request.newToken("pending credential", bytes: 96)
            try request.db.insertPending(credential, of: user, provider: provider, at: request.now, in: request.scope)
        }
        return [
            "mfaPendingCredential": .string(credential), "mfaInfo": .array((user.factors ?? []).map(\.maskedJSON)),
        ]
    }

    /// The user of this pending credential, and the first factor.
    func pendingUser(_ credential: String) throws -> (user: User, provider: String) {
        if request.settings.mode == .strict {
            let pending = try request.require(try request.db.pending(credential, in: request.scope), .invalidPendingCredential)
            if let lifetime = request.settings.lifetimes.pendingFactor {
                try request.require(request.now - pending.createdAt <= lifetime, .invalidPendingCredential)
            }
            return (try request.require(try request.db.user(pending.localID, in: request.scope), .userNotFound), pending.provider)
        }
        guard let members = OpenToken.members(ofPending: credential) else {
            throw APIError.refused(sentence: "((Invalid phoneVerificationInfo.mfaPendingCredential.))")
        }
        let isOurs = members["projectId"]?.string == request.scope.project
        let isTenants = request.scope.tenant == nil || members["tenantId"]?.string == request.scope.tenant
        try request.require(isOurs && isTenants, .invalidProjectID, "Project ID does not match MFA pending credential.")
        guard let user = try request.db.user(members["localId"]?.string ?? "", in: request.scope) else {
            throw APIError.refused(sentence: "((User in pendingCredentialPayload does not exist.))")
        }
        return (user, members["signInProvider"]?.string ?? ProviderID.password)
    }

    /// Whether the request is about time-based codes; refused where the project has not switched them on.
    ///
    /// Firebase's emulator 15.28.1 knows none, and reads such a request as one about a text message.
    func isByTime(_ member: String) throws(APIError) -> Bool {
        guard request.body.has(member) else { return false }
        if request.rules.asksForTimeFactors { return true }
        guard request.settings.mode == .strict || request.settings.allowsTimeFactors else { return false }
        throw .refused(.operationNotAllowed, "TOTP based MFA not enabled.")
    }

    func requireTextFactors() throws(APIError) {
        try request.require(request.rules.asksForTextFactors, .operationNotAllowed, "SMS based MFA not enabled.")
    }

    /// Refuses users who cannot have a second factor, or have the maximum.
    func requireEligible(_ holder: Holder) throws(APIError) {
        try request.require(
            !Self.ineligible.contains(holder.provider), .unsupportedFirstFactor,
            "MFA is not available for the given first factor.")
        guard request.settings.mode == .strict else { return }
        try request.tokens.requireRecentSignIn(holder)
        try request.require((holder.user.factors ?? []).count < Self.limit, .secondFactorLimit)
    }

    func requireNewFactor(_ number: String, _ user: User) throws(APIError) {
        try request.require(
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
                try request.require(!factors.contains { $0.id == own.id }, .duplicateFactorID)
                own.displayName = entry.text("displayName")
                own.enrolledAt = entry.text("enrolledAt") ?? own.enrolledAt
                factors.append(own)
                continue
            }
            let number = entry.given("phoneInfo") ?? ""
            try request.require(request.isPhoneNumber(number), .invalidFactorPhone, "Invalid format.")
            guard !factors.contains(where: { $0.phone == number }) else { continue }
            let id = makingIDs ? request.newID() : named
            let given = try request.require(id, .invalidFactorID, "mfaEnrollmentId must be defined.")
            try request.require(!factors.contains { $0.id == given }, .duplicateFactorID)
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
