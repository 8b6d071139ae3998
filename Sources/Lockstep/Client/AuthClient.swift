// The types that the public interface uses (`Secret`, `JSON`, `Instant`, clocks): an app imports only `Lockstep` for them.
@_exported public import LockstepPrimitives
internal import Synchronization

/// The portable client: sign up, in and out, and a valid token whenever one is needed, on any backend.
///
/// A team that switches backends changes the adapter, and nothing else. A client belongs to one user at a time; a server with
/// many users makes one for each. It may be used from any task.
///
/// ```swift
/// let auth = AuthClient(
///     adapter: try GoTrueAdapter(url: url, key: key, transport: .curl), store: try FileSessionStore(directory: folder))
/// await auth.restore()
/// ```
public final class AuthClient: Sendable {
    let context: ClientContext
    let sessions: SessionCoordinator
    let flows: FlowCoordinator

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
        adapter: any AuthAdapter, store: any SessionStore, effects: ClientEffects = .live(),
        options: Options = Options()
    ) {
        context = ClientContext(adapter: adapter, store: store, effects: effects, options: options)
        sessions = SessionCoordinator(context)
        flows = FlowCoordinator(context, sessions)
        capabilities = adapter.capabilities
    }

    /// Time, randomness and event sink of this client: for what belongs to it, such as the models of its screens.
    public var effects: ClientEffects { context.effects }

    /// The adapter's name.
    public var adapterName: String { context.adapter.name }

    /// The account of the user who is signed in: profile, password, address, identities, deletion.
    public var account: AccountClient { AccountClient(flows: flows) }

    // MARK: State

    /// Who is signed in, without waiting, without the network.
    public var state: AuthState { sessions.state }

    /// The user who is signed in, also as a guest or with an unverified address; `nil` without a session.
    public var user: User? { state.session?.user }

    /// The current state, then every change that a screen would show, once, in order.
    ///
    /// New tokens of the same session are no change: callers that need a token use ``accessToken()``. A subscriber that falls
    /// behind by more than 16 changes loses the oldest; the newest always arrives.
    public var states: AsyncStream<AuthState> {
        subscribe(to: \.authState, among: \.observers.subscribers)
    }

    /// State and step in progress together: the current ones, then every change that a screen would show, once, in order.
    ///
    /// A model of screens follows it, because a step of a flow (a second factor, a code) may be due while the state stays as it is.
    /// A subscriber that falls behind by more than 16 changes loses the oldest; the newest always arrives.
    public var snapshots: AsyncStream<ClientSnapshot> {
        subscribe(to: \.snapshot, among: \.observers.followers)
    }

    private func subscribe<Value: Sendable>(
        to current: any KeyPath<ClientState, Value> & Sendable,
        among subscribers: any WritableKeyPath<ClientState, [Int: AsyncStream<Value>.Continuation]> & Sendable
    ) -> AsyncStream<Value> {
        let (stream, subscriber) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let ticket = context.state.withLock { core in
            let ticket = core.observers.ticket()
            core[keyPath: subscribers][ticket] = subscriber
            subscriber.yield(core[keyPath: current])
            return ticket
        }
        subscriber.onTermination = { [weak context] _ in
            _ = context?.state.withLock { $0[keyPath: subscribers].removeValue(forKey: ticket) }
        }
        return stream
    }

    /// State and step in progress, as one value.
    public var snapshot: ClientSnapshot { context.state.withLock { $0.snapshot } }

    /// The step in progress, also after a relaunch; `nil` where there is none.
    public var pending: SignInStep? { context.state.withLock { $0.flows.pending?.step } }

    /// Whether a relaunch finds this client's state, without waiting.
    ///
    /// Check it after a sign-in or a sign-out: both take effect at once, also on a store that cannot be written. The events
    /// `session.persistence-failed` and `session.persistence-healed` report when it changes.
    public var persistence: Persistence { context.state.withLock { $0.persistence } }

    /// The key of the session in the store: pass it to a store that reports changes.
    ///
    /// ```swift
    /// for await _ in store.changes(of: [auth.sessionKey]) { await auth.reloadFromStore() }
    /// ```
    public var sessionKey: StoreKey { context.slots.session.key }

    // MARK: The store

    /// Reads the store, without the network, and sets the state.
    ///
    /// Calling it is not required: the first call of any other kind does it. An expired session that can be refreshed is
    /// restored as it is; its next use refreshes it. A store that cannot be read gives `unavailable`, deletes nothing, and is
    /// read again by the next call, and by itself while the client lives.
    @concurrent
    @discardableResult
    public func restore() async -> AuthState { await sessions.restore() }

    /// Reads the store again, without the network, because another process may have written to it.
    ///
    /// Not required: every call that needs a token reads the store first. Call it when a store reports a change (PostgreSQL
    /// does), or when an app comes to the foreground whose extensions share the store: a session that another process has
    /// refreshed is taken over at once, a sign-out is shown at once, and so is a sign-in.
    @concurrent
    @discardableResult
    public func reloadFromStore() async -> AuthState { await sessions.reloadFromStore() }
}

extension AuthClient {
    /// Settings of a client.
    public struct Options: Sendable {
        /// Time limit of a call, even where the backend does not answer.
        public var deadline: Duration
        /// How long a call waits for the store's lock.
        ///
        /// While another process refreshes the session a call waits longer: until its own ``deadline``.
        public var lockTimeout: Duration
        /// The servers of the app that ``AuthClient/authorized(_:by:)`` may send the user's token to; none by default.
        public var apiOrigins: Set<WebOrigin>
        /// Timeout for revoking the session at the backend; the sign-out on this device is already done.
        public var revocationTimeout: Duration

        /// Options.
        public init(
            deadline: Duration = .seconds(30), lockTimeout: Duration = .seconds(10), revocationTimeout: Duration = .seconds(5),
            apiOrigins: Set<WebOrigin> = []
        ) {
            self.apiOrigins = apiOrigins
            self.deadline = deadline
            self.lockTimeout = lockTimeout
            self.revocationTimeout = revocationTimeout
        }
    }
}

/// Whether a relaunch finds the client's state.
public enum Persistence: Sendable, Hashable {
    /// Everything is stored.
    case stored
    /// The store has refused a write, for this reason: the change is in memory only, and the write is retried while the client
    /// lives.
    ///
    /// After a sign-in it means that the user is signed in until the app ends; after a sign-out, that the session may come back.
    case memoryOnly(StoreFailure)
}
