internal import LockstepPrimitives
internal import LockstepSQLite

extension Call {
    /// Providers whose users can have no second factor.
    private static let ineligible: Set = [ProviderID.anonymous, ProviderID.phone, ProviderID.custom, ProviderID.gameCenter]

    /// The most second factors that a user may have (https://cloud.google.com/identity-platform/docs/web/mfa).
    private static let limit = 5

    /// Whether a sign-in of this user must wait for a second factor.
    func asksForFactor(_ user: User) -> Bool {
        guard user.hasFactors else { return false }
        return rules.asksForTextFactors || rules.asksForTimeFactors
    }

    /// The members that the answer of a pending sign-in has in addition.
    func pending(_ user: User, provider: String, _ db: inout SQLiteConnection) throws -> JSONObject {
        let credential: String
        switch settings.mode {
        case .emulator: credential = OpenToken.pending(user, provider: provider, in: space)
        case .strict:
            credential = Base64.encode(backend.randomness.bytes(96), .url)
            try db.insertPending(credential, of: user, provider: provider, at: now, in: space)
        }
        return [
            "mfaPendingCredential": .string(credential), "mfaInfo": .array((user.factors ?? []).map(\.maskedJSON)),
        ]
    }

    /// The user of this pending credential, and the first factor.
    func pendingUser(_ credential: String, _ db: inout SQLiteConnection) throws -> (user: User, provider: String) {
        if settings.mode == .strict {
            let pending = try require(try db.pending(credential, in: space), .invalidPendingCredential)
            if let lifetime = settings.lifetimes.pendingFactor {
                try require(now - pending.createdAt <= lifetime, .invalidPendingCredential)
            }
            return (try require(try db.user(pending.localID, in: space), .userNotFound), pending.provider)
        }
        guard let members = OpenToken.members(ofPending: credential) else {
            throw APIError.refused(sentence: "((Invalid phoneVerificationInfo.mfaPendingCredential.))")
        }
        let isOurs = members["projectId"]?.string == space.project
        let isTenants = space.tenant == nil || members["tenantId"]?.string == space.tenant
        try require(isOurs && isTenants, .invalidProjectID, "Project ID does not match MFA pending credential.")
        guard let user = try db.user(members["localId"]?.string ?? "", in: space) else {
            throw APIError.refused(sentence: "((User in pendingCredentialPayload does not exist.))")
        }
        return (user, members["signInProvider"]?.string ?? ProviderID.password)
    }

    func requireTextFactors() throws(APIError) {
        try require(rules.asksForTextFactors, .operationNotAllowed, "SMS based MFA not enabled.")
    }

    func requireTimeFactors() throws(APIError) {
        try require(rules.asksForTimeFactors, .operationNotAllowed, "TOTP based MFA not enabled.")
    }

    /// Refuses users who cannot have a second factor, or have the maximum.
    func requireEligible(_ holder: Holder) throws(APIError) {
        try require(
            !Self.ineligible.contains(holder.provider), .unsupportedFirstFactor,
            "MFA is not available for the given first factor.")
        guard settings.mode == .strict else { return }
        try requireRecentSignIn(holder)
        try require((holder.user.factors ?? []).count < Self.limit, .secondFactorLimit)
    }

    func requireNewFactor(_ number: String, _ user: User) throws(APIError) {
        try require(
            !(user.factors ?? []).contains { $0.phone == number }, .secondFactorExists,
            "Phone number already enrolled as second factor for this account.")
    }

    /// The factors that an administrator gives a user; a duplicate number counts once.
    func factors(from entries: [Body], makingIDs: Bool) throws(APIError) -> [Factor] {
        var factors: [Factor] = []
        for entry in entries {
            let number = entry.given("phoneInfo") ?? ""
            try require(Formats.isPhoneNumber(number), .invalidFactorPhone, "Invalid format.")
            guard !factors.contains(where: { $0.phone == number }) else { continue }
            let id = makingIDs ? backend.newID() : entry.given("mfaEnrollmentId")
            let given = try require(id, .invalidFactorID, "mfaEnrollmentId must be defined.")
            try require(!factors.contains { $0.id == given }, .duplicateFactorID)
            factors.append(
                Factor(id: given, displayName: entry.text("displayName"), enrolledAt: entry.text("enrolledAt"), phone: number))
        }
        return factors
    }
}
