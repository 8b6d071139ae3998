internal import LockstepPrimitives

extension PasswordHash {
    /// The hash as Firebase keeps it for a user, in web-safe base64, where it is one of Firebase's own scrypt; else `nil`.
    public var firebaseRecord: (passwordHash: String, salt: String)? {
        guard let hash = scheme as? FirebaseScryptHash else { return nil }
        return (Self.webSafe(hash.hash), Self.webSafe(hash.salt))
    }

    /// Web-safe with filling, as Google's APIs write bytes.
    private static func webSafe(_ bytes: [UInt8]) -> String {
        String(Base64.encode(bytes).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }
}
