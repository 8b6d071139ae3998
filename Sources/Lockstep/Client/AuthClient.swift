// Exports the types of the public interface (`Secret`, `JSON`, `Instant`, clocks), so that an app imports only `Lockstep`.
@_exported public import LockstepPrimitives
internal import Synchronization

/// The client of an app, with the same calls for every backend.
///
/// A client signs users up, in and out, and returns a valid token when the app needs one.
///
/// To change the backend, change the adapter and nothing else. A client belongs to one user at a time. A server with
/// many users creates a client for each user. Any task can use the client.
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

    /// The capabilities of the adapter in its current configuration.
    public let capabilities: Set<Capability>

    /// Creates a client.
    ///
    /// The new client has not read its store yet.
    ///
    /// - Parameters:
    ///   - adapter: The provider's adapter.
    ///   - store: The store for the session.
    ///   - effects: The clock, the source of randomness and the event sink. Default: the clock and the randomness of
    ///     this machine, without events.
    ///   - options: The time limits, and the app's servers that may get the user's token.
    public init(
        adapter: any AuthAdapter, store: any SessionStore, effects: ClientEffects = .live(),
        options: Options = Options()
    ) {
        context = ClientContext(adapter: adapter, store: store, effects: effects, options: options)
        sessions = SessionCoordinator(context)
        flows = FlowCoordinator(context, sessions)
        capabilities = adapter.capabilities
    }

    /// The clock, the source of randomness and the event sink of this client.
    ///
    /// The models of screens also use them.
    public var effects: ClientEffects { context.effects }

    /// The name of the adapter.
    public var adapterName: String { context.adapter.name }

    /// The account of the signed-in user: profile, password, email address, identities, deletion.
    public var account: AccountClient { AccountClient(flows: flows) }

    // MARK: State

    /// The current state.
    ///
    /// This property returns immediately and never uses the network.
    public var state: AuthState { sessions.state }

    /// The signed-in user; `nil` if there is no session.
    ///
    /// The user may be anonymous, or may have an unverified email address.
    public var user: User? { state.session?.user }

    /// A stream that yields the current state, then each change that a screen would show, in order.
    ///
    /// A new token for the same session is not a change. To get a token, call ``accessToken()``. If a subscriber is more
    /// than 16 changes behind, the stream drops the oldest changes. The stream always yields the newest change.
    ///
    /// ```swift
    /// for await state in auth.states {
    ///     print(state.session?.user.id ?? "no user")
    /// }
    /// ```
    public var states: AsyncStream<AuthState> {
        subscribe(to: \.authState, among: \.observers.subscribers)
    }

    /// A stream that yields the state together with the step in progress, then each change of the state or the step, in
    /// order.
    ///
    /// The models of screens use this stream, because a step such as a second factor can begin while the state stays the
    /// same. If a subscriber is more than 16 changes behind, the stream drops the oldest changes. The stream always
    /// yields the newest change.
    public var snapshots: AsyncStream<ClientSnapshot> {
        subscribe(to: \.snapshot, among: \.observers.followers)
    }

    private func subscribe<Value: Sendable>(
        to current: any KeyPath<ClientState, Value> & Sendable,
        among subscribers: any WritableKeyPath<ClientState, [Int: AsyncStream<Value>.Continuation]> & Sendable
    ) -> AsyncStream<Value> {
        let (stream, subscriber) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let ticket = context.state.withLock { state in
            let ticket = state.observers.ticket()
            state[keyPath: subscribers][ticket] = subscriber
            subscriber.yield(state[keyPath: current])
            return ticket
        }
        subscriber.onTermination = { [weak context] _ in
            _ = context?.state.withLock { $0[keyPath: subscribers].removeValue(forKey: ticket) }
        }
        return stream
    }

    /// The current state together with the step in progress.
    public var snapshot: ClientSnapshot { context.state.withLock { $0.snapshot } }

    /// The step in progress; `nil` if no step is in progress.
    ///
    /// A step survives a relaunch of the app.
    public var pending: AuthStep? { context.state.withLock { $0.flows.pending?.step } }

    /// Whether a relaunch of the app will find the client's current state.
    ///
    /// This property returns immediately.
    ///
    /// Check this value after a sign-in or sign-out. A sign-in or sign-out takes effect immediately, even if the store
    /// cannot be written. The events `session.persistence-failed` and `session.persistence-healed` report changes of
    /// this value.
    ///
    /// ```swift
    /// if case .memoryOnly(let failure) = auth.persistence { print(failure.message) }
    /// ```
    public var persistence: Persistence { context.state.withLock { $0.persistence } }

    /// The key of the session in the store.
    ///
    /// Pass the key to a store that reports changes.
    ///
    /// ```swift
    /// for await _ in store.changes(of: [auth.sessionKey]) { await auth.reloadFromStore() }
    /// ```
    public var sessionKey: StoreKey { context.slots.session.key }

    // MARK: The store

    /// Reads the store and sets the state, without using the network.
    ///
    /// This call is optional, because the first other call reads the store, too. If a stored session has expired but can
    /// be refreshed, the client restores the session and refreshes it at the next use. If the store cannot be read, the
    /// state is `unavailable`, and the client deletes nothing. The next call reads the store again. The client also
    /// tries again from time to time.
    ///
    /// ```swift
    /// if case .signedIn(let session) = await auth.restore() { print("welcome back, \(session.user.id)") }
    /// ```
    ///
    /// - Returns: The state.
    @concurrent
    @discardableResult
    public func restore() async -> AuthState { await sessions.restore() }

    /// Reads the store again, because another process may have changed the stored session.
    ///
    /// The call does not use the network. This call is optional, because each call that needs a token reads the store
    /// first. Use it if a change by another process must take effect immediately. For example, call it when a store
    /// reports a change (PostgreSQL does), or when an app that shares its store with extensions enters the foreground.
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
        /// The time limit of a call.
        ///
        /// A call ends by then even if the backend does not respond.
        public var deadline: Duration
        /// The time that a call waits for the store's lock.
        ///
        /// If another process is refreshing the session, the call waits longer, until its own ``deadline``.
        public var lockTimeout: Duration
        /// The app's servers to which ``AuthClient/authorized(_:by:)`` may send the user's token.
        ///
        /// Default: none.
        public var apiOrigins: Set<WebOrigin>
        /// Whether a sign-out leaves the sessions of other backends in the store.
        ///
        /// By default, a sign-out also removes what an earlier version of the app has stored for another backend.
        /// Otherwise, the app could go back to that backend and sign the user in again without a password. A sign-out
        /// never removes the session of a backend that another client of the process uses. Set this option if other
        /// processes use the same store with other backends.
        public var keepingOtherBackends: Bool
        /// Whether the app gets the tokens of users with an unverified email address.
        public var unverifiedUsers: UnverifiedUsers
        /// The time limit for revoking the session on the backend during a sign-out.
        ///
        /// Meanwhile the user is already signed out on this device.
        public var revocationTimeout: Duration

        /// Creates options.
        ///
        /// - Parameters:
        ///   - deadline: The time limit of a call. Default: 30 seconds.
        ///   - lockTimeout: The time that a call waits for the store's lock. Default: 10 seconds.
        ///   - revocationTimeout: The time limit for revoking the session. Default: 5 seconds.
        ///   - apiOrigins: The app's servers that may get the user's token. Default: none.
        ///   - keepingOtherBackends: Whether a sign-out leaves the sessions of other backends in the store. Default: no.
        ///   - unverifiedUsers: Whether the app gets the tokens of users with an unverified email address. Default: no.
        public init(
            deadline: Duration = .seconds(30), lockTimeout: Duration = .seconds(10), revocationTimeout: Duration = .seconds(5),
            apiOrigins: Set<WebOrigin> = [], keepingOtherBackends: Bool = false, unverifiedUsers: UnverifiedUsers = .rejected
        ) {
            self.apiOrigins = apiOrigins
            self.unverifiedUsers = unverifiedUsers
            self.keepingOtherBackends = keepingOtherBackends
            self.deadline = deadline
            self.lockTimeout = lockTimeout
            self.revocationTimeout = revocationTimeout
        }
    }
}

/// Indicates whether a relaunch of the app will find the client's state.
///
/// ```swift
/// switch auth.persistence {
/// case .stored: print("a relaunch finds the session")
/// case .memoryOnly(let failure): print("until the app ends: \(failure.message)")
/// }
/// ```
public enum Persistence: Sendable, Hashable {
    /// The store contains the current state.
    case stored
    /// The store rejected a write, for the given reason.
    ///
    /// The change is only in memory, and the client tries the write again. If the change was a sign-in, the user is
    /// signed in until the app ends. If the change was a sign-out, the old session may return at the next launch.
    case memoryOnly(StoreFailure)
}
