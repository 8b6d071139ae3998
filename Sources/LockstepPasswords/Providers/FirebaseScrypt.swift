internal import LockstepCrypto
public import LockstepPrimitives

/// The password hash parameters of a Firebase project, as its console shows them.
///
/// A server needs them to check the hashes that the project exports. The signer key is a secret of the project, and is
/// never printed.
///
/// ```swift
/// let project = FirebaseScrypt.make(.least, randomness: SystemRandomness())
/// let hash = try PasswordHasher.firebase(project, randomness: SystemRandomness()).hash("a new password")
/// ```
public struct FirebaseScrypt: Sendable, Hashable {
    /// The decoded value of `base64_signer_key`.
    public let signerKey: [UInt8]
    /// The decoded value of `base64_salt_separator`, which may be empty.
    public let saltSeparator: [UInt8]
    /// The value of `rounds`, from 1 to 8: scrypt's block size.
    public let rounds: Int
    /// The value of `mem_cost`, from 1 to 14: the logarithm of scrypt's cost.
    public let memoryCost: Int

    /// Creates the parameters; the result is `nil` if the key is empty or a number is out of range.
    ///
    /// - Parameters:
    ///   - signerKey: The decoded value of `base64_signer_key`.
    ///   - saltSeparator: The decoded value of `base64_salt_separator`.
    ///   - rounds: The value of `rounds`, from 1 to 8.
    ///   - memoryCost: The value of `mem_cost`, from 1 to 14.
    public init?(signerKey: [UInt8], saltSeparator: [UInt8], rounds: Int, memoryCost: Int) {
        guard !signerKey.isEmpty, (1...8).contains(rounds), (1...14).contains(memoryCost) else { return nil }
        self.signerKey = signerKey
        self.saltSeparator = saltSeparator
        self.rounds = rounds
        self.memoryCost = memoryCost
    }

    /// Creates the parameters of a new project.
    ///
    /// The signer key is random. The separator, the rounds and the memory cost are the same as in Firebase.
    ///
    /// - Parameters:
    ///   - cost: The cost of a hash. If it is `least`, the memory cost is 1. Default: `real`.
    ///   - randomness: The source of randomness for the signer key.
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

    /// Hashes a password with a user's salt.
    ///
    /// At the usual costs, this takes about 50 ms.
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
    /// The costs as text, never the signer key.
    public var description: String { "FirebaseScrypt(rounds: \(rounds), memoryCost: \(memoryCost))" }

    /// A mirror without the signer key.
    public var customMirror: Mirror {
        Mirror(self, children: ["rounds": rounds, "memoryCost": memoryCost], displayStyle: .struct)
    }
}
