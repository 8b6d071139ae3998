public import Lockstep
internal import LockstepPrimitives

/// Fakes for the parts of a world, to test that a check can fail.
public struct Mutation: Sendable {
    /// Replaces the adapter.
    public var adapter: @Sendable (any AuthAdapter, TestEnvironment) -> any AuthAdapter
    /// Replaces the store of a device.
    public var store: @Sendable (any SessionStore, TestEnvironment) -> any SessionStore
    /// Replaces a client.
    public var client: @Sendable (any PortableClient, Context) -> any PortableClient

    /// Replaces controls of the environment: the recorded requests, and the factory for other adapters.
    public var controls: @Sendable (inout TestEnvironment, CheckLog) -> Void

    /// Replaces an event that a client reports; `nil` drops it.
    public var events: @Sendable (AuthEvent) -> AuthEvent?

    /// Creates fakes; parts that are left out are not changed.
    public init(
        adapter: @escaping @Sendable (any AuthAdapter, TestEnvironment) -> any AuthAdapter = { adapter, _ in adapter },
        store: @escaping @Sendable (any SessionStore, TestEnvironment) -> any SessionStore = { store, _ in store },
        client: @escaping @Sendable (any PortableClient, Context) -> any PortableClient = { client, _ in client },
        controls: @escaping @Sendable (inout TestEnvironment, CheckLog) -> Void = { _, _ in },
        events: @escaping @Sendable (AuthEvent) -> AuthEvent? = { $0 }
    ) {
        self.adapter = adapter
        self.store = store
        self.client = client
        self.controls = controls
        self.events = events
    }

    /// Returns a combination of mutations, with the first one innermost.
    public static func all(_ mutations: some Sequence<Mutation>) -> Mutation {
        mutations.reduce(.none) { inner, outer in
            Mutation(
                adapter: { outer.adapter(inner.adapter($0, $1), $1) }, store: { outer.store(inner.store($0, $1), $1) },
                client: { outer.client(inner.client($0, $1), $1) },
                controls: {
                    inner.controls(&$0, $1)
                    outer.controls(&$0, $1)
                }, events: { inner.events($0).flatMap(outer.events) })
        }
    }

    /// A mutation that changes nothing.
    public static let none: Mutation = {
        var nothing = Mutation()
        nothing.isNothing = true
        return nothing
    }()

    /// Whether this is ``none``.
    private(set) var isNothing = false

    /// The environment that a fake client can use.
    public struct Context: Sendable {
        /// The contract that is checked.
        public let contract: Contract.ID
        /// The environment.
        public let environment: TestEnvironment
        /// The declared behavior.
        public let behavior: ProviderBehavior
        /// The adapter that the client uses.
        public let adapter: any AuthAdapter
        /// The store that the client uses.
        public let store: any SessionStore
        /// The client's clock, randomness and events.
        public let effects: ClientEffects
        /// The client's options.
        public let options: AuthClient.Options
        /// The receiver of the client's events.
        public var events: AuthEventSink { effects.events }
        /// The notes that all fakes of a world share.
        public let notebook: CheckLog
    }
}
