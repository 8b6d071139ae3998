// The types that the public interface uses (`Secret`, `JSON`, `Instant`, clocks): an app imports only `Lockstep` for them.
@_exported public import LockstepPrimitives
internal import Synchronization

/// The portable client: sign up, in and out, and a valid token whenever one is needed, on any backend.
///
/// A team that switches backends changes the adapter, and nothing else. A client belongs to one user at a time; a server with
/// many users makes one for each. It may be used from any task.
///
/// ```swift
/// let auth = AuthClient(adapter: try GoTrueAdapter(url: url, key: key, transport: .curl), store: FileSessionStore(directory: folder))
/// await auth.restore()
/// ```
public final class AuthClient: Sendable {
    let adapter: any AuthAdapter
    let store: any SessionStore
    let addresses: [CallbackAddress]
    let effects: Effects
    let options: Options
    let core = Mutex(ClientState())
    let deliveries = Deliveries()
    let restoring = Shared<Void>()
    /// Serialises access to the store, so that store and memory change in one order.
    let storing: ExclusiveSections
    let slots: StoredSlots

    /// What the adapter can do as it is configured.
    public let capabilities: Set<Capability>

    /// A client that has not read its store yet.
    ///
    /// - Parameters:
    ///   - adapter: The provider.
    ///   - store: Where the session is kept.
    ///   - effects: Time, randomness, and the event sink.
    ///   - options: Deadlines.
    public init(
        adapter: any AuthAdapter, store: any SessionStore, effects: Effects = .live(),
        options: Options = Options()
    ) {
        self.adapter = adapter
        let store = PunctualStore(store, limit: options.deadline, clock: effects.clock)
        self.store = store
        self.addresses = adapter.callbacks.addresses
        self.effects = effects
        self.options = options
        let storing = ExclusiveSections(clock: effects.clock)
        self.storing = storing
        slots = StoredSlots(of: adapter, in: store, turns: storing, lockTimeout: options.lockTimeout) { slot in
            effects.tell(.quarantine, [.slot: slot.rawValue])
        }
        capabilities = adapter.capabilities
    }

    /// The adapter's name.
    public var adapterName: String { adapter.name }

    /// The account of the user who is signed in: profile, password, address, identities, deletion.
    public var account: AccountClient { AccountClient(client: self) }

    // MARK: State

    /// Who is signed in, without waiting, without the network.
    public var state: AuthState { core.withLock { $0.authState } }

    /// The current state, then every change that a screen would show, once, in order.
    ///
    /// New tokens of the same session are no change: callers that need a token use ``accessToken()``. A subscriber that falls
    /// behind by more than 16 changes loses the oldest; the newest always arrives.
    public var states: AsyncStream<AuthState> {
        let (stream, subscriber) = AsyncStream<AuthState>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let ticket = core.withLock { core in
            let ticket = core.ticket()
            core.subscribers[ticket] = subscriber
            subscriber.yield(core.authState)
            return ticket
        }
        subscriber.onTermination = { [weak self] _ in
            _ = self?.core.withLock { $0.subscribers.removeValue(forKey: ticket) }
        }
        return stream
    }

    /// The step in progress, also after a relaunch; `nil` where there is none.
    public var pending: SignInStep? { core.withLock { $0.pending?.step } }

    deinit {
        for subscriber in core.withLock({ $0.subscribers.values }) { subscriber.finish() }
    }

    // MARK: Keys

    /// The key of the session in the store: pass it to a store that reports changes.
    ///
    /// ```swift
    /// for await _ in store.changes(of: [auth.sessionKey]) { await auth.reloadFromStore() }
    /// ```
    public var sessionKey: StoreKey { key(.session) }

    func key(_ slot: StoreKey.Slot) -> StoreKey {
        StoreKey(provider: adapter.name, backend: adapter.backend, slot: slot)
    }

    /// Changes the state, publishes it to the subscribers, and then, with no lock held, to the event sink.
    ///
    /// - Parameter latency: how long the refresh behind the change took.
    @discardableResult
    func change<Result: Sendable>(
        after latency: Duration? = nil, _ body: @Sendable (inout ClientState) -> Result
    ) -> Result {
        let (result, notes, published) = core.withLock { core in
            let result = body(&core)
            core.forgetBoundCall()
            defer { core.sessions.notes = [] }
            return (result, core.sessions.notes, core.publish())
        }
        for note in notes { tell(note.event, note.fields(after: latency)) }
        if let published { tell(.stateChanged, published.eventFields) }
        retryPendingWritesLater()
        return result
    }
}

extension AuthState {
    fileprivate var eventFields: [Event.Field: String] {
        switch self {
        case .restoring: [.state: "restoring"]
        case .signedOut(let reason): [.state: "signedOut", .reason: reason.rawValue]
        case .anonymous: [.state: "anonymous"]
        case .unverified: [.state: "unverified"]
        case .signedIn: [.state: "signedIn"]
        case .unavailable(let failure): [.state: "unavailable", .code: failure.code.rawValue]
        }
    }
}
