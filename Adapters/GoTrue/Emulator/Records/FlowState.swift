internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A flow that returns to the app: with PKCE, or with an identity provider.
struct FlowState: Record {
    var id = ""
    var userID: String?
    /// The code that is exchanged for a session; `nil` for a flow without PKCE.
    var code: String?
    var challengeMethod: String?
    var challenge: String?
    var provider = ""
    var method = AuthenticationMethod.oauth
    var providerToken: String?
    var providerRefreshToken: String?
    var target: String?
    var inviteToken: String?
    var linkingUserID: String?
    var createdAt = Instant.distantPast
    var codeIssuedAt: Instant?

    static let table = Table<FlowState>(
        "flow_state",
        [
            Column("id", \.id, .unique), Column("user_id", \.userID, .belongs(to: "users (id)")), Column("auth_code", \.code),
            Column("code_challenge_method", \.challengeMethod), Column("code_challenge", \.challenge),
            Column("provider_type", \.provider), Column("authentication_method", \.method),
            Column("provider_access_token", \.providerToken), Column("provider_refresh_token", \.providerRefreshToken),
            Column("referrer", \.target), Column("invite_token", \.inviteToken),
            Column("linking_target_id", \.linkingUserID), Column("created_at", \.createdAt),
            Column("auth_code_issued_at", \.codeIssuedAt),
        ], numbered: "row",
        indexes: [Index("flow_state_code", on: "auth_code"), Index("flow_state_user", on: "user_id, authentication_method")])

    var isProof: Bool { challenge != nil }

    /// The lifetime of a magic link's flow starts with the click, and that of any other flow with the request.
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
    /// Returns the newest flow of a user and a method.
    mutating func flow(of userID: String, _ method: AuthenticationMethod) throws -> FlowState? {
        try find(FlowState.self, "user_id = \(userID) AND authentication_method = \(method) ORDER BY row DESC")
    }
}

/// The two parameters of a flow with PKCE (RFC 7636).
struct ProofKey {
    var challenge: String
    var method: String

    /// Reads a body; the result is `nil` for a flow without PKCE.
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

    /// Stores a flow with PKCE.
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
