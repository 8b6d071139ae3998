public import LockstepPrimitives

/// A verifier of tokens that were signed with known keys.
///
/// ```swift
/// let key = SigningKey.secret("at least thirty-two bytes of secret text")
/// let rules = TokenRules(issuers: ["https://orders.example"], audiences: ["orders"])
/// let verifier = TokenVerifier(keys: [key.verificationKey], rules: rules)
/// let token = try verifier.verify(text, at: SystemClock().now)
/// print(token.subject ?? "no subject")
/// ```
public struct TokenVerifier: Sendable {
    /// The keys that the verifier trusts.
    public let keys: [VerificationKey]
    /// The rules for the claims of a token.
    public let rules: TokenRules

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - keys: The keys that the verifier trusts.
    ///   - rules: The rules for the claims of a token.
    public init(keys: [VerificationKey], rules: TokenRules) {
        self.keys = keys
        self.rules = rules
    }

    /// Verifies the signature and the claims of a token.
    ///
    /// The key determines the algorithm, and the token must name the same algorithm. So the verifier rejects the
    /// algorithm `none`. It also rejects a token that was signed with the public key as a shared secret. The verifier
    /// also rejects a header with `crit` (RFC 7515, 4.1.11), because this module supports no extensions.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - now: The current time.
    /// - Returns: The verified token.
    /// - Throws: ``TokenError``: `malformed`, `unknownKey`, `algorithmRefused` or `wrongSignature`, and then the errors
    ///   of ``TokenRules/check(_:at:)``.
    public func verify(_ text: String, at now: Instant) throws(TokenError) -> VerifiedToken {
        let token = try Self.verifySignature(of: text, keys: keys)
        try rules.check(token.claims, at: now)
        return token
    }

    /// Verifies only the signature of a token, not its issuer, audience or times.
    ///
    /// Use it if you check the claims yourself.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - keys: The keys that the verifier trusts.
    /// - Returns: The token.
    /// - Throws: ``TokenError``: `malformed`, `unknownKey`, `algorithmRefused` or `wrongSignature`.
    public static func verifySignature(of text: String, keys: [VerificationKey]) throws(TokenError) -> VerifiedToken {
        let token = try UnverifiedToken(text)
        let candidates = try candidates(for: token, of: keys)
        guard candidates.contains(where: { $0.isValid(token.signature, for: token.signed) }) else {
            throw TokenError(.wrongSignature, "The signature of the token does not match the key.")
        }
        return VerifiedToken(token)
    }

    /// Returns the keys that may have signed a token: the keys with the token's key id, or all keys if the token has none.
    ///
    /// Keys without an id are always included.
    private static func candidates(for token: UnverifiedToken, of keys: [VerificationKey]) throws(TokenError) -> [VerificationKey]
    {
        let algorithm = try algorithm(of: token)
        let named = token.keyID.map { id in keys.filter { $0.id == nil || $0.id?.exact == id.exact } } ?? keys
        guard !named.isEmpty else { throw TokenError(.unknownKey, "No key has the key id (kid) of the token.") }
        let matching = named.filter { $0.algorithm == algorithm }
        guard !matching.isEmpty else {
            throw TokenError(
                .algorithmRefused, "The token's algorithm is \(algorithm.rawValue), but its key is for a different algorithm.")
        }
        return matching
    }

    /// Checks a header, and returns the algorithm that it names.
    ///
    /// - Throws: ``TokenError``: `malformed` or `algorithmRefused`. No key can verify such a token.
    @discardableResult
    static func algorithm(of token: UnverifiedToken) throws(TokenError) -> SignatureAlgorithm {
        guard token.header["crit"] == nil else {
            throw TokenError(.algorithmRefused, "The header of the token requires an unsupported extension (crit).")
        }
        if let id = token.header["kid"], id.string == nil {
            throw TokenError(.malformed, "The member kid of the token is not a string.")
        }
        guard let name = token.algorithmName, name != "none" else {
            throw TokenError(
                .algorithmRefused,
                "The token is not signed. Firebase's emulator creates unsigned tokens, unless it runs with --mode strict.")
        }
        guard let algorithm = SignatureAlgorithm(rawValue: name) else {
            throw TokenError(.algorithmRefused, "The token is signed with an unsupported algorithm.")
        }
        return algorithm
    }
}
