internal import LockstepCrypto
public import LockstepPrimitives

extension PasswordHash {
    /// Hashes another password in the same way as this hash, with a new salt.
    ///
    /// The new hash has the same algorithm, the same costs and the same keys. The call needs the same time as a
    /// password check, and blocks the thread.
    ///
    /// ```swift
    /// let old = try PasswordHash("$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy")
    /// let new = try old.hashingAlike("a better password", randomness: SystemRandomness())
    /// print(new?.description ?? "not supported")
    /// ```
    ///
    /// - Parameters:
    ///   - password: The other password.
    ///   - randomness: The source of randomness for the salt.
    /// - Returns: The hash; `nil` if this library can only verify hashes of this algorithm.
    /// - Throws: ``PasswordError`` with `passwordTooLong` if bcrypt would ignore the end of the password, or
    ///   `unavailable` if the machine cannot compute the hash.
    public func hashingAlike(_ password: Secret, randomness: any Randomness) throws(PasswordError) -> PasswordHash? {
        let bytes = Array(password.reveal().utf8)
        switch scheme {
        case let hash as CryptHash where hash.isBcrypt: return PasswordHash(try hash.hashingAlike(bytes, randomness))
        case let hash as Argon2Hash: return PasswordHash(try hash.hashingAlike(bytes, randomness))
        case let hash as FirebaseScryptHash:
            let salt = randomness.bytes(10)
            return PasswordHash(
                FirebaseScryptHash(hash.project, salt: salt, hash: try hash.project.hash(bytes, salt: salt)))
        default: return nil
        }
    }
}

extension CryptHash {
    private var bcryptCost: Int? { Int(text.dropFirst(4).prefix(2)) }

    fileprivate func hashingAlike(_ password: [UInt8], _ randomness: any Randomness) throws(PasswordError) -> CryptHash {
        guard password.count <= 72 else { throw PasswordError(.passwordTooLong, "bcrypt accepts passwords of up to 72 bytes.") }
        let hash: String
        do throws(HashError) {
            let setting = try Crypt.setting(.bcryptA, cost: bcryptCost ?? 10, random: randomness.bytes(16))
            // The new hash keeps the bcrypt variant of this hash.
            hash = try Crypt.hash(password, setting: String(text.prefix(4)) + String(setting.dropFirst(4)))
        } catch {
            throw PasswordError(.unavailable, error.message)
        }
        return try CryptHash(hash)
    }
}

extension Argon2Hash {
    fileprivate func hashingAlike(_ password: [UInt8], _ randomness: any Randomness) throws(PasswordError) -> Argon2Hash {
        let salt = randomness.bytes(16)
        do throws(HashError) {
            let hash = try argon2.hash(password, salt: salt, context: context)
            return Argon2Hash(argon2, salt: salt, context: context, hash: hash)
        } catch {
            throw PasswordError(.unavailable, error.message)
        }
    }
}
