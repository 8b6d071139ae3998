public import LockstepPrimitives

/// A JSON Web Key (RFC 7517), with exactly the members that were read.
///
/// The key may contain a private key, so its description contains only its id and its type.
///
/// ```swift
/// let key = try JSONWebKey(private: SigningKey.makeP256(id: "2026-01"))
/// print(key.id ?? "", key.type)  // 2026-01 EC
/// ```
public struct JSONWebKey: Sendable, Hashable {
    /// The members, including unknown ones.
    public let members: JSONObject

    /// Creates a key from its members.
    ///
    /// - Parameter json: The members.
    /// - Throws: ``TokenError`` with `invalidKey` if the value is not an object with a `kty`.
    public init(_ json: JSON) throws(TokenError) {
        guard let members = json.object, members["kty"]?.string != nil else {
            throw TokenError(.invalidKey, "A JSON Web Key must be an object with the member kty.")
        }
        self.members = members
    }

    init(members: JSONObject) {
        self.members = members
    }

    /// The key as JSON.
    public var json: JSON { .object(members) }

    /// The id of the key, from the member `kid`.
    public var id: String? { members["kid"]?.string }

    /// The type of the key, from the member `kty`.
    ///
    /// The type is `RSA`, `EC`, `OKP`, `oct`, or a type that this module does not support.
    public var type: String { members["kty"]?.string ?? "" }

    /// Whether the key contains a private key or a shared secret.
    public var isPrivate: Bool { members["d"] != nil || members["k"] != nil }

    /// Returns whether `use` and `key_ops` allow an operation.
    ///
    /// If both are missing, every operation is allowed.
    func allows(_ operation: String) -> Bool {
        if let use = members["use"], use != "sig" { return false }
        guard let operations = members["key_ops"]?.array else { return true }
        return operations.contains(.string(operation))
    }

    /// Returns the algorithm in `alg`, or the algorithm of the key's type if `alg` is missing.
    ///
    /// - Throws: ``TokenError`` with `invalidKey` if `alg` and the type do not match, or if one of them is unknown.
    func algorithm() throws(TokenError) -> SignatureAlgorithm {
        let curve = members["crv"]?.string
        let natural: SignatureAlgorithm? =
            switch (type, curve) {
            case ("oct", _): .hs256
            case ("RSA", _): .rs256
            case ("EC", "P-256"): .es256
            case ("OKP", "Ed25519"): .edDSA
            default: nil
            }
        guard let natural else {
            throw TokenError(.invalidKey, "Keys of type \(type) on curve \(curve ?? "none") are not supported.")
        }
        guard let name = members["alg"] else { return natural }
        guard let algorithm = name.string.flatMap(SignatureAlgorithm.init), algorithm.keyType == type else {
            throw TokenError(.invalidKey, "The algorithm in the member alg does not match the key type \(type).")
        }
        return algorithm
    }

    /// Returns the decoded bytes of a member in URL-safe base64.
    ///
    /// - Throws: ``TokenError`` with `invalidKey` if the member is missing or invalid.
    func bytes(_ name: String) throws(TokenError) -> [UInt8] {
        guard let bytes = members[name]?.string.flatMap({ Base64.decode($0, .url) }), !bytes.isEmpty else {
            throw TokenError(.invalidKey, "The member \(name) of a key of type \(type) is missing, or is not base64url.")
        }
        return bytes
    }
}

extension JSONWebKey: CustomStringConvertible, CustomReflectable {
    /// The id and the type of the key, never the key itself.
    public var description: String { "JSONWebKey(\(type), id: \(id ?? "none"))" }

    /// A mirror without the key.
    public var customMirror: Mirror { Mirror(self, children: ["id": id as Any, "type": type], displayStyle: .struct) }
}
