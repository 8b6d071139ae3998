internal import LockstepCrypto
internal import LockstepPrimitives

/// An scrypt hash (RFC 7914).
struct ScryptHash: PasswordScheme {
    let cost: Int
    let blockSize: Int
    let parallelism: Int
    let salt: [UInt8]
    let hash: [UInt8]

    init(cost: Int, blockSize: Int, parallelism: Int, salt: [UInt8], hash: [UInt8]) throws(PasswordError) {
        let limit = 1 << 30
        guard cost > 1, cost <= limit, cost.nonzeroBitCount == 1, (1...limit).contains(blockSize),
            (1...limit).contains(parallelism),
            !hash.isEmpty
        else { throw .malformed("scrypt") }
        self.cost = cost
        self.blockSize = blockSize
        self.parallelism = parallelism
        self.salt = salt
        self.hash = hash
    }

    /// Reads `$scrypt$ln=14,r=8,p=1$salt$hash`.
    init(_ text: String) throws(PasswordError) {
        guard let parts = HashText(text)?.parts, parts.count == 4, let settings = HashText.settings(parts[1]),
            settings.count == 3,
            let exponent = HashText.number(settings["ln"]), exponent < 31, let blockSize = HashText.number(settings["r"]),
            let parallelism = HashText.number(settings["p"]), let salt = HashText.read(parts[2]),
            let hash = HashText.read(parts[3])
        else { throw .malformed("scrypt") }
        try self.init(cost: 1 << exponent, blockSize: blockSize, parallelism: parallelism, salt: salt, hash: hash)
    }

    /// Reads Werkzeug's `scrypt:32768:8:1$salt$hash`: the salt is a text, the hash hexadecimal.
    init(werkzeug text: String) throws(PasswordError) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        let numbers = parts[0].split(separator: ":", omittingEmptySubsequences: false).dropFirst().map { HashText.number($0) }
        guard parts.count == 3, numbers.count == 3, let cost = numbers[0], let blockSize = numbers[1],
            let parallelism = numbers[2],
            let hash = Hex.decode(parts[2])
        else { throw .malformed("Werkzeug scrypt") }
        try self.init(cost: cost, blockSize: blockSize, parallelism: parallelism, salt: Array(parts[1].utf8), hash: hash)
    }

    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool {
        do throws(CryptoError) {
            let key = try KeyDerivation.scrypt(
                password: password, salt: salt, cost: cost, blockSize: blockSize, parallelism: parallelism, length: hash.count,
                memoryLimit: .max)
            return ConstantTime.areEqual(key, hash)
        } catch {
            throw PasswordError(.unavailable, error.message)
        }
    }

    var effort: PasswordEffort { Self.effort(cost: cost, blockSize: blockSize, parallelism: parallelism) }

    static func effort(cost: Int, blockSize: Int, parallelism: Int) -> PasswordEffort {
        let block = 128 * Double(blockSize)
        let memory = block * Double(cost)
        return PasswordEffort(memory: memory + block * Double(parallelism), microseconds: memory * Double(parallelism) / 400)
    }

    var text: String {
        let settings = "ln=\(cost.trailingZeroBitCount),r=\(blockSize),p=\(parallelism)"
        return HashText.join(["scrypt", settings, HashText.write(salt), HashText.write(hash)])
    }
}
