package import Lockstep
package import LockstepDirectory
internal import LockstepGoTrue
package import LockstepPrimitives

extension DirectoryUser {
    /// Reads GoTrue's user object as administrators get it; in lists `identities` is `null`.
    ///
    /// - Throws: `invalidResponse` for any other object.
    package init(goTrue object: JSONObject, now: Instant) throws(AuthError) {
        let user = try User(goTrue: object)
        let own = user.goTrue
        self.init(user)
        emailConfirmedAt = own.emailConfirmedAt
        phoneConfirmedAt = own.phoneConfirmedAt
        isDisabled = own.bannedUntil.map { $0 > now } ?? false
        providers = (own.appMetadata["providers"]?.array ?? []).compactMap(\.string).map(IdentityProvider.init)
        userMetadata = own.userMetadata
        appMetadata = own.appMetadata
        lastSignInAt = own.lastSignInAt
        fields = object
    }
}
