internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    /// The outcome of a sign-up.
    enum SignUpOutcome {
        /// A user that still has to prove the address.
        case waiting(User)
        /// A user that the server confirmed by itself.
        case confirmed(User)
        /// Another user has the address.
        case known(User)
    }

    /// Creates a user, or takes the unproven one of the same address; sends the message.
    mutating func signUp(_ account: NewAccount, _ db: inout SQLiteConnection) throws -> SignUpOutcome {
        var account = account
        let known: User?
        if account.phone.isEmpty {
            guard settings.signIn.allowsEmail else {
                throw GoTrueError.bad(.emailProviderDisabled, "Email signups are disabled")
            }
            account.email = try Address.email(account.email)
            known = try db.owner(ofEmail: account.email, audience: audience)
        } else {
            guard settings.signIn.allowsPhone else {
                throw GoTrueError.bad(.phoneProviderDisabled, "Phone signups are disabled")
            }
            account.phone = try Address.phone(account.phone)
            known = try db.user(phone: account.phone, audience: audience)
        }
        // The real server hashes before the look-up: a known address takes as long as a new one.
        let passwordHash = try account.password.map(hash) ?? Self.unknownPassword
        if let known, account.phone.isEmpty ? known.isEmailConfirmed : known.isPhoneConfirmed { return .known(known) }
        var user = try known ?? make(account, hash: passwordHash, &db)
        if try db.identity(subject: user.id, provider: account.provider) == nil {
            var data = Identity.data(of: user.id, email: user.email)
            for (name, value) in account.data where data[name] == nil { data[name] = value }
            let identity = try makeIdentity(of: user, account.provider, data, &db)
            if known == nil {
                user.mergeUserMetadata(data)
                try save(&user, &db)
            } else {
                // The earlier account was never proven, so its identities are removed.
                try removeUnprovenIdentities(&user, but: identity, &db)
            }
            user.identities = [identity]
        }
        return account.phone.isEmpty
            ? try finishEmailSignUp(&user, account, &db) : try finishPhoneSignUp(&user, account, &db)
    }

    private mutating func finishEmailSignUp(
        _ user: inout User, _ account: NewAccount, _ db: inout SQLiteConnection
    ) throws -> SignUpOutcome {
        if settings.mail.confirmsByItself {
            try confirmEmail(&user, &db)
            // The real server keeps both in one map, so the answer shows more than the stored row.
            if user.identities?.isEmpty == false { user.identities?[0].data["email_verified"] = true }
            try audit(.signedUp, user, &db, traits: ["provider": "email"])
            return .confirmed(user)
        }
        if let proof = account.proof { try startFlow("email", .emailSignUp, proof, of: user, &db) }
        try sendConfirmation(to: &user, account.proof, &db)
        try audit(.confirmationRequested, user, &db, traits: ["provider": "email"])
        return .waiting(user)
    }

    private mutating func finishPhoneSignUp(
        _ user: inout User, _ account: NewAccount, _ db: inout SQLiteConnection
    ) throws -> SignUpOutcome {
        if settings.sms.confirmsByItself {
            try confirmPhone(&user, &db)
            try audit(.signedUp, user, &db, traits: ["provider": "phone", "channel": .string(account.channel)])
            return .confirmed(user)
        }
        try sendSMS(.confirmation, to: account.phone, of: &user, &db)
        try audit(.confirmationRequested, user, &db, traits: ["provider": "phone"])
        return .waiting(user)
    }

    private mutating func make(_ account: NewAccount, hash: String, _ db: inout SQLiteConnection) throws -> User {
        var user = User(id: uuid(), audience: audience, role: settings.tokens.role, at: now)
        user.email = account.email
        user.phone = account.phone
        user.passwordHash = hash
        user.appMetadata = ["provider": .string(account.provider), "providers": [.string(account.provider)]]
        user.mergeUserMetadata(account.data)
        try askBeforeCreating(user)
        try create(user, &db)
        return user
    }

    /// Stores a flow with a proof key.
    mutating func startFlow(
        _ provider: String, _ method: AuthenticationMethod, _ proof: ProofKey, of user: User, _ db: inout SQLiteConnection
    ) throws {
        guard proof.isKnown else { throw GoTrueError.unhandled }
        try db.insert(
            FlowState(
                id: uuid(), userID: user.id, code: uuid(), challengeMethod: proof.method, challenge: proof.challenge,
                provider: provider,
                method: method, createdAt: now))
    }
}
