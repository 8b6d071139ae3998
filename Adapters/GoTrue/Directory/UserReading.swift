internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrue
internal import LockstepPrimitives

extension DirectoryUser {
    /// Reads GoTrue's user object as administrators get it; in lists `identities` is `null`.
    ///
    /// - Throws: `invalidResponse` for any other object.
    init(goTrue object: JSONObject, now: Instant) throws(AuthError) {
        let user = try User(goTrue: object)
        let own = user.goTrue
        self.init(id: user.id)
        email = user.email
        isEmailConfirmed = user.isEmailVerified
        emailConfirmedAt = own.emailConfirmedAt
        phone = user.phone
        phoneConfirmedAt = own.phoneConfirmedAt
        displayName = user.displayName
        photoURL = user.photoURL
        isAnonymous = user.isAnonymous
        isDisabled = own.bannedUntil.map { $0 > now } ?? false
        identities = user.identities
        providers = (own.appMetadata["providers"]?.array ?? []).compactMap(\.string).map(IdentityProvider.init)
        userMetadata = own.userMetadata
        appMetadata = own.appMetadata
        createdAt = user.createdAt
        lastSignInAt = own.lastSignInAt
        fields = object
    }
}
