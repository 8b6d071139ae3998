internal import LockstepPrimitives
internal import LockstepTokens

/// The keys that sign and verify access tokens.
struct TokenKeys: Sendable {
    let signing: SigningKey
    /// The published keys, which never include shared secrets.
    let published: JSON
    /// The algorithms that a token may use.
    let algorithms: Set<ExactString>
    /// The keys of `GOTRUE_JWT_KEYS` by their ids, and by the algorithms that fit their key material; for a key without
    /// an id, the id is empty.
    private let named: [ExactString: [ExactString: VerificationKey]]
    /// `GOTRUE_JWT_SECRET`.
    private let secret: VerificationKey
    /// The keys with which the gateway checks API keys: the secret, and those of `GOTRUE_JWT_KEYS`.
    let checking: [VerificationKey]
    /// The key that signs the API keys in the ready line: the secret if the server accepts its tokens, or else the
    /// signing key.
    let apiKeySigning: SigningKey
    /// The id of the secret; empty if it has none.
    private let secretID: String

    init(_ settings: TokenSettings) throws {
        let own = SigningKey.secret(settings.secret, id: settings.keyID)
        secret = own.verificationKey
        secretID = settings.keyID ?? ""
        guard let text = settings.keys?.reveal() else {
            signing = own
            apiKeySigning = own
            checking = [secret]
            named = [:]
            published = ["keys": []]
            algorithms = Set((settings.methods.isEmpty ? [secret.algorithm.rawValue] : settings.methods).map(\.exact))
            return
        }
        guard let list = try? JSON.parse(text), let elements = list.array else {
            throw GoTrueSettingsError(problems: ["GOTRUE_JWT_KEYS must be a list of JSON Web Keys."])
        }
        let keys = try elements.map { try JSONWebKey($0) }
        let signers = zip(elements, keys).filter { $0.0["key_ops"]?.array?.contains("sign") ?? false }.map(\.1)
        guard signers.count == 1 else {
            throw GoTrueSettingsError(problems: ["GOTRUE_JWT_KEYS must have exactly one key with \"sign\" in its key_ops."])
        }
        signing = try signers[0].signingKey()
        let listed = try keys.map { try $0.verificationKey() }
        algorithms = Set((settings.methods.isEmpty ? listed.map(\.algorithm.rawValue) : settings.methods).map(\.exact))
        checking = [secret] + listed
        apiKeySigning = algorithms.contains(secret.algorithm.rawValue.exact) ? own : signing
        var named: [ExactString: [ExactString: VerificationKey]] = [:]
        for key in keys { named[(key.id ?? "").exact] = Self.forms(of: key) }
        self.named = named
        published = [
            "keys": .array(
                try listed.compactMap { key in
                    guard !key.algorithm.rawValue.hasPrefix("HS") else { return nil }
                    var members = try JSONWebKey(key).members
                    members["key_ops"] = ["verify"]
                    return .object(members)
                })
        ]
    }

    /// Returns a key for each algorithm that fits its key material.
    ///
    /// The real server finds a key by its id, and not by its `alg`.
    private static func forms(of key: JSONWebKey) -> [ExactString: VerificationKey] {
        var forms: [ExactString: VerificationKey] = [:]
        for algorithm in SignatureAlgorithm.allCases {
            var members = key.members
            members["alg"] = .string(algorithm.rawValue)
            forms[algorithm.rawValue.exact] = try? JSONWebKey(.object(members)).verificationKey()
        }
        return forms
    }

    /// The key with which a token is checked.
    enum Choice {
        case key(VerificationKey)
        /// The id belongs to a key that does not match this algorithm.
        case wrongType
        /// No key has the id, and the secret does not replace it.
        case unknown
    }

    /// Returns the key with a token's id, or else the secret, for HS256 (`internal/api/auth.go`, `parseJWTClaims`).
    ///
    /// - Parameters:
    ///   - id: `kid` if it is a text.
    func key(id: String?, algorithm: String) -> Choice {
        if let id {
            if let forms = named[id.exact] { return forms[algorithm.exact].map(Choice.key) ?? .wrongType }
            if id.exact == secretID.exact { return algorithm == secret.algorithm.rawValue ? .key(secret) : .wrongType }
        }
        return algorithm == secret.algorithm.rawValue ? .key(secret) : .unknown
    }
}
