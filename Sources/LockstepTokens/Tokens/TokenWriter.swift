public import LockstepPrimitives

/// Writes JSON Web Tokens.
public enum TokenWriter {
    /// A signed token.
    ///
    /// - Parameters:
    ///   - claims: The claims, written in the order given.
    ///   - key: What signs it; `alg` and `kid` of the header are this key's.
    ///   - header: The header's members in their order. `alg` and `kid` are set where they stand, or put at the end; a `kid` goes
    ///     away where the key has no id.
    ///   - style: How header and claims are written: Go's encoder escapes for HTML.
    /// - Throws: ``TokenError`` with `invalidKey`.
    public static func sign(
        _ claims: JSONObject, with key: SigningKey, header: JSONObject = standardHeader, style: JSON.Style = .compact
    ) throws(TokenError) -> String {
        var header = header
        header["alg"] = .string(key.algorithm.rawValue)
        header["kid"] = key.id.map(JSON.string)
        let signed = part(header, style) + "." + part(claims, style)
        return signed + "." + Base64.encode(try key.sign(Array(signed.utf8)), .url)
    }

    /// A token that proves nothing: `alg` is `none` and the signature is empty, as Firebase's own emulator writes its ID tokens.
    public static func unsigned(_ claims: JSONObject, header: JSONObject = standardHeader, style: JSON.Style = .compact) -> String
    {
        var header = header
        header["alg"] = "none"
        header["kid"] = nil
        return part(header, style) + "." + part(claims, style) + "."
    }

    /// `alg` first, then `typ`; `kid` comes last.
    public static let standardHeader: JSONObject = ["alg": "", "typ": "JWT"]

    private static func part(_ object: JSONObject, _ style: JSON.Style) -> String {
        Base64.encode(JSON.object(object).bytes(style), .url)
    }
}
