internal import LockstepPrimitives
internal import LockstepSQLite

/// A second factor.
struct Factor: Sendable {
    enum Kind: String, Sendable {
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

    var id: String
    var userID: String
    var name: String
    var kind: Kind
    var isVerified = false
    /// The key of codes, in base 32.
    var secret: String?
    var phone = ""
    var credential: JSONObject?
    var aaguid: String?
    var challengeData: JSONObject?
    var lastChallengedAt: Instant?
    var createdAt: Instant
    var updatedAt: Instant

    var status: String { isVerified ? "verified" : "unverified" }

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
struct FactorChallenge: Sendable {
    var id: String
    var factorID: String
    var address: String
    var code: String?
    var webAuthnChallenge: String?
    var createdAt: Instant
    var verifiedAt: Instant?
}

extension SQLiteConnection {
    mutating func factors(of userID: String) throws -> [Factor] {
        try all("SELECT * FROM mfa_factors WHERE user_id = \(userID) ORDER BY row", Factor.init(row:))
    }

    mutating func insert(_ factor: Factor) throws {
        try run(
            "INSERT INTO mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at) VALUES (\(factor.id), \(factor.userID), \(factor.name), \(factor.kind.rawValue), 'unverified', \(factor.secret.sqliteValue), \(factor.phone), \(factor.createdAt), \(factor.updatedAt))"
        )
    }

    /// Writes a factor; a challenge alone is not a change.
    mutating func save(_ factor: inout Factor, at now: Instant?) throws {
        if let now { factor.updatedAt = now }
        try run(
            "UPDATE mfa_factors SET friendly_name = \(factor.name), status = \(factor.status), phone = \(factor.phone), web_authn_credential = \(factor.credential.map(StoredObject.init).sqliteValue), web_authn_aaguid = \(factor.aaguid.sqliteValue), last_webauthn_challenge_data = \(factor.challengeData.map(StoredObject.init).sqliteValue), last_challenged_at = \(factor.lastChallengedAt.sqliteValue), updated_at = \(factor.updatedAt) WHERE id = \(factor.id)"
        )
    }

    mutating func deleteFactor(id: String) throws {
        try run("DELETE FROM mfa_factors WHERE id = \(id)")
    }

    /// Deletes a factor; sessions that it had raised lose that level.
    mutating func deleteFactor(_ factor: Factor) throws {
        try deleteFactor(id: factor.id)
        try run(
            "DELETE FROM mfa_amr_claims WHERE authentication_method = \(factor.kind.method.rawValue) AND session_id IN (SELECT id FROM sessions WHERE factor_id = \(factor.id))"
        )
        try run("UPDATE sessions SET aal = 'aal1', factor_id = NULL WHERE factor_id = \(factor.id)")
    }

    mutating func insert(_ challenge: FactorChallenge) throws {
        try run(
            "INSERT INTO mfa_challenges (id, factor_id, ip_address, otp_code, web_authn_session, created_at) VALUES (\(challenge.id), \(challenge.factorID), \(challenge.address), \(challenge.code.sqliteValue), \(challenge.webAuthnChallenge.sqliteValue), \(challenge.createdAt))"
        )
    }

    mutating func challenge(id: String, of factorID: String) throws -> FactorChallenge? {
        try first("SELECT * FROM mfa_challenges WHERE id = \(id) AND factor_id = \(factorID)") { row throws(SQLiteError) in
            FactorChallenge(
                id: try row["id"], factorID: try row["factor_id"], address: try row["ip_address"], code: try row["otp_code"],
                webAuthnChallenge: try row["web_authn_session"], createdAt: try row["created_at"],
                verifiedAt: try row["verified_at"])
        }
    }
}

extension Factor {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        userID = try row["user_id"]
        name = try row["friendly_name"]
        kind = Kind(rawValue: try row["factor_type"]) ?? .totp
        isVerified = try (row["status"] as String) == "verified"
        secret = try row["secret"]
        phone = try row["phone"]
        credential = try (row["web_authn_credential"] as StoredObject?)?.object
        aaguid = try row["web_authn_aaguid"]
        challengeData = try (row["last_webauthn_challenge_data"] as StoredObject?)?.object
        lastChallengedAt = try row["last_challenged_at"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }
}
