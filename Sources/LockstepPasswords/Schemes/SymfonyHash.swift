internal import LockstepCrypto

/// The SHA-512 hash of old Symfony: the digest of `password{salt}`, digested again and again together with that text.
struct SymfonyHash: PasswordScheme {
    let iterations: Int
    let salt: String
    let hash: [UInt8]

    init(iterations: Int, salt: String, hash: [UInt8]) throws(PasswordError) {
        guard iterations > 0, hash.count == HashFunction.sha512.byteCount else { throw .malformed("Symfony") }
        self.iterations = iterations
        self.salt = salt
        self.hash = hash
    }

    /// Reads `$symfony-sha512$i=5000$salt$hash`.
    init(_ text: String) throws(PasswordError) {
        guard let parts = HashText(text)?.parts, parts.count == 4, let settings = HashText.settings(parts[1]),
            settings.count == 1,
            let iterations = HashText.number(settings["i"]), let salt = HashText.read(parts[2]),
            let hash = HashText.read(parts[3])
        else { throw .malformed("Symfony") }
        try self.init(iterations: iterations, salt: String(decoding: salt, as: UTF8.self), hash: hash)
    }

    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool {
        let salted = salt.isEmpty ? password : password + Array("{\(salt)}".utf8)
        var digest = HashFunction.sha512.digest(salted)
        for _ in 1..<iterations { digest = HashFunction.sha512.digest(digest + salted) }
        return ConstantTime.areEqual(digest, hash)
    }

    var effort: PasswordEffort { PasswordEffort(microseconds: Double(iterations)) }

    var text: String {
        HashText.join(["symfony-sha512", "i=\(iterations)", HashText.write(Array(salt.utf8)), HashText.write(hash)])
    }
}
