internal import LockstepCrypto
public import LockstepPrimitives

/// A password hash in the format of a Firebase import (`accounts:batchCreate`).
public struct FirebaseImport: Sendable, Hashable {
    /// The member `hashAlgorithm` and its parameters, which all users of one request share.
    public let parameters: JSONObject
    /// The user's `passwordHash`, in URL-safe base64.
    public let passwordHash: String
    /// The user's `salt`, in URL-safe base64; `nil` if the hash contains the salt.
    public let salt: String?
}

extension FirebaseImport: CustomStringConvertible, CustomReflectable {
    /// The name of the algorithm, never the hash or the project's key.
    public var description: String { "FirebaseImport(\(parameters["hashAlgorithm"]?.string ?? ""))" }

    /// A mirror without children, so that `dump` does not show the hash.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension PasswordHash {
    /// The hash in the format of a Firebase import; `nil` if Firebase does not support its algorithm or its costs.
    public var firebaseImport: FirebaseImport? {
        guard let (parameters, hash, salt) = firebaseParts else { return nil }
        let written = FirebaseImport(
            parameters: parameters, passwordHash: Self.webSafe(hash), salt: salt.isEmpty ? nil : Self.webSafe(salt))
        // The reader checks every limit. A hash that it cannot read back unchanged is not imported.
        let read = try? FirebaseHashing(parameters).hash(passwordHash: written.passwordHash, salt: written.salt)
        return read == self ? written : nil
    }

    private var firebaseParts: (parameters: JSONObject, hash: [UInt8], salt: [UInt8])? {
        switch scheme {
        case let hash as CryptHash: hash.isBcrypt ? (["hashAlgorithm": "BCRYPT"], Array(hash.text.utf8), []) : nil
        case let hash as FirebaseScryptHash:
            (
                [
                    "hashAlgorithm": "SCRYPT", "signerKey": .string(Self.webSafe(hash.project.signerKey)),
                    "saltSeparator": .string(Self.webSafe(hash.project.saltSeparator)),
                    "rounds": .int(Int64(hash.project.rounds)), "memoryCost": .int(Int64(hash.project.memoryCost)),
                ], hash.hash, hash.salt
            )
        case let hash as ScryptHash:
            (
                [
                    "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": .int(Int64(hash.cost)),
                    "blockSize": .int(Int64(hash.blockSize)), "parallelization": .int(Int64(hash.parallelism)),
                    "dkLen": .int(Int64(hash.hash.count)),
                ], hash.hash, hash.salt
            )
        case let hash as Argon2Hash:
            (["hashAlgorithm": "ARGON2", "argon2Parameters": .object(Self.argon2(hash))], hash.hash, hash.salt)
        case let hash as PBKDF2Hash:
            Self.pbkdf2[hash.function].map {
                (["hashAlgorithm": .string($0), "rounds": .int(Int64(hash.iterations))], hash.hash, hash.salt)
            }
        case let hash as DigestHash where hash.function == .md5 && hash.rounds == 1 && hash.order == .saltFirst:
            // In the form that production accepts: in hexadecimal, and not iterated.
            (["hashAlgorithm": "MD5", "rounds": 0], Array(Hex.encode(hash.hash).utf8), hash.salt)
        case let hash as DigestHash:
            Self.digests[hash.function].map {
                (
                    [
                        "hashAlgorithm": .string($0), "rounds": .int(Int64(hash.rounds)),
                        "passwordHashOrder": Self.order(hash.order),
                    ],
                    hash.hash, hash.salt
                )
            }
        case let hash as KeyedDigestHash:
            Self.digests[hash.function].map {
                (
                    [
                        "hashAlgorithm": .string("HMAC_" + $0), "signerKey": .string(Self.webSafe(hash.key)),
                        "passwordHashOrder": Self.order(hash.order),
                    ], hash.hash, hash.salt
                )
            }
        default: nil
        }
    }

    private static let pbkdf2: [HashFunction: String] = [.sha1: "PBKDF_SHA1", .sha256: "PBKDF2_SHA256"]
    private static let digests: [HashFunction: String] = [.md5: "MD5", .sha1: "SHA1", .sha256: "SHA256", .sha512: "SHA512"]

    private static func order(_ order: SaltOrder) -> JSON { order == .saltFirst ? "SALT_AND_PASSWORD" : "PASSWORD_AND_SALT" }

    private static func argon2(_ hash: Argon2Hash) -> JSONObject {
        let variant: JSON =
            switch hash.argon2.variant {
            case .d: "ARGON2_D"
            case .i: "ARGON2_I"
            case .id: "ARGON2_ID"
            }
        var parameters: JSONObject = [
            "hashType": variant, "version": hash.argon2.version == .v10 ? "VERSION_10" : "VERSION_13",
            "memoryCostKib": .int(Int64(hash.argon2.memory)), "iterations": .int(Int64(hash.argon2.passes)),
            "parallelism": .int(Int64(hash.argon2.lanes)), "hashLengthBytes": .int(Int64(hash.hash.count)),
        ]
        if !hash.context.isEmpty { parameters["associatedData"] = .string(webSafe(hash.context)) }
        return parameters
    }
}
