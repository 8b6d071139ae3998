/// The environment for checking the contracts of adapters.
///
/// The author of an adapter implements it.
///
/// A harness must be simple. It sets up a backend without users, provides the adapter and the available controls, and tears
/// everything down. It must not change the adapter's behavior. It claims no capabilities, because they are read from the adapter.
public protocol Harness: Sendable {
    /// The adapter's short name, as reports show it.
    var name: String { get }

    /// The provider's name for people; ``name`` unless stated otherwise.
    var title: String { get }

    /// The configurations of the backend that the contracts run on; at least one, the usual one first.
    var variants: [Variant] { get }

    /// The configurations that a comparison of providers shows: the one that the hosted platform begins with first, then the
    /// settings that change it. ``variants`` unless stated otherwise.
    var comparedVariants: [Variant] { get }

    /// The contracts that cannot be checked on this harness, by id, each with the reason; none by default.
    ///
    /// What is not checked and not listed here fails its test, and so does what is listed and could be checked.
    var cannotCheck: [Contract.ID: String] { get }

    /// Sets up a fresh backend in the configuration of `variant`, runs `body` on it, and takes it down, also when `body` throws.
    ///
    /// Environments run side by side: two of them may share only what never changes, such as signing keys.
    ///
    /// - Throws: the errors of `body`, and whatever keeps the backend from being set up or taken down: the run has then failed.
    func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws
}

extension Harness {
    /// The adapter's short name.
    public var title: String { name }

    /// The configurations on which the contracts run.
    public var comparedVariants: [Variant] { variants }

    /// Default: none.
    ///
    /// Every applicable contract can be checked.
    public var cannotCheck: [Contract.ID: String] { [:] }
}

extension Catalog {
    /// Returns the contracts whose checks need a control, each with the reason why a harness cannot check them.
    ///
    /// For ``Harness/cannotCheck``.
    public static func needing(_ need: Need, _ reason: String) -> [Contract.ID: String] {
        Dictionary(all.filter { $0.needs.contains(need) }.map { ($0.id, reason) }, uniquingKeysWith: { first, _ in first })
    }
}
