internal import LockstepEmulation
internal import LockstepPrimitives

/// `accounts:signUp`: creates an account with a password or an anonymous one, or makes an anonymous account permanent;
/// administrators create any account.
struct SignUpRoutes {
    let context: RequestContext

    static let body: BodySchema = [
        "captchaChallenge": .text, "captchaResponse": .text, "clientType": .clientType, "disabled": .flag, "displayName": .text,
        "email": .text, "emailVerified": .flag, "idToken": .text, "instanceId": .text, "localId": .text,
        "mfaInfo": .list(.members(["displayName": .text, "phoneInfo": .text])), "password": .text, "phoneNumber": .text,
        "photoUrl": .text, "recaptchaVersion": .recaptchaVersion, "returnSecureToken": .strictOnly(.flag),
        "targetProjectId": .text, "tenantId": .text,
    ]

    func create() throws -> JSONObject {
        if context.body.given("password") != nil { try context.requireCaptcha() }
        var (user, existing) = try check()
        let password = try context.body.given("password").map(context.passwords.hash)
        let signIn = BlockingFunctions.SignIn(method: ProviderID.password)
        let triggersFunctions = !existing && !context.isAdministrator && user.email != nil
        if !existing, context.body.given("localId") != nil {
            try context.users.forgetSessions(ofFormer: user.localID)
        }
        if let password { user.setPassword(password, at: context.now) }
        if triggersFunctions { try context.functions.beforeCreate(&user, signIn) }
        user.settleIdentities()
        let made = user
        let claims = triggersFunctions ? try context.functions.beforeSignIn(&user, signIn, isNew: true) : [:]
        var tokens: JSONObject = [:]
        if !context.isAdministrator {
            let provider = password == nil ? ProviderID.anonymous : ProviderID.password
            tokens = try context.tokens.issue(to: &user, Grant(provider: provider, claims: claims))
        }
        if existing { try context.users.update(user) } else { try context.users.create(user, asMade: made) }
        let response = JSONObject(given: [
            "kind": "identitytoolkit#SignupNewUserResponse", "localId": user.localID, "displayName": user.displayName,
            "email": user.email,
        ])
        return response.adding(tokens)
    }

    /// Returns the new account without its password, and whether it already exists.
    private func check() throws -> (user: User, exists: Bool) {
        let body = context.body
        context.isAdministrator ? try checkAdministrators() : try checkClients()
        var email: String?
        if let text = body.text("email"), !text.isEmpty || !context.isAdministrator {
            try context.require(Formats.isEmail(text), .invalidEmail)
            email = Formats.canonical(text)
            try context.require(try context.users.find(email: email ?? "") == nil, .emailExists)
        }
        if let password = body.given("password") { try context.passwords.requireStrength(password) }
        let factors = try body.has("mfaInfo") ? context.factors.read(body.bodies("mfaInfo"), makingIDs: true) : nil
        let holder = try context.tokens.holderIfGiven()
        if holder == nil { try requireQuota() }
        var user = try holder?.user ?? newUser()
        // In production, a user who was created by an administrator has not signed in yet.
        if !context.isAdministrator || !context.isStrict { user.lastLoginAt = context.now.milliseconds }
        if let email { user.email = email }
        if let factors { user.factors = factors }
        if context.isAdministrator {
            user.displayName = body.text("displayName")
            user.photoURL = body.text("photoUrl")
            user.emailVerified = body.flag("emailVerified") ?? false
            if let number = body.given("phoneNumber") { user.phoneNumber = number }
            if body.flag("disabled") == true { user.isDisabled = true }
        } else if isByPassword(body) {
            // Firebase's emulator deletes the name of an anonymous user who is upgraded without a name; strict mode
            // keeps it.
            if body.has("displayName") || !context.isStrict { user.displayName = body.text("displayName") }
            user.emailVerified = false
        }
        return (user, holder != nil)
    }

    private func isByPassword(_ body: Body) -> Bool {
        ["idToken", "password", "email"].contains { body.given($0) != nil }
    }

    private func checkClients() throws {
        let body = context.body
        try context.require(body.given("localId") == nil, .unexpectedParameter, "User ID")
        guard isByPassword(body) else { return try context.require(context.rules.methods.contains(.anonymous), .adminOnly) }
        try context.require(body.given("email") != nil, .missingEmail)
        try context.require(body.given("password") != nil, .missingPassword)
        try context.require(context.rules.methods.contains(.password), .operationNotAllowed)
    }

    private func checkAdministrators() throws {
        let body = context.body
        if body.given("idToken") != nil { try context.require(body.given("localId") == nil, .unexpectedParameter, "User ID") }
        if let localID = body.given("localId") {
            try context.require(try context.users.find(localID) == nil, .duplicateLocalID)
        }
        if let number = body.given("phoneNumber") { try context.phoneNumbers.requireFree(number) }
    }

    private func requireQuota() throws {
        guard let quota = context.settings.limits.signUpsPerHour, !context.isAdministrator else { return }
        let count = try context.users.count(createdSince: context.now - .seconds(3600))
        try context.require(count < quota, .quotaExceeded, "Exceeded quota for signing up new users.")
    }

    private func newUser() throws -> User {
        var user = User(localID: context.body.given("localId") ?? context.newID())
        user.createdAt = context.now.milliseconds
        user.tenantID = context.scope.tenant
        return user
    }
}
