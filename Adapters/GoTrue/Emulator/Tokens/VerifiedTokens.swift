internal import LockstepPrimitives
internal import Synchronization

/// Caches tokens with a valid signature, so that it is not verified with every request; their times are checked each time.
final class VerifiedTokens: Sendable {
    private static let capacity = 2000

    private let claims = Mutex<[String: JSONObject]>([:])

    func claims(of token: String) -> JSONObject? {
        claims.withLock { $0[token] }
    }

    func keep(_ found: JSONObject, of token: String) {
        claims.withLock { claims in
            if claims.count >= Self.capacity { claims.removeAll(keepingCapacity: true) }
            claims[token] = found
        }
    }
}
