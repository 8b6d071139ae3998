public import LockstepPrimitives

/// The keys that an issuer publishes (RFC 7517, section 5).
public struct JSONWebKeySet: Sendable, Hashable {
    /// The keys in the order of the set.
    public let keys: [JSONWebKey]

    /// Creates a set of keys.
    ///
    /// - Parameter keys: The keys, in order.
    public init(_ keys: [JSONWebKey]) {
        self.keys = keys
    }

    /// Creates the set that an issuer publishes for its signing keys, without shared secrets.
    ///
    /// - Parameter keys: The signing keys.
    public init(publishing keys: [SigningKey]) {
        self.keys = keys.compactMap { key in try? JSONWebKey(key.verificationKey) }
    }

    /// Reads a set.
    ///
    /// Elements that are not keys are ignored, as the RFC requires.
    ///
    /// - Parameter json: The set.
    /// - Throws: ``TokenError`` with `invalidKey` if there is no array `keys`.
    public init(_ json: JSON) throws(TokenError) {
        guard let elements = json["keys"]?.array else {
            throw TokenError(.invalidKey, "A JSON Web Key Set is an object with a list keys.")
        }
        keys = elements.compactMap { element in try? JSONWebKey(element) }
    }

    /// Reads a set from the body of a response.
    ///
    /// - Parameter bytes: The body.
    /// - Throws: ``TokenError`` with `invalidKey` if the bytes are not JSON or not a key set.
    public init(_ bytes: [UInt8]) throws(TokenError) {
        guard let json = try? JSON.parse(bytes, rules: .answer) else {
            throw TokenError(.invalidKey, "A JSON Web Key Set is JSON; this is not.")
        }
        try self.init(json)
    }

    /// The set as JSON.
    public var json: JSON { ["keys": .array(keys.map { .object($0.members) })] }

    /// The keys for verification.
    ///
    /// Keys of unknown types and keys for other purposes are left out.
    public var verificationKeys: [VerificationKey] { keys.compactMap { key in try? key.verificationKey() } }
}
