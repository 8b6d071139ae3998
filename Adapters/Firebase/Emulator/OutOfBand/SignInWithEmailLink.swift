internal import LockstepPrimitives
internal import LockstepSQLite

/// Firebase's `accounts:signInWithEmailLink`.
struct SignInWithEmailLink: Operation {
    let shape = Shape.signInWithEmailLink
    let effort = Effort.tokens

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        try call.require(call.rules.methods.contains(.emailLink), .operationNotAllowed)
        return try call.transaction { db -> Result<JSON, APIError> in
            let holder = try call.holderIfGiven(&db)
            let email = Formats.canonical(try call.require(call.body.given("email"), .missingEmail))
            let text = try call.require(call.body.given("oobCode"), .missingOobCode)
            let code = try call.openCode(text, &db)
            try call.require(code.kind == .emailSignIn, .invalidOobCode)
            try call.require(
                code.email == email, .invalidEmail, "The email provided does not match the sign-in email address.")
            // The code is used up from here on, even where the attempt is refused below.
            try db.remove(code, in: call.space)
            let owner = try db.user(email: email, in: call.space)
            if let user = holder?.user ?? owner, user.isDisabled == true { return .failure(.refused(.userDisabled)) }
            if let holder, let owner, holder.user.localID != owner.localID { return .failure(.refused(.emailExists)) }
            return .success(.object(try signIn(holder?.user ?? owner, email: email, call, &db)))
        }.get()
    }

    private func signIn(_ known: User?, email: String, _ call: Call, _ db: inout SQLiteConnection) throws -> JSONObject {
        var user = known ?? User(localID: call.backend.newID())
        user.email = email
        user.emailVerified = true
        user.signsInByLink = true
        user.tenantID = call.space.tenant
        if known == nil { user.createdAt = call.now.milliseconds }
        user.settleIdentities()
        if known == nil { try db.insert(user, in: call.space) } else { try db.update(user, in: call.space) }
        let answer: JSONObject = [
            "kind": "identitytoolkit#EmailLinkSigninResponse", "email": .string(email), "localId": .string(user.localID),
            "isNewUser": .bool(known == nil),
        ]
        if call.asksForFactor(user) { return answer.adding(try call.pending(user, provider: ProviderID.password, &db)) }
        user.lastLoginAt = call.now.milliseconds
        let tokens = try call.issue(to: &user, Grant(provider: ProviderID.password), &db)
        try db.touch(user, in: call.space)
        return answer.adding(tokens)
    }
}
