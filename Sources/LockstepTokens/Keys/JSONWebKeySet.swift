public import LockstepPrimitives

/// The keys that an issuer publishes (RFC 7517, section 5).
public struct JSONWebKeySet: Sendable, Hashable {
    /// The keys in the order of the set.
    public let keys: [JSONWebKey]

    /// A set of keys.
    public init(_ keys: [JSONWebKey]) {
        self.keys = keys
    }

    /// What an issuer publishes for its signing keys: no shared secret is among them.
    public init(publishing keys: [SigningKey]) {
        self.keys = keys.compactMap { key in try? JSONWebKey(key.verificationKey) }
    }

    /// Reads a set; elements that are no keys are passed over, as the RFC wants it.
    ///
    /// - Throws: ``TokenError`` with `invalidKey` where there is no list `keys`.
    public init(_ json: JSON) throws(TokenError) {
        guard let elements = json["keys"]?.array else {
            throw TokenError(.invalidKey, "A JSON Web Key Set is an object with a list keys.")
        }
        keys = elements.compactMap { element in try? JSONWebKey(element) }
    }

    /// Reads a set from the bytes of an answer.
    ///
    /// - Throws: ``TokenError`` with `invalidKey` where they are no JSON, or no set.
    public init(_ bytes: [UInt8]) throws(TokenError) {
        guard let json = try? JSON.parse(bytes, rules: .answer) else {
            throw TokenError(.invalidKey, "A JSON Web Key Set is JSON; this is not.")
        }
        try self.init(json)
    }

    /// The set as JSON.
    public var json: JSON { ["keys": .array(keys.map { .object($0.members) })] }

    /// The keys that verify; those of unknown kinds, and those meant for something else, are passed over.
    public var verificationKeys: [VerificationKey] { keys.compactMap { key in try? key.verificationKey() } }
}
