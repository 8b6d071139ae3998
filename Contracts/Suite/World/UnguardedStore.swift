internal import Lockstep

/// A store whose exclusive locks do not block any caller.
struct UnguardedStore: ForwardingStore {
    let base: any SessionStore

    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        await body()
    }
}
