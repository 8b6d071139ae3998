internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:lookup`: a user by ID token; for administrators any users by id, address, number or identity.
struct Lookup: Endpoint {
    let shape = Shape.lookup
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        let users = try request.isAdministrators ? find(request) : [own(request)]
        var response: JSONObject = ["kind": "identitytoolkit#GetAccountInfoResponse"]
        if !users.isEmpty { response["users"] = .array(users.map { $0.json(request.view) }) }
        return .object(response)
    }

    private func own(_ request: AuthorizedRequest) throws -> User {
        let token = try request.require(request.body.given("idToken"), .missingIDToken)
        return try request.tokens.holder(of: token).user
    }

    private func find(_ request: AuthorizedRequest) throws -> [User] {
        let body = request.body
        if body.has("initialEmail"), request.settings.mode == .emulator {
            throw APIError.notImplemented("Lookup by initialEmail is not implemented.")
        }
        var found: [User] = []
        func add(_ user: User?) {
            if let user, !found.contains(where: { $0.localID == user.localID }) { found.append(user) }
        }
        for localID in body.texts("localId") { add(try request.db.user(localID, in: request.scope)) }
        for email in body.texts("email") { add(try request.db.user(email: Formats.canonical(email), in: request.scope)) }
        for number in body.texts("phoneNumber") { add(try request.db.user(phoneNumber: number, in: request.scope)) }
        for identity in body.messages("federatedUserId") {
            guard let provider = identity.given("providerId"), let rawID = identity.given("rawId") else { continue }
            add(try request.db.user(provider: provider, rawID: rawID, in: request.scope))
        }
        for email in body.texts("initialEmail") {
            add(try request.db.user(initialEmail: Formats.canonical(email), in: request.scope))
        }
        return found
    }
}

extension User {
    /// The visible parts of a user.
    enum View {
        /// Everything: to administrators, and by Firebase's emulator to every caller.
        case whole
        /// As production shows users to themselves: `passwordHash` says only that there is a password.
        case own
        /// Everything, and the secrets of time-based factors: to administrators of emulator mode who read all users.
        case seed
        /// Everything, and `version`, without which `firebase auth:export` drops the hashes.
        case export
    }

    /// Production's replacement for a hash: `REDACTED` in base 64.
    static let redactedHash = "UkVEQUNURUQ="

    /// The user as `UserInfo`.
    func json(_ view: View) -> JSON {
        var members: JSONObject = ["localId": .string(localID)]
        func put(_ name: String, _ text: String?) { members[name] = text.map(JSON.string) }
        put("email", email)
        members["emailVerified"] = emailVerified.map(JSON.bool)
        put("displayName", displayName)
        put("photoUrl", photoURL)
        if let password {
            put("passwordHash", view == .own ? Self.redactedHash : password.hash)
            if view != .own { put("salt", password.salt) }
            if view == .export, password.scheme == nil { members["version"] = 0 }
        }
        members["passwordUpdatedAt"] = passwordUpdatedAt.map { .int($0.milliseconds) }
        members["providerUserInfo"] = identities.map { .array($0.map(\.json)) }
        put("validSince", validSince.map { String($0) })
        members["disabled"] = isDisabled.map(JSON.bool)
        put("lastLoginAt", lastLoginAt.map { String($0) })
        put("createdAt", createdAt.map { String($0) })
        put("lastRefreshAt", lastRefreshAt?.rfc3339)
        if isCustomAuth { members["customAuth"] = true }
        put("customAttributes", customAttributes)
        put("phoneNumber", phoneNumber)
        members["emailLinkSignin"] = signsInByLink.map(JSON.bool)
        put("initialEmail", initialEmail)
        put("tenantId", tenantID)
        put("screenName", screenName)
        members["mfaInfo"] = factors.map { .array($0.map(view == .seed ? \.jsonWithSecret : \.json)) }
        members["passkeyInfo"] = passkeys.map { .array($0.map(\.json)) }
        return .object(members)
    }
}
