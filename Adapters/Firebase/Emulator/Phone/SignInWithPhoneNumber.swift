internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:signInWithPhoneNumber`: by code, or by the proof of a number that another account had.
struct SignInWithPhoneNumber: Operation {
    let shape = Shape.signInWithPhoneNumber
    let effort = Effort.tokens

    static let noFirstFactor = "A phone number cannot be set as a first factor on an SMS based MFA user."

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        try call.require(call.space.tenant == nil, .unsupportedTenantOperation)
        try call.require(call.rules.methods.contains(.phone), .operationNotAllowed)
        return try call.transaction { db -> Result<JSON, APIError> in
            let number = try provenNumber(call, &db)
            do throws(APIError) {
                let (user, isNew) = try account(of: number, call, &db)
                return .success(try signIn(user, isNew: isNew, number: number, call, &db))
            } catch {
                // The code is used up all the same.
                return .failure(error)
            }
        }.get()
    }

    private func provenNumber(_ call: Call, _ db: inout SQLiteConnection) throws -> String {
        let body = call.body
        if let proof = body.given("temporaryProof") {
            let number = try call.require(body.given("phoneNumber"), .missingPhoneNumber)
            try call.require(try db.hasPhoneProof(proof, phoneNumber: number, in: call.space), .invalidTemporaryProof)
            return number
        }
        let session = try call.require(body.given("sessionInfo"), .missingSessionInfo)
        return try call.number(provenBy: try call.require(body.given("code"), .missingCode), session: session, &db)
    }

    /// `nil` for another user's number, which only its owner may sign in with.
    private func account(of number: String, _ call: Call, _ db: inout SQLiteConnection) throws(APIError) -> (
        user: User?, isNew: Bool
    ) {
        try APIError.only {
            let owner = try db.user(phoneNumber: number, in: call.space)
            let holder = try call.holderIfGiven(&db)
            if let owner, let holder, owner.localID != holder.user.localID {
                try call.require(call.body.given("temporaryProof") == nil, .phoneNumberExists)
                return (nil, false)
            }
            guard let user = holder?.user ?? owner else { return (User(localID: call.backend.newID()), true) }
            try call.require(user.isDisabled != true, .userDisabled)
            try call.require(!user.hasFactors, .unsupportedFirstFactor, Self.noFirstFactor)
            return (user, false)
        }
    }

    private func signIn(
        _ known: User?, isNew: Bool, number: String, _ call: Call, _ db: inout SQLiteConnection
    ) throws(APIError) -> JSON {
        try APIError.only {
            guard var user = known else {
                let proof = Base64.encode(call.backend.randomness.bytes(89), .url)
                try db.insertPhoneProof(proof, phoneNumber: number, at: call.now, in: call.space)
                return ["phoneNumber": .string(number), "temporaryProof": .string(proof), "temporaryProofExpiresIn": "3600"]
            }
            user.phoneNumber = number
            user.lastLoginAt = call.now.milliseconds
            if isNew { user.createdAt = call.now.milliseconds }
            user.settleIdentities()
            let tokens = try call.issue(to: &user, Grant(provider: ProviderID.phone), &db)
            if isNew { try db.insert(user, in: call.space) } else { try db.update(user, in: call.space) }
            let answer: JSONObject = [
                "isNewUser": .bool(isNew), "phoneNumber": .string(number), "localId": .string(user.localID),
            ]
            return .object(answer.adding(tokens))
        }
    }
}
