internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A second factor.
struct Factor: Record {
    enum Kind: String, ColumnValue {
        case totp
        case phone
        case webAuthn = "webauthn"

        /// Its name in `amr`.
        var method: AuthenticationMethod {
            switch self {
            case .totp: .totp
            case .phone: .phoneFactor
            case .webAuthn: .webAuthnFactor
            }
        }
    }

    var id = ""
    var userID = ""
    var name = ""
    var kind = Kind.totp
    var isVerified = false
    /// The key of the app's codes, in base 32.
    var secret: String?
    var phone = ""
    var credential: JSONObject?
    var aaguid: String?
    var challengeData: JSONObject?
    var lastChallengedAt: Instant?
    var createdAt = Instant.distantPast
    var updatedAt = Instant.distantPast

    static let table = Table<Factor>(
        "mfa_factors",
        [
            Column("id", \.id, .unique), Column("user_id", \.userID, .belongs(to: "users (id)")),
            Column("friendly_name", \.name), Column("factor_type", \.kind), Column("status", \.status),
            Column("secret", \.secret), Column("phone", \.phone), Column("web_authn_credential", \.credential),
            Column("web_authn_aaguid", \.aaguid), Column("last_webauthn_challenge_data", \.challengeData),
            Column("last_challenged_at", \.lastChallengedAt), Column("created_at", \.createdAt),
            Column("updated_at", \.updatedAt),
        ], numbered: "row",
        indexes: [
            Index("mfa_factors_name", on: "friendly_name, user_id", isUnique: true), Index("mfa_factors_user", on: "user_id"),
        ])

    var status: String {
        get { isVerified ? "verified" : "unverified" }
        set { isVerified = newValue == "verified" }
    }

    var json: JSONObject {
        var object: JSONObject = [
            "id": .string(id), "created_at": Timestamp.json(createdAt), "updated_at": Timestamp.json(updatedAt),
            "status": .string(status),
        ]
        if !name.isEmpty { object["friendly_name"] = .string(name) }
        object["factor_type"] = .string(kind.rawValue)
        object["phone"] = .string(phone)
        object["last_challenged_at"] = lastChallengedAt.map(Timestamp.json) ?? .null
        object["web_authn_aaguid"] = aaguid.map(JSON.string)
        object["last_webauthn_challenge_data"] = challengeData.map(JSON.object)
        return object
    }
}

/// A challenge of a factor.
struct FactorChallenge: Record {
    var id = ""
    var factorID = ""
    var address = ""
    var code: String?
    var webAuthnChallenge: String?
    var createdAt = Instant.distantPast
    var verifiedAt: Instant?

    static let table = Table<FactorChallenge>(
        "mfa_challenges",
        [
            Column("id", \.id, .key), Column("factor_id", \.factorID, .belongs(to: "mfa_factors (id)")),
            Column("ip_address", \.address), Column("otp_code", \.code), Column("web_authn_session", \.webAuthnChallenge),
            Column("created_at", \.createdAt), Column("verified_at", \.verifiedAt),
        ], indexes: [Index("mfa_challenges_factor", on: "factor_id")])
}

extension SQLiteConnection {
    mutating func factors(of userID: String) throws -> [Factor] {
        try all(Factor.self, "user_id = \(userID) ORDER BY row")
    }

    /// Writes a changed factor.
    mutating func save(_ factor: inout Factor, at now: Instant) throws {
        factor.updatedAt = now
        try update(factor)
    }

    /// Deletes a factor.
    ///
    /// If it has raised the level of sessions, they lose that level.
    mutating func deleteFactor(_ factor: Factor) throws {
        try delete(Factor.self, "id = \(factor.id)")
        try delete(
            SessionProof.self,
            """
            authentication_method = \(factor.kind.method) AND session_id IN (SELECT id FROM sessions WHERE factor_id = \(factor.id))
            """)
        try run("UPDATE sessions SET aal = 'aal1', factor_id = NULL WHERE factor_id = \(factor.id)")
    }
}
