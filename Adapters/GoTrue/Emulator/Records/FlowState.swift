internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A flow that returns to the app: with a proof key, or by a provider.
struct FlowState: Sendable {
    var id: String
    var userID: String?
    /// The code that is exchanged for a session; flows without a proof key have none.
    var code: String?
    var challengeMethod: String?
    var challenge: String?
    var provider: String
    var method: AuthenticationMethod
    var providerToken: String?
    var providerRefreshToken: String?
    var target: String?
    var inviteToken: String?
    var linkingUserID: String?
    var createdAt: Instant
    var codeIssuedAt: Instant?

    var isProof: Bool { challenge != nil }

    /// The lifetime of a magic link's flow starts with the click, of all others with the request.
    func isExpired(at now: Instant, life: Duration) -> Bool {
        let start = method == .magicLink ? codeIssuedAt ?? createdAt : createdAt
        return now > start + life
    }

    func isProven(by verifier: String) -> Bool {
        guard let challenge else { return false }
        if challengeMethod == "plain" { return ConstantTime.areEqual(verifier, challenge) }
        return ConstantTime.areEqual(Base64.encode(HashFunction.sha256.digest(verifier), .url), challenge)
    }
}

extension SQLiteConnection {
    mutating func insert(_ flow: FlowState) throws {
        try run(
            "INSERT INTO flow_state (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type, authentication_method, referrer, invite_token, linking_target_id, created_at) VALUES (\(flow.id), \(flow.userID.sqliteValue), \(flow.code.sqliteValue), \(flow.challengeMethod.sqliteValue), \(flow.challenge.sqliteValue), \(flow.provider), \(flow.method.rawValue), \(flow.target.sqliteValue), \(flow.inviteToken.sqliteValue), \(flow.linkingUserID.sqliteValue), \(flow.createdAt))"
        )
    }

    mutating func save(_ flow: FlowState) throws {
        try run(
            "UPDATE flow_state SET user_id = \(flow.userID.sqliteValue), provider_access_token = \(flow.providerToken.sqliteValue), provider_refresh_token = \(flow.providerRefreshToken.sqliteValue), auth_code_issued_at = \(flow.codeIssuedAt.sqliteValue) WHERE id = \(flow.id)"
        )
    }

    mutating func flow(id: String) throws -> FlowState? { try flow("WHERE id = \(id)" as SQL) }

    mutating func flow(code: String) throws -> FlowState? { try flow("WHERE auth_code = \(code)" as SQL) }

    /// The newest flow of a user and a method.
    mutating func flow(of userID: String, _ method: AuthenticationMethod) throws -> FlowState? {
        try flow("WHERE user_id = \(userID) AND authentication_method = \(method.rawValue) ORDER BY row DESC LIMIT 1" as SQL)
    }

    mutating func deleteFlow(id: String) throws {
        try run("DELETE FROM flow_state WHERE id = \(id)")
    }

    private mutating func flow(_ condition: SQL) throws -> FlowState? {
        try first("SELECT * FROM flow_state " + condition) { row throws(SQLiteError) in
            FlowState(
                id: try row["id"], userID: try row["user_id"], code: try row["auth_code"],
                challengeMethod: try row["code_challenge_method"], challenge: try row["code_challenge"],
                provider: try row["provider_type"],
                method: AuthenticationMethod(rawValue: try row["authentication_method"] as String),
                providerToken: try row["provider_access_token"], providerRefreshToken: try row["provider_refresh_token"],
                target: try row["referrer"], inviteToken: try row["invite_token"], linkingUserID: try row["linking_target_id"],
                createdAt: try row["created_at"], codeIssuedAt: try row["auth_code_issued_at"])
        }
    }
}

/// The two parameters of a flow with a proof key (RFC 7636).
struct ProofKey {
    var challenge: String
    var method: String

    /// Reads a body; `nil` for a flow without a proof key.
    init?(_ body: Body) throws(GoTrueError) {
        try self.init(challenge: body[text: "code_challenge"], method: body[text: "code_challenge_method"])
    }

    init?(challenge: String, method: String) throws(GoTrueError) {
        if challenge.isEmpty, method.isEmpty { return nil }
        guard !challenge.isEmpty, !method.isEmpty else {
            throw .invalid("PKCE flow requires code_challenge_method and code_challenge")
        }
        guard (43...128).contains(challenge.utf8.count) else {
            throw .invalid("code challenge has to be between 43 and 128 characters")
        }
        let isClean = challenge.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "-._~".unicodeScalars.contains(scalar))
        }
        guard isClean else {
            throw .invalid("code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes")
        }
        self.challenge = challenge
        self.method = method.lowercased()
    }

    var isKnown: Bool { method == "s256" || method == "plain" }
}

/// Starts flows that return to the app.
struct Flows {
    let context: RequestContext

    /// Stores a flow with a proof key.
    func start(_ provider: String, _ method: AuthenticationMethod, _ proof: ProofKey, of user: User) throws {
        guard proof.isKnown else { throw GoTrueError.unhandled }
        try context.db.insert(
            FlowState(
                id: context.uuid(), userID: user.id, code: context.uuid(), challengeMethod: proof.method,
                challenge: proof.challenge,
                provider: provider,
                method: method, createdAt: context.now))
    }
}
