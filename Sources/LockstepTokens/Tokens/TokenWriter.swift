public import LockstepPrimitives

/// A writer of JSON Web Tokens.
///
/// ```swift
/// let key = SigningKey.secret("at least thirty-two bytes of secret text")
/// let token = try TokenWriter.sign(["iss": "https://orders.example", "sub": "user-1"], with: key)
/// ```
public enum TokenWriter {
    /// Signs a token.
    ///
    /// - Parameters:
    ///   - claims: The claims, which are written in this order.
    ///   - key: The key that signs the token. The key determines `alg` and `kid` in the header.
    ///   - header: The members of the header, in order. If the header contains `alg` or `kid`, the key's values replace
    ///     them; otherwise, the key's values are appended. If the key has no id, `kid` is removed.
    ///   - style: The JSON format of header and claims. For example, Go's encoder escapes HTML.
    /// - Returns: The token.
    /// - Throws: ``TokenError`` with `invalidKey` if libcrypto fails.
    public static func sign(
        _ claims: JSONObject, with key: SigningKey, header: JSONObject = standardHeader, style: JSON.Style = .compact
    ) throws(TokenError) -> String {
        var header = header
        header["alg"] = .string(key.algorithm.rawValue)
        header["kid"] = key.id.map(JSON.string)
        let signed = part(header, style) + "." + part(claims, style)
        return signed + "." + Base64.encode(try key.sign(Array(signed.utf8)), .url)
    }

    /// Writes a token without a signature, like the ID tokens of Firebase's own emulator.
    ///
    /// The `alg` is `none`, and the signature is empty. Anyone can write such a token, so its claims must not be
    /// trusted.
    ///
    /// - Parameters:
    ///   - claims: The claims, which are written in this order.
    ///   - header: The members of the header, in order.
    ///   - style: The JSON format of header and claims.
    /// - Returns: The token.
    public static func unsigned(_ claims: JSONObject, header: JSONObject = standardHeader, style: JSON.Style = .compact) -> String
    {
        var header = header
        header["alg"] = "none"
        header["kid"] = nil
        return part(header, style) + "." + part(claims, style) + "."
    }

    /// The default header, with the members `alg` and `typ`; a `kid` is appended.
    public static let standardHeader: JSONObject = ["alg": "", "typ": "JWT"]

    private static func part(_ object: JSONObject, _ style: JSON.Style) -> String {
        Base64.encode(JSON.object(object).bytes(style), .url)
    }
}
