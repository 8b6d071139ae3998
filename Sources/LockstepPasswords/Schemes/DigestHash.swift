internal import LockstepCrypto
internal import LockstepPrimitives

/// A plain digest of password and salt, with iterations.
///
/// It is weak, but some old systems have nothing else.
struct DigestHash: PasswordScheme {
    let function: HashFunction
    let rounds: Int
    let order: SaltOrder
    let salt: [UInt8]
    let hash: [UInt8]

    init(
        _ function: HashFunction, rounds: Int = 1, order: SaltOrder = .saltFirst, salt: [UInt8] = [], hash: [UInt8]
    ) throws(PasswordError) {
        guard function.isAvailable else {
            throw PasswordError(.unavailable, "This machine's policy forbids \(function.rawValue).")
        }
        guard rounds > 0, hash.count == function.byteCount else { throw .malformed(function.rawValue) }
        self.function = function
        self.rounds = rounds
        self.order = order
        self.salt = salt
        self.hash = hash
    }

    /// Reads `$digest-sha256$n=1,o=sp$salt$hash`.
    init(_ text: String) throws(PasswordError) {
        guard let parts = HashText(text)?.parts, parts.count == 4,
            let function = HashFunction(rawValue: String(parts[0].dropFirst(7))),
            let settings = HashText.settings(parts[1]), settings.count == 2, let rounds = HashText.number(settings["n"]),
            let order = settings["o"].flatMap(SaltOrder.init), let salt = HashText.read(parts[2]),
            let hash = HashText.read(parts[3])
        else { throw .malformed("digest") }
        try self.init(function, rounds: rounds, order: order, salt: salt, hash: hash)
    }

    /// Reads LDAP's `{SSHA}…`: a SHA-1 digest of password and salt, and the salt after it.
    init(ldap text: String) throws(PasswordError) {
        guard text.hasPrefix("{SSHA}"), let bytes = HashText.read(String(text.dropFirst(6))), bytes.count > 20 else {
            throw .malformed("SSHA")
        }
        try self.init(.sha1, order: .passwordFirst, salt: Array(bytes.dropFirst(20)), hash: Array(bytes.prefix(20)))
    }

    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool {
        var digest = function.digest(order.join(password, salt))
        for _ in 1..<rounds { digest = function.digest(digest) }
        return ConstantTime.areEqual(digest, hash)
    }

    var effort: PasswordEffort { PasswordEffort(microseconds: Double(rounds)) }

    var text: String {
        HashText.join([
            "digest-\(function.rawValue)", "n=\(rounds),o=\(order.rawValue)", HashText.write(salt), HashText.write(hash),
        ])
    }
}
