internal import LockstepCrypto
internal import LockstepPrimitives
internal import LockstepSQLite

/// Hashes of codes.
enum CodeHash {
    /// The prefix of hashes in a flow with a proof key.
    static let proofPrefix = "pkce_"

    static func of(_ address: String, _ code: String) -> String {
        Hex.encode(HashFunction.sha224.digest(address + code))
    }
}
