internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:signUp`: a new account by password, a guest, the upgrade of a guest; for administrators any account.
struct SignUp: Operation {
    let shape = Shape.signUp
    let effort = Effort.hashing

    func effort(of call: Call) -> Effort { call.body.given("password") == nil ? .tokens : .hashing }

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        let password = try call.body.given("password").map { password in
            // Runs twice: here to refuse before the slow hash, below to write.
            _ = try call.reading { db in try check(call, &db) }
            return try call.hashed(password)
        }
        return try call.transaction { db in
            var (user, existing) = try check(call, &db)
            try call.requireNoBlockingFunction(user.email != nil && !call.isAdministrators, .beforeCreate)
            if !existing, call.body.given("localId") != nil {
                try db.forgetSessions(ofFormer: user.localID, in: call.space)
            }
            if let password { user.setPassword(password, at: call.now) }
            user.settleIdentities()
            var tokens: JSONObject = [:]
            if !call.isAdministrators {
                let provider = password == nil ? ProviderID.anonymous : ProviderID.password
                tokens = try call.issue(to: &user, Grant(provider: provider), &db)
            }
            if existing { try db.update(user, in: call.space) } else { try db.insert(user, in: call.space) }
            var answer: JSONObject = ["kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(user.localID)]
            answer["displayName"] = user.displayName.map(JSON.string)
            answer["email"] = user.email.map(JSON.string)
            return .object(answer.adding(tokens))
        }
    }

    /// The new account without its password, and whether it exists already.
    private func check(_ call: Call, _ db: inout SQLiteConnection) throws -> (user: User, exists: Bool) {
        let body = call.body
        call.isAdministrators ? try checkAdministrators(call, &db) : try checkClients(call)
        var email: String?
        if let text = body.text("email"), !text.isEmpty || !call.isAdministrators {
            try call.require(Formats.isEmail(text), .invalidEmail)
            email = Formats.canonical(text)
            try call.require(try db.user(email: email ?? "", in: call.space) == nil, .emailExists)
        }
        if let password = body.given("password") { try call.requireStrength(password) }
        let factors = try body.has("mfaInfo") ? call.factors(from: body.messages("mfaInfo"), makingIDs: true) : nil
        let holder = try call.holderIfGiven(&db)
        if holder == nil { try requireQuota(call, &db) }
        var user = try holder?.user ?? newUser(call, &db)
        user.lastLoginAt = call.now.milliseconds
        if let email { user.email = email }
        if let factors { user.factors = factors }
        if call.isAdministrators {
            user.displayName = body.text("displayName")
            user.photoURL = body.text("photoUrl")
            user.emailVerified = body.flag("emailVerified") ?? false
            if let number = body.given("phoneNumber") { user.phoneNumber = number }
            if body.flag("disabled") == true { user.isDisabled = true }
        } else if isByPassword(body) {
            // Firebase's emulator erases the name of a guest who is upgraded without one; strict mode keeps it.
            if body.has("displayName") || call.settings.mode == .emulator { user.displayName = body.text("displayName") }
            user.emailVerified = false
        }
        return (user, holder != nil)
    }

    private func isByPassword(_ body: Body) -> Bool {
        ["idToken", "password", "email"].contains { body.given($0) != nil }
    }

    private func checkClients(_ call: Call) throws {
        let body = call.body
        try call.require(body.given("localId") == nil, .unexpectedParameter, "User ID")
        guard isByPassword(body) else { return try call.require(call.rules.methods.contains(.anonymous), .adminOnly) }
        try call.require(body.given("email") != nil, .missingEmail)
        try call.require(body.given("password") != nil, .missingPassword)
        try call.require(call.rules.methods.contains(.password), .operationNotAllowed)
    }

    private func checkAdministrators(_ call: Call, _ db: inout SQLiteConnection) throws {
        let body = call.body
        if body.given("idToken") != nil { try call.require(body.given("localId") == nil, .unexpectedParameter, "User ID") }
        if let localID = body.given("localId") {
            try call.require(try db.user(localID, in: call.space) == nil, .duplicateLocalID)
        }
        if let number = body.given("phoneNumber") { try call.requireFree(phoneNumber: number, &db) }
    }

    private func requireQuota(_ call: Call, _ db: inout SQLiteConnection) throws {
        guard let quota = call.settings.limits.signUpsPerHour, !call.isAdministrators else { return }
        let count = try db.userCount(createdSince: call.now - .seconds(3600), in: call.space)
        try call.require(count < quota, .quotaExceeded, "Exceeded quota for signing up new users.")
    }

    private func newUser(_ call: Call, _ db: inout SQLiteConnection) throws -> User {
        var user = User(localID: call.body.given("localId") ?? call.backend.newID())
        user.createdAt = call.now.milliseconds
        user.tenantID = call.space.tenant
        return user
    }
}
