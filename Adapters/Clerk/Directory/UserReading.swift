internal import Lockstep
internal import LockstepClerk
internal import LockstepDirectory
internal import LockstepPrimitives
internal import LockstepWire

extension DirectoryUser {
    /// Reads Clerk's user as administrators get it.
    ///
    /// - Throws: `invalidResponse` for any other object.
    init(clerk object: JSONObject) throws(AuthError) {
        let user = try User(clerk: object)
        self.init(user)
        isDisabled = object["banned"]?.bool ?? false
        hasPassword = object["password_enabled"]?.bool
        var known: [IdentityProvider] = []
        for provider in identities.map(\.provider) where !known.contains(provider) { known.append(provider) }
        providers = known
        userMetadata = object["unsafe_metadata"]?.object ?? [:]
        appMetadata = object["public_metadata"]?.object ?? [:]
        privateMetadata = object["private_metadata"]?.object ?? [:]
        externalID = object["external_id"]?.filled
        lastSignInAt = (object["last_sign_in_at"]?.int).map { Instant(milliseconds: $0) }
        fields = object
    }
}
