internal import LockstepPrimitives

/// The claims that a project adds to its users' tokens.
enum CustomClaims {
    /// Names that belong to tokens themselves.
    static let reserved = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase", "at_hash",
        "c_hash",
    ]

    /// Refuses what is no object, and reserved names.
    static func check(_ claims: JSON) throws(APIError) {
        guard let members = claims.object else { throw .refused(.invalidClaims) }
        if let name = reserved.first(where: { members[$0] != nil }) { throw .refused(.forbiddenClaim, name) }
    }

    /// Refuses claims written out that are too long, no JSON, or no claims.
    static func check(text: String) throws(APIError) {
        guard text.utf16.count <= 1000 else { throw .refused(.claimsTooLarge) }
        guard let claims = try? JSON.parse(text) else { throw .refused(.invalidClaims) }
        try check(claims)
    }
}
