public import Lockstep
internal import LockstepPrimitives

/// A set of changes that cause a fault in a check.
public struct Mutation: Sendable {
    /// Replaces the adapter.
    public var adapter: @Sendable (any AuthAdapter, TestEnvironment) -> any AuthAdapter
    /// Replaces the store of a device.
    public var store: @Sendable (any SessionStore, TestEnvironment) -> any SessionStore
    /// Replaces a client.
    public var client: @Sendable (any PortableClient, Context) -> any PortableClient

    /// Replaces controls of the environment, such as the mailbox or the trace.
    public var controls: @Sendable (inout TestEnvironment, CheckLog) -> Void

    /// Replaces an event that a client reports; returns `nil` to drop it.
    public var events: @Sendable (AuthEvent) -> AuthEvent?

    /// The conditions under which the fault has an effect; empty if it always has an effect.
    public var matters: [Condition] = []
    /// The capabilities that an adapter needs so that the fault has an effect; often empty.
    public var claims: Set<Capability> = []

    /// Creates changes.
    ///
    /// The components for which you omit an argument are not changed.
    ///
    /// - Parameters:
    ///   - adapter: Replaces the adapter.
    ///   - store: Replaces the store of a device.
    ///   - client: Replaces a client.
    ///   - controls: Replaces controls of the environment.
    ///   - events: Replaces an event that a client reports; returns `nil` to drop it.
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

    /// No change.
    public static let none: Mutation = {
        var nothing = Mutation()
        nothing.isNothing = true
        return nothing
    }()

    /// Whether this is ``none``.
    private(set) var isNothing = false

    /// The values that a faulty client can use.
    public struct Context: Sendable {
        /// The id of the contract that is checked.
        public let contract: String
        /// The environment of the check.
        public let environment: TestEnvironment
        /// The behavior that the adapter declares.
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
        /// The notes of the check.
        ///
        /// All faulty components of the check share these notes.
        public let notebook: CheckLog
    }
}
