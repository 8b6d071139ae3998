internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:update`: applies a mailed code, or changes the caller's account; for administrators any account.
struct UpdateAccount: Operation {
    let shape = Shape.update
    let effort = Effort.hashing

    func effort(of call: Call) -> Effort { call.body.given("password") == nil ? .tokens : .hashing }

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        for name in ["provider", "upgradeToFederatedLogin"] where body.has(name) {
            throw APIError.notImplemented("\(name) is not implemented yet.")
        }
        if call.isAdministrators {
            try call.require(body.given("localId") != nil, .missingLocalID)
        } else {
            try call.require(
                body.given("idToken") != nil || body.given("oobCode") != nil, .invalidRequestType,
                "Unsupported request parameters.")
            try call.require(!body.has("customAttributes"), .insufficientPermission)
        }
        if let claims = body.given("customAttributes") { try CustomClaims.check(text: claims) }
        for attribute in body.texts("deleteAttribute") where ["PROVIDER", "RAW_USER_INFO"].contains(attribute) {
            throw APIError.notImplemented("deleteAttribute: \(attribute)")
        }
        if let code = body.given("oobCode") { return try call.apply(code: code) }
        // Runs twice: first to refuse before the slow hash, then to write.
        _ = try call.reading { db in try AccountChange(call, hashed: nil, &db) }
        let password = try body.given("password").map(call.hashed)
        return try call.transaction { db in
            var change = try AccountChange(call, hashed: password, &db)
            try db.update(change.user, in: call.space)
            if let initialEmail = change.emailToWarn {
                try call.sendCode(.recoverEmail, to: initialEmail, &db)
            }
            var tokens: JSONObject = [:]
            if let grant = change.grant, change.endsTokens {
                tokens = try call.issue(to: &change.user, grant, &db)
                try db.touch(change.user, in: call.space)
            }
            return .object(call.accountInfo(change.user, newEmail: change.newEmail).adding(tokens))
        }
    }
}

extension Call {
    /// The answer of `accounts:update`.
    func accountInfo(_ user: User, newEmail: String?) -> JSONObject {
        var answer: JSONObject = ["kind": "identitytoolkit#SetAccountInfoResponse", "localId": .string(user.localID)]
        answer["emailVerified"] = user.emailVerified.map(JSON.bool)
        answer["providerUserInfo"] = user.identities.map { .array($0.map(\.json)) }
        answer["email"] = user.email.map(JSON.string)
        answer["displayName"] = user.displayName.map(JSON.string)
        answer["photoUrl"] = user.photoURL.map(JSON.string)
        answer["newEmail"] = newEmail.map(JSON.string)
        answer["passwordHash"] = user.password.map { .string(view == .own ? User.redactedHash : $0.hash) }
        return answer
    }
}
