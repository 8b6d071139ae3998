internal import Lockstep
internal import LockstepDirectory
internal import LockstepFirebase
internal import LockstepPasswords
internal import LockstepPrimitives

extension DirectoryUser {
    /// Reads Firebase's user as administrators get it.
    ///
    /// A guest is a user without any way to sign in again: Firebase does not mark guests.
    ///
    /// - Parameter hashing: The parameters of the project's hashes, without which none is read.
    /// - Throws: `invalidResponse` for any other object.
    init(firebase object: JSONObject, hashing: FirebaseHashing?) throws(AuthError) {
        let user = try User(firebase: object, claims: [:])
        self.init(user)
        hasPassword = object["passwordHash"]?.string?.isEmpty == false
        isAnonymous =
            user.identities.isEmpty && email == nil && phone == nil && hasPassword == false && object["customAuth"]?.bool != true
        isDisabled = object["disabled"]?.bool ?? false
        providers = identities.map(\.provider)
        appMetadata = (object["customAttributes"]?.string).flatMap { try? JSON.parse(Array($0.utf8)).object } ?? [:]
        lastSignInAt = (object["lastLoginAt"]?.string).flatMap { Int64($0) }.map { Instant(milliseconds: $0) }
        fields = user.fields
        // Any other version is a hash that was imported and has not signed in since: its parameters are not told.
        if let hashing, object["version"]?.int == 0, let hash = object["passwordHash"]?.string {
            passwordHash = (try? hashing.hash(passwordHash: hash, salt: object["salt"]?.string)).map { Secret($0.text) }
        }
    }
}
