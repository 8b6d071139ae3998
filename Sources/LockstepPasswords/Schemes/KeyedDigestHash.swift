internal import LockstepCrypto

/// An HMAC of password and salt with a key of the server.
struct KeyedDigestHash: PasswordScheme {
    let function: HashFunction
    let key: [UInt8]
    let order: SaltOrder
    let salt: [UInt8]
    let hash: [UInt8]

    init(_ function: HashFunction, key: [UInt8], order: SaltOrder, salt: [UInt8], hash: [UInt8]) throws(PasswordError) {
        guard function.isAvailable else {
            throw PasswordError(.unavailable, "This machine's policy forbids \(function.rawValue).")
        }
        guard hash.count == function.byteCount else { throw .malformed("HMAC") }
        self.function = function
        self.key = key
        self.order = order
        self.salt = salt
        self.hash = hash
    }

    /// Reads `$hmac-sha256$o=sp,k=key$salt$hash`.
    init(_ text: String) throws(PasswordError) {
        guard let parts = HashText(text)?.parts, parts.count == 4,
            let function = HashFunction(rawValue: String(parts[0].dropFirst(5))),
            let settings = HashText.settings(parts[1]), settings.count == 2, let key = HashText.read(settings["k"]),
            let order = settings["o"].flatMap(SaltOrder.init), let salt = HashText.read(parts[2]),
            let hash = HashText.read(parts[3])
        else { throw .malformed("HMAC") }
        try self.init(function, key: key, order: order, salt: salt, hash: hash)
    }

    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool {
        ConstantTime.areEqual(function.authenticate(order.join(password, salt), key: key), hash)
    }

    var effort: PasswordEffort { PasswordEffort(microseconds: 1) }

    var text: String {
        HashText.join([
            "hmac-\(function.rawValue)", "o=\(order.rawValue),k=\(HashText.write(key))", HashText.write(salt),
            HashText.write(hash),
        ])
    }
}
