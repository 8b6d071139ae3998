internal import LockstepCrypto
public import LockstepPrimitives

/// The password hash parameters of a Firebase project, as its console shows them: needed to check the hashes it exports.
///
/// The signer key is a secret of the project; this prints nothing of it.
public struct FirebaseScrypt: Sendable, Hashable {
    /// `base64_signer_key`, decoded.
    public let signerKey: [UInt8]
    /// `base64_salt_separator`, decoded; may be empty.
    public let saltSeparator: [UInt8]
    /// `rounds`, 1 to 8: scrypt's block size.
    public let rounds: Int
    /// `mem_cost`, 1 to 14: the logarithm of scrypt's cost.
    public let memoryCost: Int

    /// The parameters; `nil` for an empty key or a number out of range.
    public init?(signerKey: [UInt8], saltSeparator: [UInt8], rounds: Int, memoryCost: Int) {
        guard !signerKey.isEmpty, (1...8).contains(rounds), (1...14).contains(memoryCost) else { return nil }
        self.signerKey = signerKey
        self.saltSeparator = saltSeparator
        self.rounds = rounds
        self.memoryCost = memoryCost
    }

    /// Parameters of a new project: a signer key of its own, the separator, rounds and memory cost that Firebase gives to every project.
    ///
    /// Where the least cost will do, the memory cost is 1.
    public static func make(_ cost: PasswordCost = .real, randomness: some Randomness) -> FirebaseScrypt {
        FirebaseScrypt(key: randomness.bytes(64), memoryCost: cost == .real ? 14 : 1)
    }

    private init(key: [UInt8], memoryCost: Int) {
        signerKey = key
        saltSeparator = [7]
        rounds = 8
        self.memoryCost = memoryCost
    }

    /// The hash of a password under a user's salt; takes about 50 ms at the usual costs.
    func hash(_ password: [UInt8], salt: [UInt8]) throws(PasswordError) -> [UInt8] {
        do throws(CryptoError) {
            let key = try KeyDerivation.scrypt(
                password: password, salt: salt + saltSeparator, cost: 1 << memoryCost, blockSize: rounds, parallelism: 1,
                length: 32)
            return try AES(key: key).countered(signerKey, counter: [UInt8](repeating: 0, count: 16))
        } catch {
            throw PasswordError(.unavailable, error.message)
        }
    }
}

extension FirebaseScrypt: CustomStringConvertible, CustomReflectable {
    /// The costs, never the key.
    public var description: String { "FirebaseScrypt(rounds: \(rounds), memoryCost: \(memoryCost))" }

    /// A mirror without the key.
    public var customMirror: Mirror {
        Mirror(self, children: ["rounds": rounds, "memoryCost": memoryCost], displayStyle: .struct)
    }
}
