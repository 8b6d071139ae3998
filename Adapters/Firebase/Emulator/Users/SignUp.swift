internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:signUp`: a new account by password, a guest, the upgrade of a guest; for administrators any account.
struct SignUp: Endpoint {
    let shape = Shape.signUp

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        if request.body.given("password") != nil { try request.requireCaptcha() }
        var (user, existing) = try check(request)
        let password = try request.body.given("password").map(request.passwords.hash)
        let signIn = BlockingFunctions.SignIn(method: ProviderID.password)
        let triggersFunctions = !existing && !request.isAdministrators && user.email != nil
        if !existing, request.body.given("localId") != nil {
            try request.db.forgetSessions(ofFormer: user.localID, in: request.scope)
        }
        if let password { user.setPassword(password, at: request.now) }
        if triggersFunctions { try request.functions.beforeCreate(&user, signIn) }
        user.settleIdentities()
        let made = user
        let claims = triggersFunctions ? try request.functions.beforeSignIn(&user, signIn, isNew: true) : [:]
        var tokens: JSONObject = [:]
        if !request.isAdministrators {
            let provider = password == nil ? ProviderID.anonymous : ProviderID.password
            tokens = try request.tokens.issue(to: &user, Grant(provider: provider, claims: claims))
        }
        if existing { try request.db.update(user, in: request.scope) } else { try request.create(user, asMade: made) }
        var response: JSONObject = ["kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(user.localID)]
        response["displayName"] = user.displayName.map(JSON.string)
        response["email"] = user.email.map(JSON.string)
        return .object(response.adding(tokens))
    }

    /// The new account without its password, and whether it exists already.
    private func check(_ request: AuthorizedRequest) throws -> (user: User, exists: Bool) {
        let body = request.body
        request.isAdministrators ? try checkAdministrators(request) : try checkClients(request)
        var email: String?
        if let text = body.text("email"), !text.isEmpty || !request.isAdministrators {
            try request.require(Formats.isEmail(text), .invalidEmail)
            email = Formats.canonical(text)
            try request.require(try request.db.user(email: email ?? "", in: request.scope) == nil, .emailExists)
        }
        if let password = body.given("password") { try request.passwords.requireStrength(password) }
        let factors = try body.has("mfaInfo") ? request.factors.read(body.messages("mfaInfo"), makingIDs: true) : nil
        let holder = try request.tokens.holderIfGiven()
        if holder == nil { try requireQuota(request) }
        var user = try holder?.user ?? newUser(request)
        // In production who was made by an administrator has not signed in yet.
        if !request.isAdministrators || request.settings.mode == .emulator { user.lastLoginAt = request.now.milliseconds }
        if let email { user.email = email }
        if let factors { user.factors = factors }
        if request.isAdministrators {
            user.displayName = body.text("displayName")
            user.photoURL = body.text("photoUrl")
            user.emailVerified = body.flag("emailVerified") ?? false
            if let number = body.given("phoneNumber") { user.phoneNumber = number }
            if body.flag("disabled") == true { user.isDisabled = true }
        } else if isByPassword(body) {
            // Firebase's emulator erases the name of a guest who is upgraded without one; strict mode keeps it.
            if body.has("displayName") || request.settings.mode == .emulator { user.displayName = body.text("displayName") }
            user.emailVerified = false
        }
        return (user, holder != nil)
    }

    private func isByPassword(_ body: Body) -> Bool {
        ["idToken", "password", "email"].contains { body.given($0) != nil }
    }

    private func checkClients(_ request: AuthorizedRequest) throws {
        let body = request.body
        try request.require(body.given("localId") == nil, .unexpectedParameter, "User ID")
        guard isByPassword(body) else { return try request.require(request.rules.methods.contains(.anonymous), .adminOnly) }
        try request.require(body.given("email") != nil, .missingEmail)
        try request.require(body.given("password") != nil, .missingPassword)
        try request.require(request.rules.methods.contains(.password), .operationNotAllowed)
    }

    private func checkAdministrators(_ request: AuthorizedRequest) throws {
        let body = request.body
        if body.given("idToken") != nil { try request.require(body.given("localId") == nil, .unexpectedParameter, "User ID") }
        if let localID = body.given("localId") {
            try request.require(try request.db.user(localID, in: request.scope) == nil, .duplicateLocalID)
        }
        if let number = body.given("phoneNumber") { try request.phoneNumbers.requireFree(number) }
    }

    private func requireQuota(_ request: AuthorizedRequest) throws {
        guard let quota = request.settings.limits.signUpsPerHour, !request.isAdministrators else { return }
        let count = try request.db.userCount(createdSince: request.now - .seconds(3600), in: request.scope)
        try request.require(count < quota, .quotaExceeded, "Exceeded quota for signing up new users.")
    }

    private func newUser(_ request: AuthorizedRequest) throws -> User {
        var user = User(localID: request.body.given("localId") ?? request.newID())
        user.createdAt = request.now.milliseconds
        user.tenantID = request.scope.tenant
        return user
    }
}
