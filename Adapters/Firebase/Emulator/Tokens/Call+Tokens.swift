internal import LockstepPrimitives
internal import LockstepSQLite

extension Call {
    /// The user of the body's ID token, if it lives.
    ///
    /// - Throws: in this order, `INVALID_ID_TOKEN`, `TENANT_ID_MISMATCH`, `USER_NOT_FOUND`, `TOKEN_EXPIRED`, `USER_DISABLED`.
    func holder(of token: String, _ db: inout SQLiteConnection) throws -> Holder {
        guard let idToken, let claims = backend.tokens.claims(of: idToken, token, project: space.project, now: now),
            let firebase = claims["firebase"]?.object
        else { throw APIError.refused(.invalidIDToken) }
        if let tenant = firebase["tenant"]?.string, !tenant.isEmpty {
            guard space.tenant != nil else {
                throw APIError.refused(sentence: "((Parsed token that belongs to tenant in a non-tenant project.))")
            }
            try require(tenant == space.tenant, .tenantMismatch)
        }
        let user = try require(try db.user(claims["user_id"]?.string ?? "", in: space), .userNotFound)
        if let validSince = user.validSince { try require(claims["iat"]?.int ?? 0 >= validSince, .tokenExpired) }
        try require(user.isDisabled != true, .userDisabled)
        return Holder(user: user, provider: firebase["sign_in_provider"]?.string ?? ProviderID.custom, claims: claims)
    }

    /// The user of the ID token in the body, if there is one.
    func holderIfGiven(_ db: inout SQLiteConnection) throws -> Holder? {
        try body.given("idToken").map { try holder(of: $0, &db) }
    }

    /// Refuses a sign-in that is too old for the call; guests are exempt, because they cannot sign in again.
    func requireRecentSignIn(_ holder: Holder) throws(APIError) {
        guard let limit = settings.recentSignIn, holder.provider != ProviderID.anonymous else { return }
        let signedIn = Instant(seconds: holder.claims["auth_time"]?.int ?? 0)
        try require(now - signedIn <= limit, .tooOld)
    }

    /// New tokens; the user must be written afterwards.
    ///
    /// - Parameter keeping: the refresh token to keep, in a refresh.
    func issue(
        to user: inout User, _ grant: Grant, attributes: JSON? = nil, keeping refreshToken: String? = nil,
        _ db: inout SQLiteConnection
    ) throws -> JSONObject {
        user.lastRefreshAt = now
        let authTime = self.authTime(of: user, grant)
        let claims = IDTokenClaims.compose(
            user: user, grant: grant, project: space.project, attributes: attributes, authTime: authTime, now: now)
        return [
            "idToken": .string(try backend.tokens.sign(claims)),
            "refreshToken": .string(try refreshToken ?? newRefreshToken(of: user, grant, authTime: authTime, &db)),
            "expiresIn": .string(String(IDTokenClaims.lifetime)),
        ]
    }

    /// In production the time of the session's sign-in; in Firebase's emulator that of the user's last one anywhere.
    private func authTime(of user: User, _ grant: Grant) -> Int64 {
        switch settings.mode {
        case .strict: grant.authTime ?? now.seconds
        case .emulator: user.lastLoginAt.map { Instant(milliseconds: $0).seconds } ?? now.seconds
        }
    }

    private func newRefreshToken(of user: User, _ grant: Grant, authTime: Int64, _ db: inout SQLiteConnection) throws -> String {
        switch settings.mode {
        case .emulator:
            return OpenToken.refresh(
                Session(project: space.project, tenant: space.tenant, localID: user.localID, grant: grant, createdAt: nil))
        case .strict:
            let token = "AMf-" + Base64.encode(backend.randomness.bytes(96), .url)
            try db.insertSession(token, of: user, grant: grant, authTime: authTime, at: now, in: space)
            return token
        }
    }
}
