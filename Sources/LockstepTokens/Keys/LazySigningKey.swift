internal import Synchronization

/// A signing key that is made when first needed, or ahead of need, away from the threads that must not wait.
///
/// An RSA key takes 50 to 300 ms to make. Making it happens once; everybody who asks meanwhile waits for the same key.
public final class LazySigningKey: Sendable {
    private let making: Mutex<Task<SigningKey, any Error>?> = Mutex(nil)
    private let ready: Mutex<SigningKey?> = Mutex(nil)
    private let executor: any TaskExecutor
    private let make: @Sendable () throws -> SigningKey

    /// A key that `make` will make on `executor`, which must be one whose threads may be kept busy.
    public init(on executor: any TaskExecutor, make: @escaping @Sendable () throws -> SigningKey) {
        self.executor = executor
        self.make = make
    }

    /// A key that is there already.
    public init(_ key: SigningKey, on executor: any TaskExecutor) {
        self.executor = executor
        self.make = { key }
        ready.withLock { $0 = key }
    }

    /// The key if it has been made, without waiting.
    public var current: SigningKey? { ready.withLock { $0 } }

    /// Begins to make the key; does nothing where that has begun.
    public func prepare() {
        guard current == nil else { return }
        _ = task()
    }

    /// The key, once it is there.
    ///
    /// - Throws: What making it threw; the next call tries again.
    public func key() async throws -> SigningKey {
        if let current { return current }
        let task = task()
        do {
            return try await task.value
        } catch {
            making.withLock { if $0 == task { $0 = nil } }
            throw error
        }
    }

    private func task() -> Task<SigningKey, any Error> {
        making.withLock { making in
            if let making { return making }
            let task = Task(executorPreference: executor) { [self] in
                let key = try make()
                ready.withLock { $0 = key }
                return key
            }
            making = task
            return task
        }
    }
}
