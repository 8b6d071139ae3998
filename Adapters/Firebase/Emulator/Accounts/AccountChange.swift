internal import LockstepPrimitives
internal import LockstepSQLite

/// The account after `accounts:update`, ready to be written.
struct AccountChange {
    private let call: Call
    private let provider: String?
    private let secondFactor: Grant.SecondFactor?
    private let authTime: Int64?
    private(set) var newEmail: String?
    /// The first address of an account whose address changed: it gets a code that reverts the change.
    private(set) var emailToWarn: String?
    /// Whether earlier ID tokens are revoked.
    private(set) var endsTokens = false
    private var setsPassword = false
    var user: User

    /// The grant of the new tokens; `nil` where none are issued.
    var grant: Grant? {
        let provider = setsPassword ? ProviderID.password : provider
        // Firebase's emulator answers an administrator who sets a password with tokens of that user.
        guard let provider, !call.isAdministrators || call.settings.mode == .emulator else { return nil }
        return Grant(provider: provider, secondFactor: call.settings.mode == .strict ? secondFactor : nil, authTime: authTime)
    }

    /// - Parameter password: the hash of the new password; without it everything else is checked and applied.
    init(_ call: Call, hashed password: StoredPassword?, _ db: inout SQLiteConnection) throws {
        self.call = call
        let body = call.body
        if let token = body.given("idToken"), !call.isAdministrators {
            let holder = try call.holder(of: token, &db)
            try call.require(!body.has("disableUser"), .operationNotAllowed)
            if body.given("email") != nil || body.given("password") != nil { try call.requireRecentSignIn(holder) }
            (user, provider, secondFactor) = (holder.user, holder.provider, holder.secondFactor)
            authTime = holder.claims["auth_time"]?.int
        } else {
            let localID = try call.require(body.given("localId"), .missingLocalID)
            user = try call.require(try db.user(localID, in: call.space), .userNotFound)
            (provider, secondFactor, authTime) = (nil, nil, nil)
        }
        try setEmail(&db)
        try setPassword(password)
        if body.given("validSince") != nil {
            user.validSince = call.now.seconds
            endsTokens = true
        }
        try setFactors()
        try setProfile(&db)
        removeAttributes()
        removeProviders()
        try setIdentities()
    }

    private mutating func setEmail(_ db: inout SQLiteConnection) throws {
        guard let text = call.body.given("email") else { return }
        try call.require(Formats.isEmail(text), .invalidEmail)
        let email = Formats.canonical(text)
        newEmail = email
        guard email != user.email else { return }
        if call.settings.mode == .strict, call.rules.hidesEmails, !call.isAdministrators {
            // https://cloud.google.com/identity-platform/docs/admin/email-enumeration-protection
            throw APIError.refused(.operationNotAllowed, "Please verify the new email before changing email.")
        }
        try call.require(try db.user(email: email, in: call.space) == nil, .emailExists)
        if provider != ProviderID.anonymous {
            if let old = user.email, user.initialEmail == nil { user.initialEmail = old }
            emailToWarn = user.initialEmail
        }
        user.email = email
        user.emailVerified = false
        user.validSince = call.now.seconds
        endsTokens = true
    }

    private mutating func setPassword(_ password: StoredPassword?) throws {
        guard let text = call.body.given("password") else { return }
        try call.requireStrength(text)
        setsPassword = true
        endsTokens = true
        if let password { user.setPassword(password, at: call.now) }
    }

    private mutating func setFactors() throws {
        guard let factors = call.body.message("mfa") else { return }
        let enrolments = factors.messages("enrollments")
        user.factors = enrolments.isEmpty ? nil : try call.factors(from: enrolments, makingIDs: false)
    }

    private mutating func setProfile(_ db: inout SQLiteConnection) throws {
        let body = call.body
        if let name = body.text("displayName") { user.displayName = name }
        if let photo = body.text("photoUrl") { user.photoURL = photo }
        guard call.isAdministrators else { return }
        if let isDisabled = body.flag("disableUser") { user.isDisabled = isDisabled }
        if let number = body.given("phoneNumber"), number != user.phoneNumber {
            try call.requireFree(phoneNumber: number, &db)
            user.phoneNumber = number
        }
        if let isVerified = body.flag("emailVerified") { user.emailVerified = isVerified }
        if let claims = body.text("customAttributes") { user.customAttributes = claims }
        if let time = body.text("createdAt") { user.createdAt = try whole(time, "createdAt") }
        if let time = body.text("lastLoginAt") { user.lastLoginAt = try whole(time, "lastLoginAt") }
        if let time = body.text("validSince") { user.validSince = try whole(time, "validSince") }
    }

    private func whole(_ text: String, _ name: String) throws(APIError) -> Int64 {
        guard let number = Int64(text) else { throw .badPayload("/\(name) must match format \"int64\"") }
        return number
    }

    private mutating func removeAttributes() {
        for attribute in call.body.texts("deleteAttribute") {
            switch attribute {
            case "DISPLAY_NAME": user.displayName = nil
            case "PHOTO_URL": user.photoURL = nil
            case "PASSWORD": user.password = nil
            case "EMAIL": user.removeEmail()
            default: break
            }
        }
        let passkeys = call.body.texts("deletePasskey")
        if call.body.has("deletePasskey") {
            user.passkeys = (user.passkeys ?? []).filter { !passkeys.contains($0.credentialID) }
        }
    }

    private mutating func removeProviders() {
        let providers = call.body.texts("deleteProvider")
        if providers.contains(ProviderID.password) {
            user.removeEmail()
            user.password = nil
        }
        if providers.contains(ProviderID.phone) { user.phoneNumber = nil }
    }

    private mutating func setIdentities() throws {
        var added: [Identity] = []
        if let link = call.body.message("linkProviderUserInfo") {
            try call.require(link.given("providerId") != nil, .missingProviderID)
            try call.require(link.given("rawId") != nil, .missingRawID)
            added = Identity(link).map { [$0] } ?? []
        }
        user.settleIdentities(adding: added, removing: call.body.texts("deleteProvider"))
    }
}
