internal import LockstepPrimitives

extension RequestContext {
    /// The response of `accounts:update`.
    func accountInfo(_ user: User, newEmail: String?) -> JSONObject {
        JSONObject(given: [
            "kind": "identitytoolkit#SetAccountInfoResponse", "localId": user.localID, "emailVerified": user.emailVerified,
            "providerUserInfo": JSON.list(user.identities), "email": user.email, "displayName": user.displayName,
            "photoUrl": user.photoURL,
            "newEmail": newEmail, "passwordHash": user.shownHash(view),
        ])
    }
}

/// The claims that a project adds to its users' tokens.
enum CustomClaims {
    /// Names that are reserved for the tokens themselves.
    static let reserved = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase", "at_hash",
        "c_hash",
    ]

    /// Rejects values that are not objects, and reserved names.
    static func check(_ claims: JSON) throws(APIError) {
        guard let members = claims.object else { throw .refused(.invalidClaims) }
        if let name = reserved.first(where: { members[$0] != nil }) { throw .refused(.forbiddenClaim, name) }
    }

    /// Rejects serialized claims that are too long, malformed JSON, or invalid.
    static func check(text: String) throws(APIError) {
        guard text.utf16.count <= 1000 else { throw .refused(.claimsTooLarge) }
        guard let claims = try? JSON.parse(text) else { throw .refused(.invalidClaims) }
        try check(claims)
    }
}
