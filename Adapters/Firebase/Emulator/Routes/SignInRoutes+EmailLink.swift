internal import LockstepEmulation
internal import LockstepPrimitives

extension SignInRoutes {
    static let emailLinkBody: BodySchema = ["email": .text, "idToken": .text, "oobCode": .text, "tenantId": .text]

    /// Firebase's `accounts:signInWithEmailLink`.
    func withEmailLink() throws -> JSON {
        try context.require(context.rules.methods.contains(.emailLink), .operationNotAllowed)
        let holder = try context.tokens.holderIfGiven()
        let email = Formats.canonical(try context.require(context.body.given("email"), .missingEmail))
        let text = try context.require(context.body.given("oobCode"), .missingOobCode)
        // The code is now used up, even if the attempt is rejected below.
        _ = try context.functions.spend(.actionCode(text), orRefuse: .invalidOobCode) {
            let code = try context.actionCodes.open(text)
            try context.require(code.kind == .emailSignIn, .invalidOobCode)
            try context.require(
                code.email == email, .invalidEmail, "The email provided does not match the sign-in email address.")
            return code.email
        }
        let owner = try context.users.find(email: email)
        return try APIError.keepingChanges {
            if let user = holder?.user ?? owner { try context.require(user.isDisabled != true, .userDisabled) }
            if let holder, let owner { try context.require(holder.user.localID.exact == owner.localID.exact, .emailExists) }
            return .object(try signIn(holder?.user ?? owner, email: email))
        }
    }

    private func signIn(_ known: User?, email: String) throws -> JSONObject {
        var user = known ?? User(localID: context.newID())
        user.email = email
        user.emailVerified = true
        user.signsInByLink = true
        user.tenantID = context.scope.tenant
        let signIn = BlockingFunctions.SignIn(method: "emailLink")
        if known == nil {
            user.createdAt = context.now.milliseconds
            try context.functions.beforeCreate(&user, signIn)
            user.settleIdentities()
        }
        let made = user
        let isPending = context.factors.isAsked(of: user)
        let claims = isPending ? [:] : try context.functions.beforeSignIn(&user, signIn, isNew: known == nil)
        user.settleIdentities()
        if known == nil { try context.users.create(user, asMade: made) } else { try context.users.update(user) }
        let response: JSONObject = [
            "kind": "identitytoolkit#EmailLinkSigninResponse", "email": .string(email), "localId": .string(user.localID),
            "isNewUser": .bool(known == nil),
        ]
        if isPending {
            return response.adding(try context.factors.pending(user, provider: ProviderID.password))
        }
        user.lastLoginAt = context.now.milliseconds
        let tokens = try context.tokens.issue(to: &user, Grant(provider: ProviderID.password, claims: claims))
        try context.users.touch(user)
        return response.adding(tokens)
    }
}
