internal import LockstepCrypto
import LockstepPrimitives

/// The proof that the client that ends a flow has begun it (RFC 7636, method S256).
enum Challenge {
    static func matches(verifier: String, challenge: String) -> Bool {
        Secret(Base64.encode(HashFunction.sha256.digest(Array(verifier.utf8)), .url)) == Secret(challenge)
    }
}
