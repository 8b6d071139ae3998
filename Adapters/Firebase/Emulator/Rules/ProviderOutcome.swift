internal import LockstepPrimitives

/// The outcome of an identity: the account that it belongs to or is linked with.
struct ProviderOutcome {
    enum Kind: Equatable {
        case new
        case known
        /// Another identity of the same provider takes over the account with its address.
        case recycled
        /// The user must first sign in to the account with this address, with one of these methods.
        case confirmation([String]?)
    }

    let kind: Kind
    var user: User

    init(_ profile: Profile, holder: Holder?, _ context: RequestContext) throws {
        (kind, user) = try Self.find(profile, holder: holder, context)
    }

    private static func find(_ profile: Profile, holder: Holder?, _ context: RequestContext) throws -> (Kind, User) {
        let owner = try context.users.find(provider: profile.provider, rawID: profile.rawID)
        if let holder {
            try context.require(owner == nil, .alreadyLinked)
            return (.known, try Self.link(profile, to: holder.user, context))
        }
        if let owner { return (.known, owner) }
        if !context.rules.allowsDuplicateEmails, let email = profile.email,
            let namesake = try context.users.find(email: email)
        {
            return Self.takeOver(namesake, profile, at: context.now)
        }
        return (.new, Self.newUser(profile, context))
    }

    /// Adds the identity to the account; uses its address only if the account has none, and never its name and picture.
    private static func link(
        _ profile: Profile, to user: User, _ context: RequestContext
    ) throws -> User {
        var user = user
        guard let email = profile.email else { return user }
        if !context.rules.allowsDuplicateEmails {
            let namesake = try context.users.find(email: email)
            try context.require(namesake == nil || namesake?.localID.exact == user.localID.exact, .emailExists)
            if user.email == nil {
                user.email = email
                user.emailVerified = profile.emailVerified
            }
        }
        if profile.emailVerified, user.email == email { user.emailVerified = true }
        return user
    }

    /// A verified address links the identity to the account; an unverified address must be confirmed.
    private static func takeOver(_ user: User, _ profile: Profile, at now: Instant) -> (Kind, User) {
        guard profile.emailVerified else {
            let providers = user.identities?.map(\.providerID).filter { ![ProviderID.password, ProviderID.phone].contains($0) }
            return (.confirmation(providers), user)
        }
        var user = user
        let isOther = (user.identities ?? []).contains {
            $0.providerID.exact == profile.provider.exact && $0.rawID.exact != profile.rawID.exact
        }
        if user.emailVerified != true {
            // This locks out an attacker who signed up with another person's address.
            user.password = nil
            user.phoneNumber = nil
            user.validSince = now.seconds
        }
        user.displayName = profile.displayName
        user.photoURL = profile.photoURL
        user.screenName = profile.screenName
        user.emailVerified = true
        return (isOther ? .recycled : .known, user)
    }

    private static func newUser(_ profile: Profile, _ context: RequestContext) -> User {
        var user = User(localID: context.newID())
        user.displayName = profile.displayName
        user.photoURL = profile.photoURL
        user.screenName = profile.screenName
        user.tenantID = context.scope.tenant
        if !context.rules.allowsDuplicateEmails, let email = profile.email {
            user.email = email
            user.emailVerified = profile.emailVerified
        }
        return user
    }
}
