// The types that the public interface uses (`Secret`, `JSON`, `Instant`, clocks): an app imports only `Lockstep` for them.
@_exported public import LockstepPrimitives
internal import Synchronization

/// The portable client.
///
/// It signs users up, in and out, and returns a valid token when needed, on any backend.
///
/// To change the backend, change the adapter and nothing else. A client belongs to one user at a time; a server with many
/// users creates a client for each. It can be used from any task.
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

    /// The capabilities of the adapter with its configuration.
    public let capabilities: Set<Capability>

    /// Creates a client that has not read its store yet.
    ///
    /// - Parameters:
    ///   - adapter: The provider's adapter.
    ///   - store: The store of the session.
    ///   - effects: The clock, the randomness and the event sink. Default: this machine's, without events.
    ///   - options: The time limits and the app's servers.
    public init(
        adapter: any AuthAdapter, store: any SessionStore, effects: ClientEffects = .live(),
        options: Options = Options()
    ) {
        context = ClientContext(adapter: adapter, store: store, effects: effects, options: options)
        sessions = SessionCoordinator(context)
        flows = FlowCoordinator(context, sessions)
        capabilities = adapter.capabilities
    }

    /// The clock, the randomness and the event sink of this client, for its models and other parts.
    public var effects: ClientEffects { context.effects }

    /// The name of the adapter.
    public var adapterName: String { context.adapter.name }

    /// The account of the signed-in user: profile, password, email address, identities, deletion.
    public var account: AccountClient { AccountClient(flows: flows) }

    // MARK: State

    /// The current state.
    ///
    /// Reading it does not wait and does not use the network.
    public var state: AuthState { sessions.state }

    /// The signed-in user, also if anonymous or unverified; `nil` without a session.
    public var user: User? { state.session?.user }

    /// A stream of states: the current one, then every change that a screen would show, in order.
    ///
    /// New tokens of the same session are not a change. Callers that need a token use ``accessToken()``. If a subscriber
    /// falls more than 16 changes behind, the oldest are dropped; the newest always arrives.
    public var states: AsyncStream<AuthState> {
        subscribe(to: \.authState, among: \.observers.subscribers)
    }

    /// A stream of states together with the step in progress: the current ones, then every change that a screen would
    /// show, in order.
    ///
    /// Models of screens follow it, because a step such as a second factor may begin while the state stays the same. If a
    /// subscriber falls more than 16 changes behind, the oldest are dropped; the newest always arrives.
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

    /// The state and the step in progress, as one value.
    public var snapshot: ClientSnapshot { context.state.withLock { $0.snapshot } }

    /// The step in progress, also after a relaunch; `nil` if there is none.
    public var pending: SignInStep? { context.state.withLock { $0.flows.pending?.step } }

    /// Whether a relaunch finds the client's state.
    ///
    /// Reading it does not wait.
    ///
    /// Check it after a sign-in or sign-out. Both take effect immediately, even if the store cannot be written. The
    /// events `session.persistence-failed` and `session.persistence-healed` report changes.
    public var persistence: Persistence { context.state.withLock { $0.persistence } }

    /// The key of the session in the store.
    ///
    /// Pass it to a store that reports changes.
    ///
    /// ```swift
    /// for await _ in store.changes(of: [auth.sessionKey]) { await auth.reloadFromStore() }
    /// ```
    public var sessionKey: StoreKey { context.slots.session.key }

    // MARK: The store

    /// Reads the store without using the network, and sets the state.
    ///
    /// Calling it is optional: the first other call does it. An expired session that can be refreshed is restored, and
    /// its next use refreshes it. If the store cannot be read, the state is `unavailable` and nothing is deleted. The
    /// next call reads the store again, and so does the client itself from time to time.
    ///
    /// - Returns: The state.
    @concurrent
    @discardableResult
    public func restore() async -> AuthState { await sessions.restore() }

    /// Reads the store again without using the network, because another process may have changed it.
    ///
    /// Calling it is optional: every call that needs a token reads the store first. Call it when a store reports a change
    /// (PostgreSQL does). Also call it when an app enters the foreground whose extensions share the store. Then a
    /// refresh, a sign-out or a sign-in by another process takes effect immediately.
    ///
    /// - Returns: The state.
    @concurrent
    @discardableResult
    public func reloadFromStore() async -> AuthState { await sessions.reloadFromStore() }
}

extension AuthClient {
    /// The settings of a client.
    ///
    /// ```swift
    /// var options = AuthClient.Options()
    /// options.deadline = .seconds(20)
    /// options.apiOrigins = [try WebOrigin("https://api.example")]
    /// ```
    public struct Options: Sendable {
        /// The time limit of a call, even if the backend does not respond.
        public var deadline: Duration
        /// The time that a call waits for the store's lock.
        ///
        /// While another process refreshes the session, a call waits longer: until its own ``deadline``.
        public var lockTimeout: Duration
        /// The app's servers to which ``AuthClient/authorized(_:by:)`` may send the user's token.
        ///
        /// Default: none.
        public var apiOrigins: Set<WebOrigin>
        /// The time limit for revoking the session at the backend.
        ///
        /// The user is already signed out on this device.
        public var revocationTimeout: Duration

        /// Creates options.
        ///
        /// - Parameters:
        ///   - deadline: The time limit of a call. Default: 30 seconds.
        ///   - lockTimeout: The time that a call waits for the store's lock. Default: 10 seconds.
        ///   - revocationTimeout: The time limit for revoking the session. Default: 5 seconds.
        ///   - apiOrigins: The app's servers that may get the user's token. Default: none.
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
    /// The store rejected a write, for this reason.
    ///
    /// The change is only in memory, and the client retries the write.
    ///
    /// After a sign-in, the user is signed in until the app ends. After a sign-out, the session may return with the next
    /// launch.
    case memoryOnly(StoreFailure)
}
