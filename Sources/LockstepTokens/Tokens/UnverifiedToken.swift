public import LockstepPrimitives

/// A JSON Web Token with an unverified signature.
///
/// An attacker may have written the token.
///
/// ```swift
/// let token = try UnverifiedToken(text)
/// print(token.keyID ?? "no key", token.claims["iss"]?.string ?? "no issuer")
/// ```
public struct UnverifiedToken: Sendable, Hashable {
    /// The header.
    public let header: JSONObject
    /// The claims.
    public let claims: JSONObject
    /// The signature; empty if the token is not signed.
    public let signature: [UInt8]
    /// The signed text: header and claims, exactly as they were written.
    let signed: [UInt8]

    /// The maximum size of a token in bytes.
    public static let sizeLimit = 1 << 16

    /// Reads a token without checking its signature or its times.
    ///
    /// The token must have three parts in URL-safe base64 without padding. The header and the claims must be JSON
    /// objects without repeated names. The token must have at most ``sizeLimit`` bytes.
    ///
    /// - Parameter text: The token.
    /// - Throws: ``TokenError`` with `malformed` if the text does not have this format.
    public init(_ text: String) throws(TokenError) {
        let units = Array(text.utf8)
        guard units.count <= Self.sizeLimit else {
            throw TokenError(.malformed, "A token must have at most \(Self.sizeLimit) bytes.")
        }
        let parts = units.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw TokenError(.malformed, "A token must have three parts with dots between them, not \(parts.count).")
        }
        header = try Self.object(parts[0], "header")
        claims = try Self.object(parts[1], "claims")
        signature = try Self.bytes(parts[2], "signature")
        signed = Array(units[..<parts[1].endIndex])
    }

    /// The id of the key, from the header's member `kid`.
    public var keyID: String? { header["kid"]?.string }

    /// The member `alg` of the header, which an attacker can choose.
    public var algorithmName: String? { header["alg"]?.string }

    private static func bytes(_ part: ArraySlice<UInt8>, _ name: String) throws(TokenError) -> [UInt8] {
        guard !part.contains(UInt8(ascii: "=")), let bytes = Base64.decode(String(decoding: part, as: UTF8.self), .url) else {
            throw TokenError(.malformed, "The \(name) of the token is not base64url.")
        }
        return bytes
    }

    private static func object(_ part: ArraySlice<UInt8>, _ name: String) throws(TokenError) -> JSONObject {
        let rules = JSON.ReadingRules(depthLimit: 64, repeatedNames: .refused)
        guard case .object(let object)? = try? JSON.parse(bytes(part, name), rules: rules) else {
            throw TokenError(.malformed, "The \(name) of the token is not a JSON object in base64url.")
        }
        return object
    }
}
