internal import Lockstep
@_exported public import LockstepContracts
internal import LockstepInMemory
@_exported public import LockstepPrimitives
@_exported public import LockstepTestSupport

/// The harness that runs the contracts on the in-memory adapter, with each of its behaviors.
public struct InMemoryHarness: Harness {
    /// The name `memory`.
    ///
    /// A command reads this constant instead of creating a harness, because that would slow down the start of the
    /// command.
    public static let name = "memory"

    /// The name `memory`.
    public var name: String { Self.name }

    private let time: any DeviceClock

    /// Creates a harness.
    ///
    /// - Parameter time: The clock that the clocks of all environments follow. Default: a stopped clock. Only a
    ///   check can advance it.
    public init(time: any DeviceClock = FixedClock()) { self.time = time }

    /// The variants of the backend, which together have every behavior that a contract depends on.
    public var variants: [Variant] { Self.configurations.map(\.variant) }

    /// Runs a closure with a new backend in the same process.
    ///
    /// - Parameters:
    ///   - body: The closure that receives the environment of the backend.
    /// - Throws: The error that the closure throws.
    public func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws {
        guard let settings = Self.configurations.first(where: { $0.variant == variant })?.settings else {
            throw HarnessFailure("Unknown variant \(variant.name).")
        }
        // Only the checks advance the time, so a busy machine ends no call.
        let deviceClock = ManualClock(base: time)
        let backendClock = ManualClock(base: time)
        let randomness = SystemRandomness()
        let backend = InMemoryBackend(settings, clock: backendClock, randomness: randomness)
        let controls = InMemoryControls(backend: backend, clock: backendClock)
        let launch = { @Sendable in InMemoryAdapter(backend: backend, clock: deviceClock) }
        try await body(
            TestEnvironment(
                adapter: launch(), clock: deviceClock, randomness: randomness,
                refusalCallback: "\(settings.callbackURL)?error=access_denied",
                publicLinkParameters: ["kind", "provider"], outbox: controls, browser: controls,
                faults: controls,
                administrator: controls, backendClock: controls, trace: controls, issuer: controls,
                proofTimes: ProofTimes(emailLife: settings.proofLife, emailInterval: settings.resendInterval),
                identityPage: controls, passkeys: controls, authenticators: controls,
                factory: AdapterFactory { entry throws(AuthError) in
                    switch entry {
                    case .sameProject: return launch()
                    case .otherProject:
                        return InMemoryAdapter(backend: InMemoryBackend(settings, clock: backendClock), clock: deviceClock)
                    case .mistake(let mistake)
                    where [.malformedCallback, .scriptCallback, .fileCallback, .callbackWithoutScheme].contains(mistake):
                        var settings = settings
                        settings.callback = try CallbackAddress(mistake.example)
                        return InMemoryAdapter(backend: InMemoryBackend(settings))
                    // A backend in the same process has neither a URL nor a key.
                    case .mistake: return nil
                    }
                }, expectedCapabilities: settings.capabilities, nextLaunch: launch))
        await backend.release()
    }
}
