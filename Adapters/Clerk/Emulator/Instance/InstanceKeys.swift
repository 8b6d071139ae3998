internal import LockstepEmulation
import LockstepPrimitives
internal import LockstepTokens
internal import Synchronization

/// The key that signs the instance's tokens: given in, kept with the data, or made in the background.
final class InstanceKeys: Sendable {
    private let ready: Mutex<SigningKey?>
    private let prepared: Prepared<SigningKey>

    init(_ given: SigningKey?, on workers: Workers, make: @escaping @Sendable () throws -> SigningKey) {
        ready = Mutex(given)
        prepared = Prepared(on: workers) { try given ?? make() }
    }

    /// The key, if it is there; begins to make it otherwise.
    var current: SigningKey? {
        let key = ready.withLock { $0 }
        if key == nil { prepared.prepare() }
        return key
    }

    /// The key, once it is there.
    func key() async throws -> SigningKey {
        if let current { return current }
        let key = try await prepared.value
        ready.withLock { $0 = key }
        return key
    }
}
