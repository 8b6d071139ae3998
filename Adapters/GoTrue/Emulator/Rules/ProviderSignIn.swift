internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Finds, creates and links the accounts of people who return from an identity provider.
struct ProviderSignIn {
    let context: RequestContext

    /// The outcome of a sign-in with a provider.
    enum Outcome {
        case signedIn(User)
        /// An error that commits the transaction.
        case refused(GoTrueError)
    }

    /// Finds or creates a person's account, by the server's rules for linking.
    func account(of claims: ProviderClaims, at provider: String, allowsNoEmail: Bool) throws -> Outcome {
        var user: User
        var identity: Identity
        var candidate = claims.email?.lowercased() ?? ""
        let isVerified = claims.email != nil && (claims.isEmailVerified || context.settings.mail.confirmsByItself)
        if let known = try context.db.identity(subject: claims.subject, provider: provider),
            let owner = try context.db.user(id: known.userID)
        {
            user = owner
            identity = known
            candidate = owner.email
            // The real server changes only the row: neither the time of the sign-in, nor the loaded user.
            identity.data = claims.data
            try context.db.update(identity)
            user.mergeUserMetadata(claims.data)
            try context.users.updateProviders(&user)
        } else if isVerified, let owner = try userToLink(candidate) {
            user = owner
            identity = try context.users.makeIdentity(of: user, provider, subject: claims.subject, claims.data)
            user.mergeUserMetadata(claims.data)
            try context.users.updateProviders(&user)
            try auditLink(of: identity, to: user)
        } else {
            guard !context.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
            if !isVerified, !candidate.isEmpty, try context.db.owner(ofEmail: candidate, audience: context.audience) != nil {
                candidate = ""
            }
            (user, identity) = try makeUser(candidate, claims, at: provider)
        }
        if user.isBanned(at: context.now) { throw GoTrueError.banned }
        guard !allowsNoEmail || !candidate.isEmpty, !user.isEmailConfirmed else {
            try context.auditLog.record(.login, user, traits: ["provider": .string(provider)])
            return .signedIn(user)
        }
        return try takeOver(&user, identity, candidate: candidate, isVerified: isVerified, provider)
    }

    /// Returns the user with a verified address, in an identity or else as the user's own.
    private func userToLink(_ email: String) throws -> User? {
        let owners = try context.db.users(ofIdentityEmail: email)
        guard let owner = owners.first else { return try context.db.user(email: email, audience: context.audience) }
        guard owners.count == 1 else {
            throw GoTrueError.failure(
                "Multiple accounts with the same email address in the same linking domain detected: default")
        }
        return try context.db.user(id: owner)
    }

    private func auditLink(of identity: Identity, to user: User) throws {
        try context.auditLog.record(.identityLinked, user, traits: identity.auditTraits)
    }

    private func makeUser(_ email: String, _ claims: ProviderClaims, at provider: String) throws -> (User, Identity) {
        var user = context.users.blank()
        user.email = email
        user.userMetadata = claims.data
        user.setProviders([provider])
        try context.hooks.askBeforeCreating(user)
        try context.users.create(user)
        let identity = try context.users.makeIdentity(of: user, provider, subject: claims.subject, claims.data)
        user.identities = [identity]
        return (user, identity)
    }

    private func takeOver(
        _ user: inout User, _ identity: Identity, candidate: String, isVerified: Bool, _ provider: String
    ) throws -> Outcome {
        try context.users.removeUnprovenIdentities(&user, but: identity)
        if isVerified {
            try context.users.confirmEmail(&user)
            try context.auditLog.record(.signedUp, user, traits: ["provider": .string(provider)])
            return .signedIn(user)
        }
        if !candidate.isEmpty { try context.mailer.sendConfirmation(to: &user, nil) }
        if context.settings.mail.allowsUnverified { return .signedIn(user) }
        return .refused(candidate.isEmpty ? .unverifiedEmail(at: provider) : .verificationSent(to: provider))
    }

    /// Accepts an invitation with a provider, whose profile must contain the invited address.
    func acceptInvite(_ token: String, by claims: ProviderClaims, at provider: String) throws -> User {
        guard var user = try context.db.user(linkHash: token, [.confirmation]) else { throw GoTrueError.inviteNotFound }
        guard claims.email == user.email else {
            throw GoTrueError.invalid("Invited email does not match emails from external provider")
        }
        let identity = try context.users.makeIdentity(of: user, provider, subject: claims.subject, claims.data)
        try context.auditLog.record(.inviteAccepted, user, traits: ["provider": .string(provider)])
        try context.users.removeUnprovenIdentities(&user, but: identity)
        try context.users.confirmEmail(&user)
        return user
    }

    /// Adds an identity to a signed-in account.
    func link(_ claims: ProviderClaims, at provider: String, to owner: User) throws -> Outcome {
        var user = owner
        if let known = try context.db.identity(subject: claims.subject, provider: provider) {
            let isOwn = known.userID.exact == user.id.exact
            throw GoTrueError.identityLinked(isOwn: isOwn)
        }
        let identity = try context.users.makeIdentity(of: user, provider, subject: claims.subject, claims.data)
        try auditLink(of: identity, to: user)
        if user.email.isEmpty {
            guard try context.users.updateEmail(&user) else { throw GoTrueError.emailTakenAtLink }
            if !claims.isEmailVerified {
                try context.mailer.sendConfirmation(to: &user, nil)
                return .refused(.linkVerificationSent(to: provider))
            }
            try context.users.confirmEmail(&user)
            user.isAnonymous = false
        }
        try context.users.updateProviders(&user)
        return .signedIn(user)
    }

    /// Throws an error if the settings do not let users add identities.
    func requireManualLinking() throws {
        guard context.settings.signIn.allowsManualLinking else { throw GoTrueError.manualLinkingDisabled }
    }
}
