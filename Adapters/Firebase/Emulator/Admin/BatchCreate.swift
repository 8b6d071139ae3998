internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:batchCreate`: imports users with the hashes of their passwords.
struct BatchCreate: Endpoint {
    let shape = Shape.batchCreate

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        let entries = body.messages("users")
        try request.require(!entries.isEmpty, .missingUserAccount)
        if request.settings.mode == .strict { try request.require(entries.count <= 1000, .listTooLong) }
        if body.flag("sanityCheck") == true { try checkDuplicates(entries, request) }
        if body.flag("allowOverwrite") != true { try checkIDs(entries, request) }
        let hashing = try request.state.passwords.importHashing(
            body, isNeeded: entries.contains { $0.given("passwordHash") != nil }, isStrict: request.settings.mode == .strict)
        let passwords = try passwords(of: entries, hashing, request)
        var errors: [JSON] = []
        for (index, entry) in entries.enumerated() {
            do {
                try importUser(entry, password: passwords[index], request)
            } catch let refusal as APIError {
                errors.append(["index": .int(Int64(index)), "message": .string(Self.message(of: refusal))])
            }
        }
        var response: JSONObject = ["kind": "identitytoolkit#UploadAccountResponse"]
        if !errors.isEmpty || request.settings.mode == .emulator { response["error"] = .array(errors) }
        return .object(response)
    }

    private func checkDuplicates(_ entries: [Body], _ request: AuthorizedRequest) throws(APIError) {
        var emails: Set<String> = []
        var identities: Set<[String]> = []
        for entry in entries {
            if !request.rules.allowsDuplicateEmails, let email = entry.given("email") {
                try request.require(emails.insert(email).inserted, .duplicateEmail, email)
            }
        }
        for identity in entries.flatMap({ $0.messages("providerUserInfo") }) {
            let (provider, rawID) = (identity.text("providerId") ?? "", identity.text("rawId") ?? "")
            try request.require(
                identities.insert([provider, rawID]).inserted, .duplicateRawID, "Provider id(\(provider)), Raw id(\(rawID))")
        }
    }

    private func checkIDs(_ entries: [Body], _ request: AuthorizedRequest) throws(APIError) {
        var ids: Set<String> = []
        for id in entries.map({ $0.text("localId") ?? "" }) {
            try request.require(ids.insert(id).inserted, .duplicateLocalID, id)
        }
    }

    private func passwords(
        of entries: [Body], _ hashing: ProjectPasswords.ImportHashing, _ request: AuthorizedRequest
    ) throws -> [StoredPassword?] {
        let raw = entries.compactMap { $0.given("passwordHash") == nil ? $0.given("rawPassword") : nil }
        var hashes = try request.passwords.hashes(of: raw)[...]
        return entries.map { entry in
            if let hash = entry.given("passwordHash") {
                return request.state.passwords.imported(hash, salt: entry.given("salt"), hashing)
            }
            return entry.given("rawPassword") == nil ? nil : hashes.popFirst()
        }
    }

    private func importUser(
        _ entry: Body, password: StoredPassword?, _ request: AuthorizedRequest
    ) throws {
        let localID = try request.need(entry.given("localId"), "localId is missing")
        var user = User(localID: localID)
        user.displayName = entry.text("displayName")
        user.photoURL = entry.text("photoUrl")
        user.lastLoginAt = entry.text("lastLoginAt").flatMap { Int64($0) }
        if let tenant = entry.given("tenantId") {
            try request.need(tenant == request.scope.tenant, "Tenant id in userInfo does not match the tenant id in request.")
        }
        user.tenantID = request.scope.tenant
        user.password = password
        if password != nil { user.passwordUpdatedAt = request.now }
        if let claims = entry.given("customAttributes") {
            try CustomClaims.check(text: claims)
            user.customAttributes = claims
        }
        user.identities = try identities(of: entry, localID: localID, request)
        if let number = entry.given("phoneNumber") {
            try request.need(request.isPhoneNumber(number), "phone number format is invalid")
            let owner = try request.db.user(phoneNumber: number, in: request.scope)
            try request.need(owner == nil || owner?.localID == localID, "phone number exists in other account in database")
            user.phoneNumber = number
        }
        user.validSince = request.now.seconds
        user.createdAt = entry.text("createdAt").flatMap { Int64($0) } ?? request.now.milliseconds
        user.email = try email(of: entry, localID: localID, request)
        user.emailVerified = entry.flag("emailVerified") ?? false
        user.isDisabled = entry.flag("disabled") ?? false
        user.factors = try ImportedFactors.read(entry, of: user, request)
        user.settleIdentities()
        if let known = try request.db.user(localID, in: request.scope) {
            try request.need(
                request.body.flag("allowOverwrite") == true, "localId belongs to an existing account - can not overwrite.")
            try request.db.delete(known, in: request.scope)
        }
        try request.db.forgetSessions(ofFormer: localID, in: request.scope)
        try request.db.insert(user, in: request.scope)
    }

    private func identities(
        of entry: Body, localID: String, _ request: AuthorizedRequest
    ) throws -> [Identity]? {
        guard entry.has("providerUserInfo") else { return nil }
        var identities: [Identity] = []
        for info in entry.messages("providerUserInfo") {
            let provider = info.text("providerId")
            if provider == ProviderID.password || provider == ProviderID.phone { continue }
            guard let identity = Identity(info) else {
                try request.need(info.given("federatedId") != nil, "federatedId or (providerId & rawId) is required")
                throw APIError.refused(
                    sentence: "((Parsing federatedId is not implemented in Auth Emulator; "
                        + "please specify providerId AND rawId as a workaround.))")
            }
            let owner = try request.db.user(provider: identity.providerID, rawID: identity.rawID, in: request.scope)
            try request.need(owner == nil || owner?.localID == localID, "raw id exists in other account in database")
            identities.append(identity)
        }
        return identities
    }

    private func email(of entry: Body, localID: String, _ request: AuthorizedRequest) throws -> String? {
        guard let text = entry.given("email") else { return nil }
        try request.need(Formats.isEmail(text), "email is invalid")
        let email = Formats.canonical(text)
        let owner = try request.db.user(email: email, in: request.scope)
        let isChecked = request.body.flag("sanityCheck") == true && !request.rules.allowsDuplicateEmails
        try request.need(
            owner == nil || owner?.localID == localID,
            isChecked || request.settings.mode == .strict
                ? "email exists in other account in database"
                : "((Auth Emulator does not support importing duplicate email: \(text)))")
        return email
    }

    /// The errors of an import for one user: sentences, not codes.
    private static func message(of refusal: APIError) -> String {
        switch refusal.message {
        case ErrorCode.invalidClaims.rawValue: "Invalid custom claims provided."
        case ErrorCode.claimsTooLarge.rawValue: "Custom claims provided are too large."
        case let text where text.hasPrefix(ErrorCode.forbiddenClaim.rawValue): "Custom claims provided include a reserved claim."
        case let text: text
        }
    }
}
