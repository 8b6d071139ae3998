/// JSON Web Tokens in compact form, read without checking anything.
///
/// Claims read this way may be shown and may guide a client; only claims that a server has verified may be relied on.
public enum CompactToken {
    /// The claims as they stand in the token; `nil` where it is not of the form `header.claims.signature`.
    public static func unverifiedClaims(of token: String) -> JSONObject? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decode(parts[1], .url) else { return nil }
        return (try? JSON.parse(bytes, rules: .answer))?.object
    }
}
