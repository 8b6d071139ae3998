internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:signInWithPhoneNumber`: by code, or by the proof of a number that another account had.
struct SignInWithPhoneNumber: Endpoint {
    let shape = Shape.signInWithPhoneNumber

    static let noFirstFactor = "A phone number cannot be set as a first factor on an SMS based MFA user."

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        try request.require(request.scope.tenant == nil, .unsupportedTenantOperation)
        try request.require(request.rules.methods.contains(.phone), .operationNotAllowed)
        let number = try provenNumber(request)
        // The code is used up from here on, even where the attempt is refused below.
        return try APIError.keepingChanges {
            let (user, isNew) = try account(of: number, request)
            return try signIn(user, isNew: isNew, number: number, request)
        }
    }

    private func provenNumber(_ request: AuthorizedRequest) throws -> String {
        let body = request.body
        if let proof = body.given("temporaryProof") {
            let number = try request.require(body.given("phoneNumber"), .missingPhoneNumber)
            try request.require(try request.phoneNumbers.accepts(proof: proof, of: number), .invalidTemporaryProof)
            return number
        }
        let session = try request.require(body.given("sessionInfo"), .missingSessionInfo)
        return try request.phoneNumbers.number(provenBy: try request.require(body.given("code"), .missingCode), session: session)
    }

    /// `nil` for another user's number, which only its owner may sign in with.
    private func account(of number: String, _ request: AuthorizedRequest) throws -> (
        user: User?, isNew: Bool
    ) {
        let owner = try request.db.user(phoneNumber: number, in: request.scope)
        let holder = try request.tokens.holderIfGiven()
        if let owner, let holder, owner.localID != holder.user.localID {
            try request.require(request.body.given("temporaryProof") == nil, .phoneNumberExists)
            return (nil, false)
        }
        guard let user = holder?.user ?? owner else { return (User(localID: request.newID()), true) }
        try request.require(user.isDisabled != true, .userDisabled)
        try request.require(!user.hasFactors, .unsupportedFirstFactor, Self.noFirstFactor)
        return (user, false)
    }

    private func signIn(
        _ known: User?, isNew: Bool, number: String, _ request: AuthorizedRequest
    ) throws -> JSON {
        guard var user = known else {
            let proof = request.newToken("phone proof", bytes: 89)
            try request.db.insertPhoneProof(proof, phoneNumber: number, at: request.now, in: request.scope)
            let life = String(PhoneNumberService.proofLife.components.seconds)
            return ["phoneNumber": .string(number), "temporaryProof": .string(proof), "temporaryProofExpiresIn": .string(life)]
        }
        user.phoneNumber = number
        user.lastLoginAt = request.now.milliseconds
        let signIn = BlockingFunctions.SignIn(method: ProviderID.phone)
        if isNew {
            user.createdAt = request.now.milliseconds
            try request.functions.beforeCreate(&user, signIn)
            user.settleIdentities()
        }
        let made = user
        let claims = try request.functions.beforeSignIn(&user, signIn, isNew: isNew)
        user.settleIdentities()
        let tokens = try request.tokens.issue(to: &user, Grant(provider: ProviderID.phone, claims: claims))
        if isNew { try request.create(user, asMade: made) } else { try request.db.update(user, in: request.scope) }
        let response: JSONObject = [
            "isNewUser": .bool(isNew), "phoneNumber": .string(number), "localId": .string(user.localID),
        ]
        return .object(response.adding(tokens))
    }
}

/// Firebase's `accounts:sendVerificationCode`.
struct SendVerificationCode: Endpoint {
    let shape = Shape.sendVerificationCode

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        try request.require(request.scope.tenant == nil, .unsupportedTenantOperation)
        try request.require(request.rules.methods.contains(.phone), .operationNotAllowed)
        let number = request.body.given("phoneNumber") ?? ""
        try request.require(request.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
        let owner = try request.db.user(phoneNumber: number, in: request.scope)
        try request.require(owner?.hasFactors != true, .unsupportedFirstFactor, SignInWithPhoneNumber.noFirstFactor)
        return ["sessionInfo": .string(try request.phoneNumbers.sendCode(to: number))]
    }
}
