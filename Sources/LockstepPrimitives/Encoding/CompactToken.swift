/// Reads JSON Web Tokens in compact form without verifying them.
///
/// A client may show such claims, or use them as hints. Only a server that has verified a token may rely on its claims.
///
/// ```swift
/// let token = try await client.accessToken()
/// print(CompactToken.unverifiedClaims(of: token.reveal())?["sub"]?.string ?? "no subject")
/// ```
public enum CompactToken {
    /// Returns the claims of a token without verifying it.
    ///
    /// - Parameter token: The token.
    /// - Returns: The claims; `nil` if the token does not have the form `header.claims.signature`.
    public static func unverifiedClaims(of token: String) -> JSONObject? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decode(parts[1], .url) else { return nil }
        return (try? JSON.parse(bytes, rules: .answer))?.object
    }
}
