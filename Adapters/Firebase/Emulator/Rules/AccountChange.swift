internal import LockstepPrimitives

/// The account after `accounts:update`, ready to be written.
struct AccountChange {
    private let context: RequestContext
    private let provider: String?
    private let secondFactor: Grant.SecondFactor?
    private let authTime: Int64?
    private(set) var newEmail: String?
    /// The original address of an account whose address has changed; it gets a code that reverts the change.
    private(set) var emailToWarn: String?
    /// Whether earlier ID tokens are revoked.
    private(set) var endsTokens = false
    private var setsPassword = false
    var user: User

    /// The grant of the new tokens; `nil` if none are issued.
    var grant: Grant? {
        let provider = setsPassword ? ProviderID.password : provider
        // If an administrator sets a password, Firebase's emulator responds with tokens of that user.
        guard let provider, !context.isAdministrator || !context.isStrict else { return nil }
        return Grant(provider: provider, secondFactor: context.isStrict ? secondFactor : nil, authTime: authTime)
    }

    ///
    /// - `password`: The hash of the new password; without it, everything else is checked and applied.
    init(_ context: RequestContext, hashed password: StoredPassword?) throws {
        self.context = context
        let body = context.body
        if let token = body.given("idToken"), !context.isAdministrator {
            let holder = try context.tokens.holder(of: token)
            try context.require(!body.has("disableUser"), .operationNotAllowed)
            if body.given("email") != nil || body.given("password") != nil { try context.tokens.requireRecentSignIn(holder) }
            (user, provider, secondFactor) = (holder.user, holder.provider, holder.secondFactor)
            authTime = holder.claims["auth_time"]?.int
        } else {
            let localID = try context.require(body.given("localId"), .missingLocalID)
            user = try context.require(try context.users.find(localID), .userNotFound)
            (provider, secondFactor, authTime) = (nil, nil, nil)
        }
        try setEmail()
        try setPassword(password)
        if body.given("validSince") != nil {
            user.validSince = context.now.seconds
            endsTokens = true
        }
        try setFactors()
        try setProfile()
        removeAttributes()
        removeProviders()
        try setIdentities()
    }

    private mutating func setEmail() throws {
        guard let text = context.body.given("email") else { return }
        try context.require(Formats.isEmail(text), .invalidEmail)
        let email = Formats.canonical(text)
        newEmail = email
        guard email != user.email else { return }
        if context.isStrict, context.rules.hidesEmails, !context.isAdministrator {
            // https://cloud.google.com/identity-platform/docs/admin/email-enumeration-protection
            throw APIError.refused(.operationNotAllowed, "Please verify the new email before changing email.")
        }
        try context.require(try context.users.find(email: email) == nil, .emailExists)
        if provider != ProviderID.anonymous {
            if let old = user.email, user.initialEmail == nil { user.initialEmail = old }
            emailToWarn = user.initialEmail
        }
        user.email = email
        user.emailVerified = false
        user.validSince = context.now.seconds
        endsTokens = true
    }

    private mutating func setPassword(_ password: StoredPassword?) throws {
        guard let text = context.body.given("password") else { return }
        try context.passwords.requireStrength(text)
        setsPassword = true
        endsTokens = true
        if let password { user.setPassword(password, at: context.now) }
    }

    private mutating func setFactors() throws {
        guard let factors = context.body.nested("mfa") else { return }
        let enrolments = factors.bodies("enrollments")
        user.factors =
            enrolments.isEmpty ? nil : try context.factors.read(enrolments, makingIDs: false, keeping: user.factors ?? [])
    }

    private mutating func setProfile() throws {
        let body = context.body
        if let name = body.text("displayName") { user.displayName = name }
        if let photo = body.text("photoUrl") { user.photoURL = photo }
        guard context.isAdministrator else { return }
        if let isDisabled = body.flag("disableUser") { user.isDisabled = isDisabled }
        if let number = body.given("phoneNumber"), number != user.phoneNumber {
            try context.phoneNumbers.requireFree(number)
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
        for attribute in context.body.texts("deleteAttribute") {
            switch attribute {
            case "DISPLAY_NAME": user.displayName = nil
            case "PHOTO_URL": user.photoURL = nil
            case "PASSWORD": user.password = nil
            case "EMAIL": user.removeEmail()
            default: break
            }
        }
        let passkeys = context.body.texts("deletePasskey")
        if context.body.has("deletePasskey") {
            user.passkeys = (user.passkeys ?? []).filter { !passkeys.contains($0.credentialID) }
        }
    }

    private mutating func removeProviders() {
        let providers = context.body.texts("deleteProvider")
        if providers.contains(ProviderID.password) {
            user.removeEmail()
            user.password = nil
        }
        if providers.contains(ProviderID.phone) { user.phoneNumber = nil }
    }

    private mutating func setIdentities() throws {
        var added: [Identity] = []
        if let link = context.body.nested("linkProviderUserInfo") {
            try context.require(link.given("providerId") != nil, .missingProviderID)
            try context.require(link.given("rawId") != nil, .missingRawID)
            added = Identity(link).map { [$0] } ?? []
        }
        user.settleIdentities(adding: added, removing: context.body.texts("deleteProvider"))
    }
}
