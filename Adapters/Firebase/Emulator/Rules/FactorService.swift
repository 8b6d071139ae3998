internal import LockstepPrimitives
internal import LockstepSQLite

/// The rules of second factors: who must complete one, who may have one, and the sign-ins that wait for one.
struct FactorService {
    let context: RequestContext

    /// Providers whose users cannot have a second factor.
    private static let ineligible: Set = [ProviderID.anonymous, ProviderID.phone, ProviderID.custom, ProviderID.gameCenter]

    /// The maximum number of second factors of a user (https://cloud.google.com/identity-platform/docs/web/mfa).
    static let limit = 5

    /// Whether a sign-in of this user must wait for a second factor.
    func isAsked(of user: User) -> Bool {
        user.hasFactors && context.rules.asksForFactors
    }

    /// Returns the additional members in the response of a pending sign-in.
    func pending(_ user: User, provider: String) throws -> JSONObject {
        let credential: String
        switch context.settings.mode {
        case .emulator: credential = OpenToken.pending(user, provider: provider, in: context.scope)
        case .strict:
            credential = context.newToken("pending credential", bytes: 96)
            try context.db.insert(
                PendingSignIn(
                    credential: credential, space: context.scope.id, localID: user.localID, provider: provider,
                    createdAt: context.now))
        }
        return [
            "mfaPendingCredential": .string(credential), "mfaInfo": .array((user.factors ?? []).map(\.maskedJSON)),
        ]
    }

    /// Returns the user of a pending credential, and the first factor.
    func pendingUser(_ credential: String) throws -> (user: User, provider: String) {
        if context.isStrict {
            let pending = try context.require(
                try context.db.find(PendingSignIn.self, "space = \(context.scope.id) AND credential = \(credential)"),
                .invalidPendingCredential)
            if let lifetime = context.settings.lifetimes.pendingFactor {
                try context.require(context.now - pending.createdAt <= lifetime, .invalidPendingCredential)
            }
            return (try context.require(try context.users.find(pending.localID), .userNotFound), pending.provider)
        }
        guard let members = OpenToken.members(ofPending: credential) else {
            throw APIError.refused(sentence: "((Invalid phoneVerificationInfo.mfaPendingCredential.))")
        }
        let isOurs = members["projectId"]?.string == context.scope.project
        let isTenants = context.scope.tenant == nil || members["tenantId"]?.string == context.scope.tenant
        try context.require(isOurs && isTenants, .invalidProjectID, "Project ID does not match MFA pending credential.")
        guard let user = try context.users.find(members["localId"]?.string ?? "") else {
            throw APIError.refused(sentence: "((User in pendingCredentialPayload does not exist.))")
        }
        return (user, members["signInProvider"]?.string ?? ProviderID.password)
    }

    /// Whether the request is about an authenticator app; an error if the project has not enabled these.
    ///
    /// Firebase's emulator 15.28.1 does not know them, and reads such a request as one about SMS.
    func isByTime(_ member: String) throws(APIError) -> Bool {
        guard context.body.has(member) else { return false }
        if context.rules.asksForTimeFactors { return true }
        guard context.isStrict || context.settings.allowsTimeFactors else { return false }
        throw .refused(.operationNotAllowed, "TOTP based MFA not enabled.")
    }

    func requireTextFactors() throws(APIError) {
        try context.require(context.rules.asksForTextFactors, .operationNotAllowed, "SMS based MFA not enabled.")
    }

    /// Rejects users who cannot have a second factor, or have the maximum.
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

    /// Reads the factors that an administrator sets for a user; a repeated number is used once.
    ///
    /// - Parameters:
    ///   - makingIDs: The source of new ids.
    ///   - kept: The user's current factors. An entry with the id of an authenticator app keeps it. Other authenticator
    ///     apps are rejected,
    ///     as Firebase's emulator rejects all, because no request contains a secret.
    /// - Throws: `APIError`.
    func read(_ entries: [Body], makingIDs: Bool, keeping kept: [Factor] = []) throws(APIError) -> [Factor] {
        // The Admin SDKs map the code (firebase-admin-node, `src/utils/error.ts`).
        if context.isStrict { try context.require(entries.count <= Self.limit, .secondFactorLimit) }
        var factors: [Factor] = []
        var ids: Set<ExactString> = []
        var numbers: Set<ExactString> = []
        for entry in entries {
            let named = entry.given("mfaEnrollmentId")
            if entry.has("totpInfo"), !entry.has("phoneInfo"),
                var own = kept.first(where: { $0.id.exact == named?.exact && $0.secret != nil })
            {
                try context.require(ids.insert(own.id.exact).inserted, .duplicateFactorID)
                own.displayName = entry.text("displayName")
                own.enrolledAt = entry.text("enrolledAt") ?? own.enrolledAt
                factors.append(own)
                continue
            }
            let number = entry.given("phoneInfo") ?? ""
            try context.require(context.isPhoneNumber(number), .invalidFactorPhone, "Invalid format.")
            guard numbers.insert(number.exact).inserted else { continue }
            let id = makingIDs ? context.newID() : named
            let given = try context.require(id, .invalidFactorID, "mfaEnrollmentId must be defined.")
            try context.require(ids.insert(given.exact).inserted, .duplicateFactorID)
            factors.append(
                Factor(id: given, displayName: entry.text("displayName"), enrolledAt: entry.text("enrolledAt"), phone: number))
        }
        return factors
    }
}
