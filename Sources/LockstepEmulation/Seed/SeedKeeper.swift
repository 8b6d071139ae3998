internal import LockstepPrimitives
internal import Synchronization

/// The seed of a running emulator.
///
/// It applies a seed, keeps it for resets, and exports the state as a seed.
public final class SeedKeeper: Sendable {
    private let provider: String
    private let administrator: any SeedAdministrator
    private let environment: EmulationEnvironment
    /// With hashes and ids, so that a reset makes the same users at once.
    private let kept = Mutex<Seed?>(nil)

    init(provider: String, administrator: any SeedAdministrator, environment: EmulationEnvironment) {
        self.provider = provider
        self.administrator = administrator
        self.environment = environment
    }

    /// Replaces the state with a seed, which later resets restore.
    ///
    /// - Parameter seed: The seed. Users and settings of other providers are skipped.
    /// - Returns: The number of users.
    /// - Throws: ``SeedProblem`` for a value that the provider cannot store. Then nothing has changed.
    @discardableResult
    public func plant(_ seed: Seed) async throws -> Int {
        let own = seed.limited(to: provider)
        try own.requireDistinctUsers(on: provider)
        let (prepared, refused) = try await own.prepared(
            by: administrator.passwordHasher, in: environment, id: administrator.makeUserID)
        if let (index, error) = refused.first {
            try own.users[index].naming(on: provider) { _ in throw UserValueError.unavailable(error.message) }
        }
        try administrator.replaceState(by: prepared)
        kept.withLock { $0 = prepared }
        environment.changes.note(.settings)
        return prepared.users.count
    }

    /// Reads the state as a seed.
    public func current() throws -> Seed { try administrator.currentSeed() }

    /// Puts the kept seed in again, after a reset.
    func replay() throws {
        guard let seed = kept.withLock(\.self) else { return }
        try administrator.replaceState(by: seed)
    }
}
