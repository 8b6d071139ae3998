internal import LockstepEmulation
internal import LockstepPrimitives

/// Accounts: the user's own account, or any account for administrators.
struct UserRoutes {
    let context: RequestContext

    static let lookupBody: BodySchema = [
        "delegatedProjectNumber": .text, "email": .list(.text), "federatedUserId": .list(.federatedUserID), "idToken": .text,
        "initialEmail": .list(.text), "localId": .list(.text), "phoneNumber": .list(.text), "targetProjectId": .text,
        "tenantId": .text,
    ]

    /// `accounts:lookup`: returns a user by ID token; for administrators, any users by id, address, number or identity.
    func lookup() throws -> JSON {
        let users = try context.isAdministrator ? find() : [own()]
        var response: JSONObject = ["kind": "identitytoolkit#GetAccountInfoResponse"]
        if !users.isEmpty { response["users"] = .array(users.map { $0.json(context.view) }) }
        return .object(response)
    }

    private func own() throws -> User {
        try context.tokens.requireHolder().user
    }

    private func find() throws -> [User] {
        let body = context.body
        if body.has("initialEmail"), !context.isStrict {
            throw APIError.notImplemented("Lookup by initialEmail is not implemented.")
        }
        var found: [User] = []
        func add(_ user: User?) {
            if let user, !found.contains(where: { $0.localID.exact == user.localID.exact }) { found.append(user) }
        }
        for localID in body.texts("localId") { add(try context.users.find(localID)) }
        for email in body.texts("email") { add(try context.users.find(email: Formats.canonical(email))) }
        for number in body.texts("phoneNumber") { add(try context.users.find(phoneNumber: number)) }
        for identity in body.bodies("federatedUserId") {
            guard let provider = identity.given("providerId"), let rawID = identity.given("rawId") else { continue }
            add(try context.users.find(provider: provider, rawID: rawID))
        }
        for email in body.texts("initialEmail") {
            add(try context.users.find(initialEmail: Formats.canonical(email)))
        }
        return found
    }

    static let updateBody: BodySchema = [
        "captchaChallenge": .text, "captchaResponse": .text, "createdAt": .text, "customAttributes": .text,
        "delegatedProjectNumber": .text,
        "deleteAttribute": .list(
            .choice([
                "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD", "RAW_USER_INFO",
            ])),
        "deleteProvider": .list(.text), "disableUser": .flag, "displayName": .text, "email": .text, "emailVerified": .flag,
        "idToken": .text, "instanceId": .text, "lastLoginAt": .text, "linkProviderUserInfo": .identity, "localId": .text,
        "mfa": .members(["enrollments": .list(.factor)]), "oobCode": .text, "password": .text, "phoneNumber": .text,
        "photoUrl": .text, "provider": .list(.text), "returnSecureToken": .flag, "targetProjectId": .text, "tenantId": .text,
        "upgradeToFederatedLogin": .flag, "validSince": .text, "deletePasskey": .list(.text),
    ]

    /// `accounts:update`: applies an emailed code, or changes the caller's account; for administrators, any account.
    func update() throws -> JSON {
        let body = context.body
        for name in ["provider", "upgradeToFederatedLogin"] where body.has(name) {
            throw APIError.notImplemented("\(name) is not implemented yet.")
        }
        if context.isAdministrator {
            try context.require(body.given("localId") != nil, .missingLocalID)
        } else {
            try context.require(
                body.given("idToken") != nil || body.given("oobCode") != nil, .invalidRequestType,
                "Unsupported request parameters.")
            try context.require(!body.has("customAttributes"), .insufficientPermission)
        }
        if let claims = body.given("customAttributes") { try CustomClaims.check(text: claims) }
        for attribute in body.texts("deleteAttribute") where ["PROVIDER", "RAW_USER_INFO"].contains(attribute) {
            throw APIError.notImplemented("deleteAttribute: \(attribute)")
        }
        if let code = body.given("oobCode") { return try context.actionCodes.apply(code) }
        let password = try body.given("password").map { password in
            // Rejects before the slow hash.
            _ = try AccountChange(context, hashed: nil)
            return try context.passwords.hash(password)
        }
        var change = try AccountChange(context, hashed: password)
        try context.users.update(change.user)
        if let initialEmail = change.emailToWarn {
            try context.actionCodes.send(.recoverEmail, to: initialEmail)
        }
        var tokens: JSONObject = [:]
        if let grant = change.grant, change.endsTokens {
            tokens = try context.tokens.issue(to: &change.user, grant)
            try context.users.touch(change.user)
        }
        return .object(context.accountInfo(change.user, newEmail: change.newEmail).adding(tokens))
    }

    static let deleteBody: BodySchema = [
        "delegatedProjectNumber": .text, "idToken": .text, "localId": .text, "targetProjectId": .text, "tenantId": .text,
    ]

    /// `accounts:delete`: deletes the user's own account; for administrators, any account.
    func delete() throws -> JSON {
        let user: User
        if context.isAdministrator {
            let localID = try context.require(context.body.given("localId"), .missingLocalID)
            user = try context.require(try context.users.find(localID), .userNotFound)
        } else {
            let holder = try context.tokens.requireHolder()
            try context.tokens.requireRecentSignIn(holder)
            user = holder.user
        }
        try context.users.remove(user)
        return ["kind": "identitytoolkit#DeleteAccountResponse"]
    }
}
