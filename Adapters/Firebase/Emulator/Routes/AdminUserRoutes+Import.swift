internal import LockstepEmulation
internal import LockstepPrimitives

extension AdminUserRoutes {
    static let importBody: BodySchema = [
        "allowOverwrite": .flag,
        "argon2Parameters": .members([
            "associatedData": .text, "hashLengthBytes": .whole,
            "hashType": .choice(["HASH_TYPE_UNSPECIFIED", "ARGON2_D", "ARGON2_ID", "ARGON2_I"]), "iterations": .whole,
            "memoryCostKib": .whole, "parallelism": .whole,
            "version": .choice(["VERSION_UNSPECIFIED", "VERSION_10", "VERSION_13"]),
        ]),
        "blockSize": .whole, "cpuMemCost": .whole, "delegatedProjectNumber": .text, "dkLen": .whole, "hashAlgorithm": .text,
        "memoryCost": .whole, "parallelization": .whole,
        "passwordHashOrder": .choice(["UNSPECIFIED_ORDER", "SALT_AND_PASSWORD", "PASSWORD_AND_SALT"]), "rounds": .whole,
        "saltSeparator": .text, "sanityCheck": .flag, "signerKey": .text, "targetProjectId": .text, "tenantId": .text,
        "users": .list(.user),
    ]

    /// `accounts:batchCreate`: imports users with the hashes of their passwords.
    func importAll() throws -> JSON {
        if context.isStrict { try checkForms(context.body) }
        return try importEntries()
    }

    /// Rejects texts that production's parser cannot read as bytes, whole numbers or times, before it looks at a user.
    private func checkForms(_ body: Body) throws(APIError) {
        func require(_ type: String, _ names: [String], of members: Body, at place: String, _ isReadable: (String) -> Bool)
            throws(APIError)
        {
            for name in names {
                guard let text = members.given(name), !isReadable(text) else { continue }
                throw .badPayload("Invalid value at '\(place)\(name)' (\(type)).")
            }
        }
        let isBase64 = { (text: String) in (Base64.decode(text) ?? Base64.decode(text, .url)) != nil }
        for (index, entry) in body.bodies("users").enumerated() {
            let place = "users[\(index)]."
            try require("TYPE_BYTES", ["passwordHash", "salt"], of: entry, at: place, isBase64)
            let numbers = ["createdAt", "lastLoginAt", "validSince"]
            try require("TYPE_INT64", numbers, of: entry, at: place) { Int64($0) != nil }
            for (number, factor) in entry.bodies("mfaInfo").enumerated() {
                let place = "\(place)mfaInfo[\(number)]."
                try require("google.protobuf.Timestamp", ["enrolledAt"], of: factor, at: place) { Instant(rfc3339: $0) != nil }
            }
        }
    }

    /// Imports the users of a checked body.
    func importEntries() throws -> JSON {
        let body = context.body
        let entries = body.bodies("users")
        try context.require(!entries.isEmpty, .missingUserAccount)
        if context.isStrict { try context.require(entries.count <= 1000, .listTooLong) }
        if body.flag("sanityCheck") == true { try checkDuplicates(entries) }
        if body.flag("allowOverwrite") != true { try checkIDs(entries) }
        let hashing = try context.state.passwords.importHashing(
            body, isNeeded: entries.contains { $0.given("passwordHash") != nil }, isStrict: context.isStrict)
        let passwords = try passwords(of: entries, hashing)
        var errors: [JSON] = []
        for (index, entry) in entries.enumerated() {
            do {
                try importUser(entry, password: passwords[index])
            } catch let refusal as APIError {
                errors.append(["index": .int(Int64(index)), "message": .string(Self.message(of: refusal))])
            }
        }
        var response: JSONObject = ["kind": "identitytoolkit#UploadAccountResponse"]
        if !errors.isEmpty || !context.isStrict { response["error"] = .array(errors) }
        return .object(response)
    }

    private func checkDuplicates(_ entries: [Body]) throws(APIError) {
        var emails: Set<ExactString> = []
        var identities: Set<[ExactString]> = []
        for entry in entries {
            if !context.rules.allowsDuplicateEmails, let email = entry.given("email") {
                try context.require(emails.insert(email.exact).inserted, .duplicateEmail, email)
            }
        }
        for identity in entries.flatMap({ $0.bodies("providerUserInfo") }) {
            let (provider, rawID) = (identity.text("providerId") ?? "", identity.text("rawId") ?? "")
            try context.require(
                identities.insert([provider.exact, rawID.exact]).inserted, .duplicateRawID,
                "Provider id(\(provider)), Raw id(\(rawID))")
        }
    }

    private func checkIDs(_ entries: [Body]) throws(APIError) {
        var ids: Set<ExactString> = []
        for id in entries.map({ $0.text("localId") ?? "" }) {
            try context.require(ids.insert(id.exact).inserted, .duplicateLocalID, id)
        }
    }

    private func passwords(
        of entries: [Body], _ hashing: ProjectPasswords.ImportHashing
    ) throws -> [StoredPassword?] {
        let raw = entries.compactMap { $0.given("passwordHash") == nil ? $0.given("rawPassword") : nil }
        var hashes = try context.passwords.hashes(of: raw)[...]
        return entries.map { entry in
            if let hash = entry.given("passwordHash") {
                return context.state.passwords.imported(hash, salt: entry.given("salt"), hashing)
            }
            return entry.given("rawPassword") == nil ? nil : hashes.popFirst()
        }
    }

    private func importUser(
        _ entry: Body, password: StoredPassword?
    ) throws {
        let localID = try context.need(entry.given("localId"), "localId is missing")
        try context.need(!context.isStrict || localID.utf8.count <= User.longestID, "localId is longer than 128 characters.")
        var user = User(localID: localID)
        user.displayName = entry.text("displayName")
        user.photoURL = entry.text("photoUrl")
        user.lastLoginAt = entry.text("lastLoginAt").flatMap { Int64($0) }
        if let tenant = entry.given("tenantId") {
            try context.need(tenant == context.scope.tenant, "Tenant id in userInfo does not match the tenant id in request.")
        }
        user.tenantID = context.scope.tenant
        user.password = password
        if password != nil { user.passwordUpdatedAt = context.now }
        if let claims = entry.given("customAttributes") {
            try CustomClaims.check(text: claims)
            user.customAttributes = claims
        }
        user.identities = try identities(of: entry, localID: localID)
        if let number = entry.given("phoneNumber") {
            try context.need(context.isPhoneNumber(number), "phone number format is invalid")
            let owner = try context.users.find(phoneNumber: number)
            try context.need(
                owner == nil || owner?.localID.exact == localID.exact, "phone number exists in other account in database")
            user.phoneNumber = number
        }
        user.validSince = context.now.seconds
        user.createdAt = entry.text("createdAt").flatMap { Int64($0) } ?? context.now.milliseconds
        user.email = try email(of: entry, localID: localID)
        user.emailVerified = entry.flag("emailVerified") ?? false
        user.isDisabled = entry.flag("disabled") ?? false
        user.factors = try ImportedFactors.read(entry, of: user, context)
        user.settleIdentities()
        if let known = try context.users.find(localID) {
            try context.need(
                context.body.flag("allowOverwrite") == true, "localId belongs to an existing account - can not overwrite.")
            try context.users.delete(known)
        }
        try context.users.forgetSessions(ofFormer: localID)
        try context.users.insert(user)
    }

    private func identities(
        of entry: Body, localID: String
    ) throws -> [Identity]? {
        guard entry.has("providerUserInfo") else { return nil }
        var identities: [Identity] = []
        var places: [ExactString: Int] = [:]
        for info in entry.bodies("providerUserInfo") {
            let provider = info.text("providerId")
            if provider == ProviderID.password || provider == ProviderID.phone { continue }
            guard let identity = Identity(info) else {
                try context.need(info.given("federatedId") != nil, "federatedId or (providerId & rawId) is required")
                throw APIError.refused(
                    sentence: "((Parsing federatedId is not implemented in Auth Emulator; "
                        + "please specify providerId AND rawId as a workaround.))")
            }
            let owner = try context.users.find(provider: identity.providerID, rawID: identity.rawID)
            try context.need(owner == nil || owner?.localID.exact == localID.exact, "raw id exists in other account in database")
            // A user has one identity of a provider, and the last one is used.
            if let place = places.updateValue(identities.count, forKey: identity.providerID.exact) {
                places[identity.providerID.exact] = place
                identities[place] = identity
            } else {
                identities.append(identity)
            }
        }
        return identities
    }

    private func email(of entry: Body, localID: String) throws -> String? {
        guard let text = entry.given("email") else { return nil }
        try context.need(Formats.isEmail(text), "email is invalid")
        let email = Formats.canonical(text)
        let owner = try context.users.find(email: email)
        let isChecked = context.body.flag("sanityCheck") == true && !context.rules.allowsDuplicateEmails
        try context.need(
            owner == nil || owner?.localID.exact == localID.exact,
            isChecked || context.isStrict
                ? "email exists in other account in database"
                : "((Auth Emulator does not support importing duplicate email: \(text)))")
        return email
    }

    /// Returns the error of an import for one user: a sentence, not a code.
    private static func message(of refusal: APIError) -> String {
        switch refusal.message {
        case ErrorCode.invalidClaims.rawValue: "Invalid custom claims provided."
        case ErrorCode.claimsTooLarge.rawValue: "Custom claims provided are too large."
        case let text where text.hasPrefix(ErrorCode.forbiddenClaim.rawValue): "Custom claims provided include a reserved claim."
        case let text: text
        }
    }
}
