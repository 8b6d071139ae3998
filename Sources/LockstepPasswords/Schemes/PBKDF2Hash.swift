internal import LockstepCrypto
internal import LockstepPrimitives

/// A PBKDF2 hash (RFC 8018).
struct PBKDF2Hash: PasswordScheme {
    let function: HashFunction
    let iterations: Int
    let salt: [UInt8]
    let hash: [UInt8]

    init(_ function: HashFunction, iterations: Int, salt: [UInt8], hash: [UInt8]) throws(PasswordError) {
        guard iterations > 0, !hash.isEmpty else { throw .malformed("PBKDF2") }
        self.function = function
        self.iterations = iterations
        self.salt = salt
        self.hash = hash
    }

    /// Reads `$pbkdf2-sha256$i=600000$salt$hash`.
    init(_ text: String) throws(PasswordError) {
        guard let parts = HashText(text)?.parts, parts.count == 4,
            let function = HashFunction(rawValue: String(parts[0].dropFirst(7))),
            let settings = HashText.settings(parts[1]), settings.count == 1, let iterations = HashText.number(settings["i"]),
            let salt = HashText.read(parts[2]), let hash = HashText.read(parts[3])
        else { throw .malformed("PBKDF2") }
        try self.init(function, iterations: iterations, salt: salt, hash: hash)
    }

    /// Reads Django's `pbkdf2_sha256$600000$salt$hash`: the salt is a text, the hash base64.
    init(django text: String) throws(PasswordError) {
        try self.init(text, .sha256, salt: { Array($0.utf8) }, hash: { HashText.read($0) })
    }

    /// Reads `name$iterations$salt$hash`, and the length of the hash if it follows.
    init(
        _ text: String, _ function: HashFunction, salt: (String) -> [UInt8]?, hash: (String) -> [UInt8]?
    ) throws(PasswordError) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard (4...5).contains(parts.count), parts[0] == "pbkdf2_\(function.rawValue)",
            let iterations = HashText.number(parts[1]),
            let salt = salt(parts[2]), let hash = hash(parts[3]), parts.count == 4 || HashText.number(parts[4]) == hash.count
        else { throw .malformed("PBKDF2") }
        try self.init(function, iterations: iterations, salt: salt, hash: hash)
    }

    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool {
        do throws(CryptoError) {
            let key = try KeyDerivation.pbkdf2(
                function, password: password, salt: salt, iterations: iterations, length: hash.count)
            return ConstantTime.areEqual(key, hash)
        } catch {
            throw PasswordError(.unavailable, error.message)
        }
    }

    var effort: PasswordEffort {
        let blocks = (hash.count + function.byteCount - 1) / function.byteCount
        return PasswordEffort(microseconds: Double(iterations) * Double(blocks) / 2)
    }

    var text: String {
        HashText.join(["pbkdf2-\(function.rawValue)", "i=\(iterations)", HashText.write(salt), HashText.write(hash)])
    }
}
