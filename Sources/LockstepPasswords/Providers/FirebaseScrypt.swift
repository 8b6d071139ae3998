internal import LockstepCrypto
public import LockstepPrimitives

/// The password hash parameters of a Firebase project, as its console shows them.
///
/// They are needed to check the hashes that it exports.
///
/// The signer key is a secret of the project and is never printed.
public struct FirebaseScrypt: Sendable, Hashable {
    /// `base64_signer_key`, decoded.
    public let signerKey: [UInt8]
    /// `base64_salt_separator`, decoded; may be empty.
    public let saltSeparator: [UInt8]
    /// `rounds`, 1 to 8: scrypt's block size.
    public let rounds: Int
    /// `mem_cost`, 1 to 14: the logarithm of scrypt's cost.
    public let memoryCost: Int

    /// Creates the parameters; `nil` if the key is empty or a number is out of range.
    ///
    /// - Parameters:
    ///   - signerKey: `base64_signer_key`, decoded.
    ///   - saltSeparator: `base64_salt_separator`, decoded.
    ///   - rounds: `rounds`, 1 to 8.
    ///   - memoryCost: `mem_cost`, 1 to 14.
    public init?(signerKey: [UInt8], saltSeparator: [UInt8], rounds: Int, memoryCost: Int) {
        guard !signerKey.isEmpty, (1...8).contains(rounds), (1...14).contains(memoryCost) else { return nil }
        self.signerKey = signerKey
        self.saltSeparator = saltSeparator
        self.rounds = rounds
        self.memoryCost = memoryCost
    }

    /// Makes the parameters of a new project: a new signer key, and Firebase's usual separator, rounds and memory cost.
    ///
    /// - Parameters:
    ///   - cost: The cost. `least` has a memory cost of 1. Default: `real`.
    ///   - randomness: The source of the signer key.
    /// - Returns: The parameters.
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
