internal import LockstepPrimitives
internal import Synchronization

/// Loads seeds into a running emulator.
///
/// The keeper remembers the last seed, so that a reset can load this seed again. The keeper can also return the current state as a seed.
public final class SeedKeeper: Sendable {
    private let provider: String
    private let administrator: any SeedAdministrator
    private let environment: EmulationEnvironment
    /// The seed with hashes and ids, so that a reset creates the same users immediately.
    private let kept = Mutex<Seed?>(nil)

    init(provider: String, administrator: any SeedAdministrator, environment: EmulationEnvironment) {
        self.provider = provider
        self.administrator = administrator
        self.environment = environment
    }

    /// Replaces the state of the emulator with a seed.
    ///
    /// Later resets load this seed again.
    ///
    /// - Parameter seed: The seed. Parts of the seed for other providers are skipped.
    /// - Returns: The number of users.
    /// - Throws: ``SeedProblem`` for a value that the provider cannot store. In that case, nothing has changed.
    @discardableResult
    public func plant(_ seed: Seed) async throws -> Int {
        let own = seed.limited(to: provider)
        try own.requireDistinctUsers(on: provider)
        let (prepared, refused) = try await own.prepared(
            by: administrator.passwordHasher, in: environment, id: administrator.makeUserID)
        if let (index, error) = refused.first {
            try own.users[index].naming(on: provider) { _ in throw UserValueError(error) }
        }
        try administrator.replaceState(by: prepared)
        kept.withLock { $0 = prepared }
        environment.changes.note(.settings)
        return prepared.users.count
    }

    /// Returns the current state as a seed.
    ///
    /// - Throws: The error of the database.
    public func current() throws -> Seed { try administrator.currentSeed() }

    /// Counts what the current state has and a seed cannot contain, such as `passkeys (2)`.
    public func losses() throws -> [String] { try administrator.losses() }

    /// Loads the stored seed again, after a reset.
    func replay() throws {
        guard let seed = kept.withLock(\.self) else { return }
        try administrator.replaceState(by: seed)
    }
}
