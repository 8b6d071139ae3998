internal import LockstepEmulation
internal import LockstepPrimitives

extension SignInRoutes {
    static let phoneNumberBody: BodySchema = [
        "code": .text, "idToken": .text,
        "operation": .choice(["VERIFY_OP_UNSPECIFIED", "SIGN_UP_OR_IN", "REAUTH", "UPDATE", "LINK"]), "phoneNumber": .text,
        "sessionInfo": .text, "temporaryProof": .text, "tenantId": .text, "verificationProof": .text,
    ]

    static let noFirstFactor = "A phone number cannot be set as a first factor on an SMS based MFA user."

    /// `accounts:signInWithPhoneNumber`: signs in with a code, or with the verification of a number that another
    /// account had.
    func withPhoneNumber() throws -> JSON {
        try context.require(context.scope.tenant == nil, .unsupportedTenantOperation)
        try context.require(context.rules.methods.contains(.phone), .operationNotAllowed)
        let number = try provenNumber()
        // The code is now used up, even if the attempt is rejected below.
        return try APIError.keepingChanges {
            let (user, isNew) = try account(of: number)
            return try signIn(user, isNew: isNew, number: number)
        }
    }

    private func provenNumber() throws -> String {
        let body = context.body
        if let proof = body.given("temporaryProof") {
            let number = try context.require(body.given("phoneNumber"), .missingPhoneNumber)
            try context.require(try context.phoneNumbers.accepts(proof: proof, of: number), .invalidTemporaryProof)
            return number
        }
        let session = try context.require(body.given("sessionInfo"), .missingSessionInfo)
        return try context.phoneNumbers.number(provenBy: try context.require(body.given("code"), .missingCode), session: session)
    }

    /// Returns `nil` for the number of another user, with which only that user may sign in.
    private func account(of number: String) throws -> (
        user: User?, isNew: Bool
    ) {
        let owner = try context.users.find(phoneNumber: number)
        let holder = try context.tokens.holderIfGiven()
        if let owner, let holder, owner.localID.exact != holder.user.localID.exact {
            try context.require(context.body.given("temporaryProof") == nil, .phoneNumberExists)
            return (nil, false)
        }
        guard let user = holder?.user ?? owner else { return (User(localID: context.newID()), true) }
        try context.require(user.isDisabled != true, .userDisabled)
        try context.require(!user.hasFactors, .unsupportedFirstFactor, Self.noFirstFactor)
        return (user, false)
    }

    private func signIn(
        _ known: User?, isNew: Bool, number: String
    ) throws -> JSON {
        guard var user = known else {
            let proof = try context.phoneNumbers.prove(number)
            let life = String(PhoneNumberService.proofLife.components.seconds)
            return ["phoneNumber": .string(number), "temporaryProof": .string(proof), "temporaryProofExpiresIn": .string(life)]
        }
        user.phoneNumber = number
        user.lastLoginAt = context.now.milliseconds
        let signIn = BlockingFunctions.SignIn(method: ProviderID.phone)
        if isNew {
            user.createdAt = context.now.milliseconds
            try context.functions.beforeCreate(&user, signIn)
            user.settleIdentities()
        }
        let made = user
        let claims = try context.functions.beforeSignIn(&user, signIn, isNew: isNew)
        user.settleIdentities()
        let tokens = try context.tokens.issue(to: &user, Grant(provider: ProviderID.phone, claims: claims))
        if isNew { try context.users.create(user, asMade: made) } else { try context.users.update(user) }
        let response: JSONObject = [
            "isNewUser": .bool(isNew), "phoneNumber": .string(number), "localId": .string(user.localID),
        ]
        return .object(response.adding(tokens))
    }
}
