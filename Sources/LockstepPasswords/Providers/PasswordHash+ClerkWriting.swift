internal import LockstepCrypto
internal import LockstepPrimitives

extension PasswordHash {
    /// The hash in the format of Clerk's Backend API; `nil` if Clerk does not support its algorithm or its salt.
    public var clerkDigest: (hasher: ClerkHasher, digest: String)? {
        switch scheme {
        case let hash as CryptHash: hash.isBcrypt ? (.bcrypt, hash.text) : nil
        case let hash as PreparedCryptHash:
            switch hash.preparation {
            case .digested: (.bcryptSHA256Django, hash.text)
            case .peppered(let pepper):
                String(validating: pepper, as: UTF8.self).map { (.bcryptPeppered, hash.hash.text + "$" + $0) }
            }
        case let hash as Argon2Hash:
            hash.argon2.variant == .d || !hash.context.isEmpty
                ? nil : (ClerkHasher(rawValue: hash.argon2.variant.rawValue), hash.text)
        case let hash as FirebaseScryptHash: (.scryptFirebase, Self.clerkText(of: hash))
        case let hash as ScryptHash:
            Self.literal(hash.salt).map {
                (.scryptWerkzeug, "scrypt:\(hash.cost):\(hash.blockSize):\(hash.parallelism)$\($0)$\(Hex.encode(hash.hash))")
            }
        case let hash as PBKDF2Hash: Self.clerkText(of: hash)
        case let hash as PHPassHash: hash.isOverMD5 ? (.md5PHPass, String(hash.text.dropFirst(11))) : (.phpass, hash.text)
        case let hash as DigestHash: Self.clerkText(of: hash)
        case let hash as SymfonyHash:
            (.sha512Symfony, "sha512_symfony$\(hash.iterations)$\(hash.salt)$\(Base64.encode(hash.hash))")
        default: nil
        }
    }

    private static func clerkText(of hash: FirebaseScryptHash) -> String {
        let bytes = [hash.hash, hash.salt, hash.project.signerKey, hash.project.saltSeparator].map { Base64.encode($0) }
        return (bytes + ["\(hash.project.rounds)", "\(hash.project.memoryCost)"]).joined(separator: "$")
    }

    private static func clerkText(of hash: PBKDF2Hash) -> (hasher: ClerkHasher, digest: String)? {
        let start = "pbkdf2_\(hash.function.rawValue)$\(hash.iterations)$"
        switch hash.function {
        case .sha1: return literal(hash.salt).map { (.pbkdf2SHA1, start + "\($0)$\(Hex.encode(hash.hash))") }
        case .sha256: return (.pbkdf2SHA256, start + "\(Base64.encode(hash.salt))$\(Base64.encode(hash.hash))")
        case .sha512: return (.pbkdf2SHA512Hex, start + "\(Hex.encode(hash.salt))$\(Hex.encode(hash.hash))")
        case .md5, .sha224, .sha384: return nil
        }
    }

    private static func clerkText(of hash: DigestHash) -> (hasher: ClerkHasher, digest: String)? {
        guard hash.rounds == 1 else { return nil }
        switch (hash.function, hash.salt.isEmpty, hash.order) {
        case (.md5, true, _): return (.md5, Hex.encode(hash.hash))
        case (.sha256, true, _): return (.sha256, Hex.encode(hash.hash))
        case (.md5, false, .saltFirst): return literal(hash.salt).map { (.md5Salted, $0 + "$" + Hex.encode(hash.hash)) }
        case (.sha256, false, .saltFirst): return literal(hash.salt).map { (.sha256Salted, $0 + "$" + Hex.encode(hash.hash)) }
        case (.sha1, false, .passwordFirst): return (.ldapSSHA, "{SSHA}" + Base64.encode(hash.hash + hash.salt))
        default: return nil
        }
    }

    /// Returns the salt as text; `nil` if it cannot be written between dollar signs.
    private static func literal(_ salt: [UInt8]) -> String? {
        salt.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "$") } ? String(decoding: salt, as: UTF8.self) : nil
    }
}
