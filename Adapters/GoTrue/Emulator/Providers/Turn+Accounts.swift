internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    /// The outcome of a sign-in by a provider.
    enum ProviderOutcome {
        case signedIn(User)
        /// A refusal that commits the transaction.
        case refused(GoTrueError)
    }

    /// Finds or creates a person's account, by the server's rules of linking.
    mutating func account(
        of claims: ProviderClaims, at provider: String, allowsNoEmail: Bool, _ db: inout SQLiteConnection
    ) throws -> ProviderOutcome {
        var user: User
        var identity: Identity
        var candidate = claims.email?.lowercased() ?? ""
        let isVerified = claims.email != nil && (claims.isEmailVerified || settings.mail.confirmsByItself)
        if let known = try db.identity(subject: claims.subject, provider: provider), let owner = try db.user(id: known.userID) {
            user = owner
            identity = known
            candidate = owner.email
            identity.data = claims.data
            identity.lastSignInAt = now
            try db.save(identity)
            user.mergeUserMetadata(claims.data)
            try updateProviders(&user, &db)
            user.identities = try db.identities(of: user.id)
        } else if isVerified, let owner = try userToLink(candidate, &db) {
            user = owner
            identity = try makeIdentity(of: user, provider, subject: claims.subject, claims.data, &db)
            user.mergeUserMetadata(claims.data)
            try updateProviders(&user, &db)
            try auditLink(of: identity, to: user, &db)
        } else {
            guard !settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
            if !isVerified, !candidate.isEmpty, try db.owner(ofEmail: candidate, audience: audience) != nil { candidate = "" }
            (user, identity) = try makeUser(candidate, claims, at: provider, &db)
        }
        if user.isBanned(at: now) { throw GoTrueError.banned }
        guard !allowsNoEmail || !candidate.isEmpty, !user.isEmailConfirmed else {
            try audit(.login, user, &db, traits: ["provider": .string(provider)])
            return .signedIn(user)
        }
        return try takeOver(&user, identity, candidate: candidate, isVerified: isVerified, provider, &db)
    }

    /// The user with a proven address, in an identity or else as the user's own.
    private func userToLink(_ email: String, _ db: inout SQLiteConnection) throws -> User? {
        let owners = try db.users(ofIdentityEmail: email)
        guard let owner = owners.first else { return try db.user(email: email, audience: audience) }
        guard owners.count == 1 else {
            throw GoTrueError.failure(
                "Multiple accounts with the same email address in the same linking domain detected: default")
        }
        return try db.user(id: owner)
    }

    private func auditLink(of identity: Identity, to user: User, _ db: inout SQLiteConnection) throws {
        try audit(.identityLinked, user, &db, traits: identity.auditTraits)
    }

    private mutating func makeUser(
        _ email: String, _ claims: ProviderClaims, at provider: String, _ db: inout SQLiteConnection
    ) throws -> (User, Identity) {
        var user = User(id: uuid(), audience: audience, role: settings.tokens.role, at: now)
        user.email = email
        user.mergeUserMetadata(claims.data)
        user.appMetadata = ["provider": .string(provider), "providers": [.string(provider)]]
        try askBeforeCreating(user)
        try create(user, &db)
        let identity = try makeIdentity(of: user, provider, subject: claims.subject, claims.data, &db)
        user.identities = [identity]
        return (user, identity)
    }

    private mutating func takeOver(
        _ user: inout User, _ identity: Identity, candidate: String, isVerified: Bool, _ provider: String,
        _ db: inout SQLiteConnection
    ) throws -> ProviderOutcome {
        try removeUnprovenIdentities(&user, but: identity, &db)
        if isVerified {
            try confirmEmail(&user, &db)
            try audit(.signedUp, user, &db, traits: ["provider": .string(provider)])
            return .signedIn(user)
        }
        if !candidate.isEmpty { try sendConfirmation(to: &user, nil, &db) }
        if settings.mail.allowsUnverified { return .signedIn(user) }
        let message =
            candidate.isEmpty
            ? "Unverified email with \(provider). Verify the email with \(provider) in order to sign in"
            : "Unverified email with \(provider). A confirmation email has been sent to your \(provider) email"
        return .refused(.unprocessable(.providerEmailNeedsVerification, message))
    }

    /// Accepts an invitation through a provider, whose profile must have the invited address.
    mutating func acceptInvite(
        _ token: String, by claims: ProviderClaims, at provider: String, _ db: inout SQLiteConnection
    ) throws -> User {
        guard var user = try db.user(linkHash: token, [.confirmation]) else {
            throw GoTrueError.notFound(.inviteNotFound, "Invite not found")
        }
        guard claims.email == user.email else {
            throw GoTrueError.invalid("Invited email does not match emails from external provider")
        }
        let identity = try makeIdentity(of: user, provider, subject: claims.subject, claims.data, &db)
        try audit(.inviteAccepted, user, &db, traits: ["provider": .string(provider)])
        try removeUnprovenIdentities(&user, but: identity, &db)
        try confirmEmail(&user, &db)
        return user
    }

    /// Adds an identity to a signed-in account.
    mutating func link(
        _ claims: ProviderClaims, at provider: String, to owner: User, _ db: inout SQLiteConnection
    ) throws -> ProviderOutcome {
        var user = owner
        if let known = try db.identity(subject: claims.subject, provider: provider) {
            let isOwn = known.userID == user.id
            throw GoTrueError.unprocessable(
                .identityAlreadyExists, isOwn ? "Identity is already linked" : "Identity is already linked to another user")
        }
        let identity = try makeIdentity(of: user, provider, subject: claims.subject, claims.data, &db)
        try auditLink(of: identity, to: user, &db)
        if user.email.isEmpty {
            guard try updateEmail(&user, &db) else { throw GoTrueError.bad(.emailExists, GoTrueError.emailTaken.message) }
            if !claims.isEmailVerified {
                try sendConfirmation(to: &user, nil, &db)
                return .refused(
                    .unprocessable(
                        .emailNotConfirmed,
                        "Unverified email with \(provider). A confirmation email has been sent to your \(provider) email"))
            }
            try confirmEmail(&user, &db)
            user.isAnonymous = false
        }
        try updateProviders(&user, &db)
        return .signedIn(user)
    }
}
