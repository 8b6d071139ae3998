public import LockstepPrimitives

/// A JSON Web Key Set, which contains an issuer's published keys (RFC 7517, section 5).
///
/// ```swift
/// let set = JSONWebKeySet(publishing: [try SigningKey.makeP256(id: "2026-01")])
/// print(set.json.text(.indented))
/// ```
public struct JSONWebKeySet: Sendable, Hashable {
    /// The keys in the order of the set.
    public let keys: [JSONWebKey]

    /// Creates a set of keys.
    ///
    /// - Parameter keys: The keys, in order.
    public init(_ keys: [JSONWebKey]) {
        self.keys = keys
    }

    /// Creates the set that an issuer publishes for its signing keys.
    ///
    /// The set does not contain shared secrets.
    ///
    /// - Parameter keys: The signing keys.
    public init(publishing keys: [SigningKey]) {
        self.keys = keys.compactMap { key in try? JSONWebKey(key.verificationKey) }
    }

    /// Creates a set from its JSON.
    ///
    /// Elements that are not keys are ignored, as the RFC requires.
    ///
    /// - Parameter json: The set.
    /// - Throws: ``TokenError`` with `invalidKey` if the JSON has no array `keys`.
    public init(_ json: JSON) throws(TokenError) {
        guard let elements = json["keys"]?.array else {
            throw TokenError(.invalidKey, "A JSON Web Key Set must be an object with a list in the member keys.")
        }
        keys = elements.compactMap { element in try? JSONWebKey(element) }
    }

    /// Creates a set from the body of a response.
    ///
    /// - Parameter bytes: The body.
    /// - Throws: ``TokenError`` with `invalidKey` if the bytes are not JSON or not a key set.
    public init(_ bytes: [UInt8]) throws(TokenError) {
        guard let json = try? JSON.parse(bytes, rules: .answer) else {
            throw TokenError(.invalidKey, "A JSON Web Key Set must be JSON.")
        }
        try self.init(json)
    }

    /// The set as JSON.
    public var json: JSON { ["keys": .array(keys.map { .object($0.members) })] }

    /// The keys for verification.
    ///
    /// The list omits keys of unknown types and keys for other purposes.
    public var verificationKeys: [VerificationKey] { keys.compactMap { key in try? key.verificationKey() } }
}
