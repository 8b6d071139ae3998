internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:update`: applies a mailed code, or changes the caller's account; for administrators any account.
struct UpdateAccount: Endpoint {
    let shape = Shape.update

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        for name in ["provider", "upgradeToFederatedLogin"] where body.has(name) {
            throw APIError.notImplemented("\(name) is not implemented yet.")
        }
        if request.isAdministrators {
            try request.require(body.given("localId") != nil, .missingLocalID)
        } else {
            try request.require(
                body.given("idToken") != nil || body.given("oobCode") != nil, .invalidRequestType,
                "Unsupported request parameters.")
            try request.require(!body.has("customAttributes"), .insufficientPermission)
        }
        if let claims = body.given("customAttributes") { try CustomClaims.check(text: claims) }
        for attribute in body.texts("deleteAttribute") where ["PROVIDER", "RAW_USER_INFO"].contains(attribute) {
            throw APIError.notImplemented("deleteAttribute: \(attribute)")
        }
        if let code = body.given("oobCode") { return try request.actionCodes.apply(code) }
        let password = try body.given("password").map { password in
            // Refuses before the slow hash.
            _ = try AccountChange(request, hashed: nil)
            return try request.passwords.hash(password)
        }
        var change = try AccountChange(request, hashed: password)
        try request.db.update(change.user, in: request.scope)
        if let initialEmail = change.emailToWarn {
            try request.actionCodes.send(.recoverEmail, to: initialEmail)
        }
        var tokens: JSONObject = [:]
        if let grant = change.grant, change.endsTokens {
            tokens = try request.tokens.issue(to: &change.user, grant)
            try request.db.touch(change.user, in: request.scope)
        }
        return .object(request.accountInfo(change.user, newEmail: change.newEmail).adding(tokens))
    }
}

extension AuthorizedRequest {
    /// The answer of `accounts:update`.
    func accountInfo(_ user: User, newEmail: String?) -> JSONObject {
        var response: JSONObject = ["kind": "identitytoolkit#SetAccountInfoResponse", "localId": .string(user.localID)]
        response["emailVerified"] = user.emailVerified.map(JSON.bool)
        response["providerUserInfo"] = user.identities.map { .array($0.map(\.json)) }
        response["email"] = user.email.map(JSON.string)
        response["displayName"] = user.displayName.map(JSON.string)
        response["photoUrl"] = user.photoURL.map(JSON.string)
        response["newEmail"] = newEmail.map(JSON.string)
        response["passwordHash"] = user.password.map { .string(view == .own ? User.redactedHash : $0.hash) }
        return response
    }
}

/// The claims that a project adds to its users' tokens.
enum CustomClaims {
    /// Names that belong to tokens themselves.
    static let reserved = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase", "at_hash",
        "c_hash",
    ]

    /// Refuses values that are not objects, and reserved names.
    static func check(_ claims: JSON) throws(APIError) {
        guard let members = claims.object else { throw .refused(.invalidClaims) }
        if let name = reserved.first(where: { members[$0] != nil }) { throw .refused(.forbiddenClaim, name) }
    }

    /// Refuses serialized claims that are too long, malformed JSON, or invalid.
    static func check(text: String) throws(APIError) {
        guard text.utf16.count <= 1000 else { throw .refused(.claimsTooLarge) }
        guard let claims = try? JSON.parse(text) else { throw .refused(.invalidClaims) }
        try check(claims)
    }
}

/// `accounts:delete`: the user's own account; for administrators any.
struct DeleteAccount: Endpoint {
    let shape = Shape.deleteAccount

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        let user: User
        if request.isAdministrators {
            let localID = try request.require(request.body.given("localId"), .missingLocalID)
            user = try request.require(try request.db.user(localID, in: request.scope), .userNotFound)
        } else {
            let token = try request.require(request.body.given("idToken"), .missingIDToken)
            let holder = try request.tokens.holder(of: token)
            try request.tokens.requireRecentSignIn(holder)
            user = holder.user
        }
        try request.delete(user)
        return ["kind": "identitytoolkit#DeleteAccountResponse"]
    }
}
