internal import LockstepPrimitives
internal import LockstepSQLite

/// Firebase's `accounts:signInWithEmailLink`.
struct SignInWithEmailLink: Endpoint {
    let shape = Shape.signInWithEmailLink

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        try request.require(request.rules.methods.contains(.emailLink), .operationNotAllowed)
        let holder = try request.tokens.holderIfGiven()
        let email = Formats.canonical(try request.require(request.body.given("email"), .missingEmail))
        let text = try request.require(request.body.given("oobCode"), .missingOobCode)
        // The code is used up from here on, even where the attempt is refused below.
        _ = try request.functions.spend(.actionCode(text), orRefuse: .invalidOobCode) {
            let code = try request.actionCodes.open(text)
            try request.require(code.kind == .emailSignIn, .invalidOobCode)
            try request.require(
                code.email == email, .invalidEmail, "The email provided does not match the sign-in email address.")
            return code.email
        }
        let owner = try request.db.user(email: email, in: request.scope)
        return try APIError.keepingChanges {
            if let user = holder?.user ?? owner { try request.require(user.isDisabled != true, .userDisabled) }
            if let holder, let owner { try request.require(holder.user.localID == owner.localID, .emailExists) }
            return .object(try signIn(holder?.user ?? owner, email: email, request))
        }
    }

    private func signIn(_ known: User?, email: String, _ request: AuthorizedRequest) throws -> JSONObject {
        var user = known ?? User(localID: request.newID())
        user.email = email
        user.emailVerified = true
        user.signsInByLink = true
        user.tenantID = request.scope.tenant
        let signIn = BlockingFunctions.SignIn(method: "emailLink")
        if known == nil {
            user.createdAt = request.now.milliseconds
            try request.functions.beforeCreate(&user, signIn)
            user.settleIdentities()
        }
        let made = user
        let isPending = request.factors.isAsked(of: user)
        let claims = isPending ? [:] : try request.functions.beforeSignIn(&user, signIn, isNew: known == nil)
        user.settleIdentities()
        if known == nil { try request.create(user, asMade: made) } else { try request.db.update(user, in: request.scope) }
        let response: JSONObject = [
            "kind": "identitytoolkit#EmailLinkSigninResponse", "email": .string(email), "localId": .string(user.localID),
            "isNewUser": .bool(known == nil),
        ]
        if isPending {
            return response.adding(try request.factors.pending(user, provider: ProviderID.password))
        }
        user.lastLoginAt = request.now.milliseconds
        let tokens = try request.tokens.issue(to: &user, Grant(provider: ProviderID.password, claims: claims))
        try request.db.touch(user, in: request.scope)
        return response.adding(tokens)
    }
}
