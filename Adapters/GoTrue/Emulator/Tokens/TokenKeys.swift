internal import LockstepPrimitives
internal import LockstepTokens

/// The keys that sign and verify access tokens.
struct TokenKeys: Sendable {
    let signing: SigningKey
    /// The published keys; shared secrets never are.
    let published: JSON
    private let checking: [VerificationKey]

    init(_ settings: TokenSettings) throws {
        guard let text = settings.keys?.reveal() else {
            signing = .secret(settings.secret, id: settings.keyID)
            checking = [signing.verificationKey]
            published = ["keys": []]
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
        checking = try keys.map { try $0.verificationKey() }
        published = [
            "keys": .array(
                try checking.compactMap { key in
                    guard !key.algorithm.rawValue.hasPrefix("HS") else { return nil }
                    var members = try JSONWebKey(key).members
                    members["key_ops"] = ["verify"]
                    return .object(members)
                })
        ]
    }

    /// The algorithms that a token may name.
    var algorithms: Set<String> { Set(checking.map(\.algorithm.rawValue)) }

    /// The key for a token: by its id where one has it, else the shared secret.
    func key(id: String?, algorithm: String) -> VerificationKey? {
        if let id, let key = checking.first(where: { $0.id == id && $0.algorithm.rawValue == algorithm }) { return key }
        guard algorithm == "HS256" else { return nil }
        return checking.first { $0.algorithm.rawValue == algorithm }
    }
}
