internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Creates accounts for people who sign up.
struct SignUps {
    let context: RequestContext

    /// The outcome of a sign-up.
    enum Outcome {
        /// A user who must still verify the address.
        case waiting(User)
        /// A user that the server confirmed automatically.
        case confirmed(User)
        /// Another user has the address.
        case known(User)
    }

    /// Creates a user, or uses the unverified one with the same address; sends the message.
    func register(_ account: NewAccount) throws -> Outcome {
        var account = account
        let known: User?
        if account.phone.isEmpty {
            guard context.settings.signIn.allowsEmail else { throw GoTrueError.emailSignUpDisabled }
            account.email = try Address.email(account.email)
            known = try context.db.owner(ofEmail: account.email, audience: context.audience)
        } else {
            guard context.settings.signIn.allowsPhone else { throw GoTrueError.phoneSignUpDisabled }
            account.phone = try Address.phone(account.phone)
            known = try context.db.user(phone: account.phone, audience: context.audience)
        }
        // The real server hashes the password before the lookup, so that a known address takes as long as a new one.
        let passwordHash = try account.password.map(context.passwords.hash) ?? Passwords.unknown
        if let known, account.phone.isEmpty ? known.isEmailConfirmed : known.isPhoneConfirmed { return .known(known) }
        var user = try known ?? make(account, hash: passwordHash)
        var sharesData = false
        if let identity = try context.db.identity(subject: user.id, provider: account.provider) {
            user.identities = [identity]
        } else {
            var data = Identity.data(of: user.id, email: user.email)
            for (name, value) in account.data where data[name] == nil { data[name] = value }
            var identity = try context.users.makeIdentity(of: user, account.provider, data)
            if known == nil {
                user.mergeUserMetadata(data)
                try context.users.save(&user)
            } else {
                // The earlier account was never verified, so its identities are removed.
                try context.users.removeUnprovenIdentities(&user, but: identity)
            }
            // The real server stores metadata and a new identity's data in one map (`internal/models/user.go`,
            // RemoveUnconfirmedIdentities). Merging the metadata removes `null` members from the response, but not from
            // the row.
            identity.data = JSONObject(data.filter { !$0.value.isNull }.map { ($0.name, $0.value) })
            sharesData = true
            user.identities = [identity]
        }
        return account.phone.isEmpty
            ? try finishEmailSignUp(&user, account, sharesData: sharesData) : try finishPhoneSignUp(&user, account)
    }

    ///
    /// - `sharesData`: Whether the response's identity shows the changes of the metadata.
    private func finishEmailSignUp(_ user: inout User, _ account: NewAccount, sharesData: Bool) throws -> Outcome {
        if context.settings.mail.confirmsByItself {
            try context.users.confirmEmail(&user)
            // The stored row has false.
            if sharesData { user.identities?[0].data["email_verified"] = true }
            try context.auditLog.record(.signedUp, user, traits: ["provider": "email"])
            return .confirmed(user)
        }
        if let proof = account.proof { try context.flows.start("email", .emailSignUp, proof, of: user) }
        try context.mailer.sendConfirmation(to: &user, account.proof)
        try context.auditLog.record(.confirmationRequested, user, traits: ["provider": "email"])
        return .waiting(user)
    }

    private func finishPhoneSignUp(_ user: inout User, _ account: NewAccount) throws -> Outcome {
        if context.settings.sms.confirmsByItself {
            try context.users.confirmPhone(&user)
            try context.auditLog.record(.signedUp, user, traits: ["provider": "phone", "channel": .string(account.channel)])
            return .confirmed(user)
        }
        try context.textMessages.send(.confirmation, to: account.phone, of: &user)
        try context.auditLog.record(.confirmationRequested, user, traits: ["provider": "phone"])
        return .waiting(user)
    }

    /// Creates a user whose address is not verified, for a link or an invitation.
    func registerUnproven(_ email: String, _ data: JSONObject, hash: String? = nil) throws -> User {
        var user = context.users.blank()
        user.email = email
        user.passwordHash = hash
        user.setProviders(["email"])
        user.userMetadata = data
        try context.hooks.askBeforeCreating(user)
        try context.users.create(user)
        user.identities = [try context.users.makeIdentity(of: user, "email", Identity.data(of: user.id, email: email))]
        return user
    }

    /// Creates an anonymous user.
    func registerGuest(_ data: JSONObject) throws -> User {
        var user = context.users.blank()
        user.isAnonymous = true
        user.userMetadata = data
        try context.hooks.askBeforeCreating(user)
        try context.users.create(user)
        return user
    }

    /// Returns an invented user, so that the caller does not learn that the address is known.
    func disguise(_ user: User, _ account: NewAccount) -> User {
        var user = user
        user.id = context.uuid()
        user.role = ""
        user.emailChange = ""
        user.createdAt = context.now
        user.updatedAt = context.now
        user.confirmation.sentAt = context.now
        user.lastSignInAt = nil
        user.confirmedAt = nil
        user.emailChangeSentAt = nil
        user.emailConfirmedAt = nil
        user.phoneConfirmedAt = nil
        user.identities = []
        user.userMetadata = account.data
        user.appMetadata = [:]
        user.setProviders([account.provider])
        if account.phone.isEmpty { user.phone = "" } else { user.email = "" }
        return user
    }

    private func make(_ account: NewAccount, hash: String) throws -> User {
        var user = context.users.blank()
        user.email = account.email
        user.phone = account.phone
        user.passwordHash = hash
        user.setProviders([account.provider])
        // The metadata with its `null` members as they were sent; a merge would remove them.
        user.userMetadata = account.data
        try context.hooks.askBeforeCreating(user)
        try context.users.create(user)
        return user
    }
}

/// The values of a sign-up.
struct NewAccount {
    var email = ""
    var phone = ""
    /// `nil` for a random password that no user knows.
    var password: String?
    var data: JSONObject = [:]
    var channel = ""
    var proof: ProofKey?

    var provider: String { phone.isEmpty ? "email" : "phone" }
}
