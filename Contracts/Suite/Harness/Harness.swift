/// Sets up a backend on which the contracts of adapters are checked.
///
/// The author of an adapter writes a type that conforms to this protocol. It should be simple: it sets up a backend without
/// users, returns the adapter and the controls that the backend has, and removes everything afterwards. It must not change what
/// the adapter does. It does not state the adapter's capabilities: the contracts ask the adapter itself.
public protocol Harness: Sendable {
    /// The short name of the adapter in reports.
    var name: String { get }

    /// The name of the provider for people.
    ///
    /// Default: ``name``.
    var title: String { get }

    /// The configurations of the backend in which the contracts are checked.
    ///
    /// There is at least one. The usual one comes first.
    var variants: [Variant] { get }

    /// The configurations that a comparison of providers shows.
    ///
    /// Default: ``variants``.
    ///
    /// The first one is the configuration in which the hosted platform creates a project. Each other one changes a setting.
    var comparedVariants: [Variant] { get }

    /// The contracts that cannot be checked on this harness, by id, each with the reason.
    ///
    /// Default: none.
    ///
    /// A test fails if a contract is not checked and is not listed here. It also fails if a listed contract could be checked.
    var cannotCheck: [Contract.ID: String] { get }

    /// Sets up a new backend, calls a closure with it, and removes it, even if the closure throws an error.
    ///
    /// Several environments exist at the same time. Two of them may share only what never changes, such as signing keys.
    ///
    /// - Parameters:
    ///   - variant: The configuration of the backend.
    ///   - body: The closure that receives the environment.
    /// - Throws: The error that `body` throws; or the error that occurred when the backend was set up or removed, which means
    ///   that the check has failed without a result.
    func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws
}

extension Harness {
    /// Default implementation: the short name of the adapter.
    public var title: String { name }

    /// Default implementation: the configurations in which the contracts are checked.
    public var comparedVariants: [Variant] { variants }

    /// Default implementation for harnesses that can check every contract: no contracts.
    public var cannotCheck: [Contract.ID: String] { [:] }
}

extension Catalog {
    /// Returns all contracts whose checks need a control that a harness does not have.
    ///
    /// Use it for ``Harness/cannotCheck``.
    ///
    /// - Parameters:
    ///   - need: The control.
    ///   - reason: The reason why the harness does not have it.
    /// - Returns: The ids of the contracts, each with the reason.
    public static func needing(_ need: Need, _ reason: String) -> [Contract.ID: String] {
        Dictionary(all.filter { $0.needs.contains(need) }.map { ($0.id, reason) }, uniquingKeysWith: { first, _ in first })
    }
}
