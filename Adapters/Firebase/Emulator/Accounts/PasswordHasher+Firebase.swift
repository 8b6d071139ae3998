internal import LockstepCrypto
internal import LockstepPrimitives

extension PasswordHasher {
    /// The stored form of a password: Firebase's scrypt with the project's parameters.
    func hash(_ password: String) throws -> StoredPassword {
        let salt = randomness.bytes(10)
        return StoredPassword(hash: Base64.encode(try firebaseHash(password, salt: salt)), salt: Base64.encode(salt))
    }

    /// Firebase's scrypt (https://github.com/firebase/scrypt): scrypt makes a key, and the project's signer key, encrypted with it, is the hash.
    private func firebaseHash(_ password: String, salt: [UInt8]) throws(CryptoError) -> [UInt8] {
        let key = try KeyDerivation.scrypt(
            password: Array(password.utf8), salt: salt + saltSeparator, cost: 1 << settings.memoryCost,
            blockSize: settings.rounds,
            parallelism: 1, length: 32)
        return try AES(key: key).countered(signerKey, counter: Array(repeating: 0, count: 16))
    }

    /// Whether a password is the one that was hashed; anything that cannot be read is a no.
    func verify(_ password: String, _ stored: StoredPassword) -> Bool {
        if stored.hash.hasPrefix(Self.openPrefix) {
            // The form of Firebase's emulator, which hashes nothing.
            return ConstantTime.areEqual(stored.hash, "\(Self.openPrefix)salt=\(stored.salt ?? ""):password=\(password)")
        }
        if let scheme = stored.scheme { return verify(password, stored, scheme: scheme) }
        guard let salt = bytes(stored.salt ?? ""), let hash = bytes(stored.hash),
            let made = try? firebaseHash(password, salt: salt)
        else { return false }
        return ConstantTime.areEqual(hash, made)
    }

    /// The literal form of Firebase's emulator begins so.
    private static let openPrefix = "fakeHash:"

    /// Base 64 as administrators send it: either alphabet, filled up or not.
    func bytes(_ text: String) -> [UInt8]? { Base64.decode(text) ?? Base64.decode(text, .url) }
}

extension PasswordHasher {
    func importScheme(_ body: Body) throws -> String? { nil }
    func verify(_ password: String, _ stored: StoredPassword, scheme: String) -> Bool { false }
}
