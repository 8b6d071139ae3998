internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:batchCreate`: imports users with the hashes of their passwords.
struct BatchCreate: Operation {
    let shape = Shape.batchCreate
    let effort = Effort.hashing

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        let entries = body.messages("users")
        try call.require(!entries.isEmpty, .missingUserAccount)
        if call.settings.mode == .strict { try call.require(entries.count <= 1000, .listTooLong) }
        if body.flag("sanityCheck") == true { try checkDuplicates(entries, call) }
        if body.flag("allowOverwrite") != true { try checkIDs(entries, call) }
        let hashing = try call.backend.passwords.importHashing(
            body, isNeeded: entries.contains { $0.given("passwordHash") != nil }, isStrict: call.settings.mode == .strict)
        let passwords = try entries.map { try password(of: $0, hashing, call) }
        let errors = try call.transaction { db in
            var errors: [JSON] = []
            for (index, entry) in entries.enumerated() {
                do {
                    try importUser(entry, password: passwords[index], call, &db)
                } catch let refusal as APIError {
                    errors.append(["index": .int(Int64(index)), "message": .string(Self.message(of: refusal))])
                }
            }
            return errors
        }
        var answer: JSONObject = ["kind": "identitytoolkit#UploadAccountResponse"]
        if !errors.isEmpty || call.settings.mode == .emulator { answer["error"] = .array(errors) }
        return .object(answer)
    }

    private func checkDuplicates(_ entries: [Body], _ call: Call) throws(APIError) {
        var emails: Set<String> = []
        var identities: Set<[String]> = []
        for entry in entries {
            if !call.rules.allowsDuplicateEmails, let email = entry.given("email") {
                try call.require(emails.insert(email).inserted, .duplicateEmail, email)
            }
        }
        for identity in entries.flatMap({ $0.messages("providerUserInfo") }) {
            let (provider, rawID) = (identity.text("providerId") ?? "", identity.text("rawId") ?? "")
            try call.require(
                identities.insert([provider, rawID]).inserted, .duplicateRawID, "Provider id(\(provider)), Raw id(\(rawID))")
        }
    }

    private func checkIDs(_ entries: [Body], _ call: Call) throws(APIError) {
        var ids: Set<String> = []
        for id in entries.map({ $0.text("localId") ?? "" }) {
            try call.require(ids.insert(id).inserted, .duplicateLocalID, id)
        }
    }

    private func password(
        of entry: Body, _ hashing: ProjectPasswords.ImportHashing, _ call: Call
    ) throws -> StoredPassword? {
        if let hash = entry.given("passwordHash") {
            return call.backend.passwords.imported(hash, salt: entry.given("salt"), hashing)
        }
        return try entry.given("rawPassword").map(call.hashed)
    }

    private func importUser(
        _ entry: Body, password: StoredPassword?, _ call: Call, _ db: inout SQLiteConnection
    ) throws {
        let localID = try call.need(entry.given("localId"), "localId is missing")
        var user = User(localID: localID)
        user.displayName = entry.text("displayName")
        user.photoURL = entry.text("photoUrl")
        user.lastLoginAt = entry.text("lastLoginAt").flatMap { Int64($0) }
        if let tenant = entry.given("tenantId") {
            try call.need(tenant == call.space.tenant, "Tenant id in userInfo does not match the tenant id in request.")
        }
        user.tenantID = call.space.tenant
        user.password = password
        if password != nil { user.passwordUpdatedAt = call.now }
        if let claims = entry.given("customAttributes") {
            try CustomClaims.check(text: claims)
            user.customAttributes = claims
        }
        user.identities = try identities(of: entry, localID: localID, call, &db)
        if let number = entry.given("phoneNumber") {
            try call.need(Formats.isPhoneNumber(number), "phone number format is invalid")
            let owner = try db.user(phoneNumber: number, in: call.space)
            try call.need(owner == nil || owner?.localID == localID, "phone number exists in other account in database")
            user.phoneNumber = number
        }
        user.validSince = call.now.seconds
        user.createdAt = entry.text("createdAt").flatMap { Int64($0) } ?? call.now.milliseconds
        user.email = try email(of: entry, localID: localID, call, &db)
        user.emailVerified = entry.flag("emailVerified") ?? false
        user.isDisabled = entry.flag("disabled") ?? false
        user.factors = try ImportedFactors.read(entry, of: user, call)
        user.settleIdentities()
        if let known = try db.user(localID, in: call.space) {
            try call.need(
                call.body.flag("allowOverwrite") == true, "localId belongs to an existing account - can not overwrite.")
            try db.delete(known, in: call.space)
        }
        try db.forgetSessions(ofFormer: localID, in: call.space)
        try db.insert(user, in: call.space)
    }

    private func identities(
        of entry: Body, localID: String, _ call: Call, _ db: inout SQLiteConnection
    ) throws -> [Identity]? {
        guard entry.has("providerUserInfo") else { return nil }
        var identities: [Identity] = []
        for info in entry.messages("providerUserInfo") {
            let provider = info.text("providerId")
            if provider == ProviderID.password || provider == ProviderID.phone { continue }
            guard let identity = Identity(info) else {
                try call.need(info.given("federatedId") != nil, "federatedId or (providerId & rawId) is required")
                throw APIError.refused(
                    sentence: "((Parsing federatedId is not implemented in Auth Emulator; "
                        + "please specify providerId AND rawId as a workaround.))")
            }
            let owner = try db.user(provider: identity.providerID, rawID: identity.rawID, in: call.space)
            try call.need(owner == nil || owner?.localID == localID, "raw id exists in other account in database")
            identities.append(identity)
        }
        return identities
    }

    private func email(of entry: Body, localID: String, _ call: Call, _ db: inout SQLiteConnection) throws -> String? {
        guard let text = entry.given("email") else { return nil }
        try call.need(Formats.isEmail(text), "email is invalid")
        let email = Formats.canonical(text)
        let owner = try db.user(email: email, in: call.space)
        let isChecked = call.body.flag("sanityCheck") == true && !call.rules.allowsDuplicateEmails
        try call.need(
            owner == nil || owner?.localID == localID,
            isChecked || call.settings.mode == .strict
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
