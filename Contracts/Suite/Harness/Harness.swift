/// A type that sets up a backend for the contracts of adapters.
///
/// The author of an adapter writes a type that conforms to this protocol. The type should be simple. The type sets up a backend
/// without users, passes the adapter and the backend's controls to a check, and then removes everything. The type must not change
/// the adapter's behavior. The contracts read the adapter's capabilities from the adapter, and compare them with
/// ``TestEnvironment/expectedCapabilities``.
public protocol Harness: Sendable {
    /// The short name of the adapter in reports.
    var name: String { get }

    /// The name of the provider for people.
    ///
    /// Default: ``name``.
    var title: String { get }

    /// The configurations of the backend for which the contracts are checked.
    ///
    /// There is at least one configuration. The usual one comes first.
    var variants: [Variant] { get }

    /// The configurations that a comparison of providers shows.
    ///
    /// Default: ``variants``.
    ///
    /// The first configuration has the settings of a new project on the hosted platform. Each other configuration changes one
    /// setting.
    var comparedVariants: [Variant] { get }

    /// The contracts that cannot be checked on this harness, by id, each with the reason.
    ///
    /// Default: none.
    ///
    /// A test fails if a contract is not checked and is not listed here. It also fails if a listed contract could be checked.
    var cannotCheck: [String: String] { get }

    /// Sets up a new backend, calls a closure with it, and removes it, even if the closure throws an error.
    ///
    /// Several environments exist at the same time. They may share only constant values, such as signing keys.
    ///
    /// - Parameters:
    ///   - variant: The configuration of the backend.
    ///   - body: The closure that receives the environment.
    /// - Throws: The error that `body` throws, or an error of the setup or the removal. After such an error, the check has failed
    ///   without a result.
    func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws
}

extension Harness {
    /// Default implementation: the short name of the adapter.
    public var title: String { name }

    /// Default implementation: ``variants``.
    public var comparedVariants: [Variant] { variants }

    /// Default implementation for harnesses that can check every contract: an empty dictionary.
    public var cannotCheck: [String: String] { [:] }
}

extension Catalog {
    /// Returns all contracts that need a missing control.
    ///
    /// Use the result for ``Harness/cannotCheck``.
    ///
    /// - Parameters:
    ///   - reason: The reason why the harness does not have the control.
    /// - Returns: The ids of the contracts, each with the reason.
    public static func needing(_ need: Need, _ reason: String) -> [String: String] {
        let found = all.filter { $0.demands.needs.contains(need) }
        return Dictionary(found.map { ($0.id, reason) }, uniquingKeysWith: { first, _ in first })
    }
}
