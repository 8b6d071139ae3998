import LockstepDirectory
import LockstepEmulation
import LockstepPrimitives

/// An error of a user's value in a file: the member, and a sentence.
struct MoveValueProblem: Error {
    let sentence: String
}

extension DirectoryUser {
    /// Creates a user from a file in the neutral format.
    ///
    /// - Parameter user: The user in the file. Sessions belong to the old backend, and are not read.
    /// - Throws: ``MoveValueProblem`` for a user without an id, for a plain password, and for an unknown reason.
    init(_ user: SeedUser) throws(MoveValueProblem) {
        guard let id = user.id, !id.isEmpty else { throw MoveValueProblem(sentence: "The user has no \"id\". Add it.") }
        guard user.password == nil else {
            throw MoveValueProblem(sentence: "The user has a \"password\" in plain text. Write \"passwordHash\" instead.")
        }
        self.init(id: id)
        values = user.values
        providerIdentities = user.identities.map(DirectoryIdentity.init)
        factors = user.factors
        notShown = Set(user.notShown.map(DirectoryFeature.init))
        providers = user.providers.map(IdentityProvider.init)
        passwordHash = user.passwordHash
        missingHash = try passwordHash == nil ? Self.reason(user.missingHash) : nil
        hasPassword = missingHash != .noPassword
        passwordChangedAt = user.passwordChangedAt
        sessionsValidSince = user.sessionsValidSince
    }

    private static func reason(_ text: String?) throws(MoveValueProblem) -> MissingHash {
        guard let text else { return .noPassword }
        if let reason = MissingHash(rawValue: text) { return reason }
        let names = MissingHash.allCases.map(\.rawValue)
        throw MoveValueProblem(
            sentence:
                "invalid value \"\(text.prefix(40).description.visible)\" for \"missingHash\": expected \(names.listedAsChoice)")
    }
}

extension SeedUser {
    /// Creates a user of a file in the neutral format from a directory's user.
    ///
    /// The backend's own fields are left out, because each value has its own member.
    ///
    /// - Parameter user: The user that a directory has read.
    init(_ user: DirectoryUser) {
        self.init()
        id = user.id
        // What belongs to no address, number or ban is not written.
        values = NewDirectoryUser(user).values
        (values.hasEmailIdentity, values.hasPhoneIdentity) = (user.hasEmailIdentity, user.hasPhoneIdentity)
        identities = user.providerIdentities.map(SeedIdentity.init)
        factors = user.factors
        notShown = user.notShown.map(\.rawValue).sorted()
        providers = user.providers.map(\.rawValue)
        passwordHash = user.passwordHash
        missingHash = user.passwordHash != nil || user.missingHash == .noPassword ? nil : user.missingHash?.rawValue
        passwordChangedAt = user.passwordChangedAt
        sessionsValidSince = user.sessionsValidSince
    }
}

// Parts of a user, in both directions.

extension DirectoryIdentity {
    fileprivate init(_ identity: SeedIdentity) {
        self.init(
            IdentityProvider(rawValue: identity.provider), subject: identity.subject, email: identity.email,
            data: identity.data, createdAt: identity.createdAt, lastSignInAt: identity.lastSignInAt)
        displayName = identity.displayName
        photoURL = identity.photoURL
    }
}

extension SeedIdentity {
    fileprivate init(_ identity: DirectoryIdentity) {
        self.init(
            provider: identity.provider.rawValue, subject: identity.subject, email: identity.email, data: identity.data)
        displayName = identity.displayName
        photoURL = identity.photoURL
        createdAt = identity.createdAt
        lastSignInAt = identity.lastSignInAt
    }
}
