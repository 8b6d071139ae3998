internal import LockstepCrypto

/// An Argon2 hash.
struct Argon2Hash: PasswordScheme {
    let argon2: Argon2
    let salt: [UInt8]
    /// Associated data.
    let context: [UInt8]
    let hash: [UInt8]

    init(_ argon2: Argon2, salt: [UInt8], context: [UInt8] = [], hash: [UInt8]) {
        self.argon2 = argon2
        self.salt = salt
        self.context = context
        self.hash = hash
    }

    /// Reads `$argon2id$v=19$m=65536,t=3,p=4$salt$hash`.
    ///
    /// Without `v`, it is version 1.0; `data` may follow `p`.
    init(_ text: String) throws(PasswordError) {
        guard var parts = HashText(text)?.parts, let variant = parts.first.flatMap(Argon2.Variant.init) else {
            throw .malformed("Argon2")
        }
        var version = Argon2.Version.v10
        if parts.count == 5 {
            guard parts[1].hasPrefix("v="), let number = HashText.number(parts[1].dropFirst(2)),
                let known = Argon2.Version(rawValue: number)
            else {
                throw .malformed("Argon2")
            }
            version = known
            parts.remove(at: 1)
        }
        guard parts.count == 4, let settings = HashText.settings(parts[1]),
            Set(settings.keys).isSubset(of: ["m", "t", "p", "data"]),
            let memory = HashText.number(settings["m"]), let passes = HashText.number(settings["t"]),
            let lanes = HashText.number(settings["p"]), let salt = HashText.read(parts[2]), let hash = HashText.read(parts[3]),
            let context = HashText.read(settings["data"] ?? ""), salt.count >= 8, hash.count >= 4, passes > 0, lanes > 0,
            memory >= 8 * lanes
        else { throw .malformed("Argon2") }
        self.init(
            Argon2(variant, version: version, memory: memory, passes: passes, lanes: lanes, length: hash.count), salt: salt,
            context: context, hash: hash)
    }

    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool {
        do throws(HashError) {
            return ConstantTime.areEqual(try argon2.hash(password, salt: salt, context: context), hash)
        } catch {
            throw PasswordError(.unavailable, error.message)
        }
    }

    var effort: PasswordEffort {
        PasswordEffort(memory: Double(argon2.memory) * 1024, microseconds: Double(argon2.memory) * Double(argon2.passes))
    }

    var text: String {
        let data = context.isEmpty ? "" : ",data=" + HashText.write(context)
        return HashText.join([
            argon2.variant.rawValue, "v=\(argon2.version.rawValue)",
            "m=\(argon2.memory),t=\(argon2.passes),p=\(argon2.lanes)\(data)",
            HashText.write(salt), HashText.write(hash),
        ])
    }
}
