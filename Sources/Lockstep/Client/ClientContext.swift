public import LockstepPrimitives
internal import Synchronization

/// The parts that the coordinators of a client share: the adapter, the store, the effects, and the whole state under
/// one lock.
final class ClientContext: Sendable {
    let adapter: any AuthAdapter
    let store: any SessionStore
    let effects: ClientEffects
    let options: AuthClient.Options
    let state = Mutex(ClientState())
    /// Serialises access to the store, so that store and memory change in one order.
    let locks: ExclusiveLocks
    let slots: StoredSlots

    init(adapter: any AuthAdapter, store: any SessionStore, effects: ClientEffects, options: AuthClient.Options) {
        let store = TimeLimitedStore(store, limit: options.deadline, clock: effects.clock)
        let locks = ExclusiveLocks(clock: effects.clock)
        self.adapter = adapter
        self.store = store
        self.effects = effects
        self.options = options
        self.locks = locks
        slots = StoredSlots(of: adapter, in: store, locks: locks, lockTimeout: options.lockTimeout) { slot in
            effects.report(.quarantine, [.slot: slot.rawValue])
        }
    }

    deinit {
        state.withLock { $0.observers }.finish()
    }

    /// Returns the error for a capability that the adapter does not have; the caller throws it before any request.
    func unsupported(_ capability: Capability) -> AuthError {
        .unsupported(capability, by: adapter.name)
    }

    // MARK: Time

    /// Calls the adapter on its own executor, and returns by the deadline even if the call has not ended.
    ///
    /// - `deadline`: The limit; the remaining time of the caller's call if that is shorter.
    /// - `late`: Handles a response that came after the deadline, because the change on the backend must not be lost.
    ///
    /// Throws the adapter's error, `timedOut` at the deadline, or `cancelled` if the caller's task is cancelled.
    func ask<Response: Sendable>(
        within deadline: Duration? = nil, late: @escaping @Sendable (Response) async -> Void = { _ in },
        _ question: @escaping @Sendable () async throws(AuthError) -> Response
    ) async throws(AuthError) -> Response {
        let limit = CallDeadline.left(of: deadline ?? options.deadline, on: effects.clock)
        let lateResponse: @Sendable (Result<Response, AuthError>) async -> Void = { result in
            guard case .success(let response) = result else { return }
            // The call has ended, so the late response is handled without the call's deadline.
            await CallDeadline.$uptime.withValue(nil) { await late(response) }
        }
        let end = await effects.clock.wait(atMost: limit, on: adapter.executor, late: lateResponse) {
            do throws(AuthError) { return .success(try await question()) } catch { return .failure(error) }
        }
        guard case .value(let result) = end else { throw self.end(of: end) }
        return try result.get()
    }

    /// Runs `body` with one deadline for all its waits.
    func withDeadline<Response: Sendable>(
        _ body: @Sendable () async throws(AuthError) -> Response
    ) async throws(AuthError) -> Response {
        let result: Result<Response, AuthError> = await CallDeadline.$uptime.withValue(effects.clock.uptime + options.deadline) {
            do throws(AuthError) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Returns the error for a caller whose wait ended without a value.
    func end<Value>(of end: WaitEnd<Value>) -> AuthError {
        if case .cancelled = end { return .cancelled }
        return AuthError(
            .timedOut,
            "The call did not end within \(options.deadline.inWholeSeconds). The request may have reached the backend.",
            retry: .now)
    }

    // MARK: Events

    /// Sends the events for the beginning and end of a call, and for the requests of all its tasks.
    func withCallEvents<Response: Sendable>(
        _ name: String, _ body: @Sendable () async throws(AuthError) -> Response
    ) async throws(AuthError) -> Response {
        // If this call runs inside a call of another client, that client's observer may be set.
        guard !effects.events.isNone || RequestObserver.current != nil else { return try await body() }
        let outcome: Result<Response, AuthError> = await RequestObserver.$current.withValue(observer()) {
            let start = effects.clock.uptime
            effects.report(.callBegan, [.call: name, .provider: adapter.name])
            let outcome: Result<Response, AuthError>
            do throws(AuthError) {
                outcome = .success(try await body())
            } catch {
                outcome = .failure(error)
            }
            let code = if case .failure(let error) = outcome { error.code.rawValue } else { "ok" }
            effects.report(
                .callEnded, [.call: name, .provider: adapter.name, .outcome: code, .milliseconds: milliseconds(since: start)])
            return outcome
        }
        return try outcome.get()
    }

    /// Starts work that no call waits for.
    ///
    /// Its events have their own call id, and its requests contain no caller's trace.
    func inBackground(_ name: String, _ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.store.lastWork += 1
            let ticket = state.store.lastWork
            state.store.background[ticket] = Task {
                await TraceContext.$current.withValue(nil) {
                    await CallDeadline.$uptime.withValue(nil) {
                        // The body throws nothing.
                        try? await self.withCallEvents(name) { () async throws(AuthError) in await body() }
                    }
                }
                self.state.withLock { $0.store.background[ticket] = nil }
            }
        }
    }

    /// Waits until the background work has ended.
    func settle() async {
        let limit = CallDeadline.left(of: options.deadline, on: effects.clock)
        _ = await effects.clock.wait(atMost: limit) { [self] in
            while let work = state.withLock({ $0.store.background.values.first }) { await work.value }
        }
    }

    private func observer() -> RequestObserver? {
        guard !effects.events.isNone else { return nil }
        let id = Hex.encode(effects.randomness.bytes(4))
        let count = RequestCount()
        return RequestObserver(callID: id) { [effects] method, route in
            let start = effects.clock.uptime
            let fields: [AuthEvent.Field: String] = [
                .method: method, .route: route, .request: "\(id).\(count.next())", .callID: id,
            ]
            effects.events(AuthEvent(.requestBegan, at: effects.clock.now, fields))
            return { end in
                var event = AuthEvent(.requestEnded, at: effects.clock.now, fields)
                event[.milliseconds] = String((effects.clock.uptime - start).milliseconds)
                switch end {
                case .answered(let status, let bytes):
                    event[.outcome] = "ok"
                    event[.status] = String(status)
                    event[.bytes] = String(bytes)
                case .failed(let code): event[.outcome] = code
                }
                effects.events(event)
            }
        }
    }

    private func milliseconds(since start: Duration) -> String { String((effects.clock.uptime - start).milliseconds) }
}

extension ClientEffects {
    /// Sends an event to the sink, and creates the event only if a sink is set.
    func report(_ name: AuthEvent.Name, _ fields: @autoclosure () -> [AuthEvent.Field: String] = [:]) {
        guard !events.isNone else { return }
        var event = AuthEvent(name, at: clock.now, fields())
        event[.callID] = RequestObserver.current?.callID
        events(event)
    }
}

/// Numbers the requests of one call.
private final class RequestCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// The clock, the source of randomness and the event sink of a client.
///
/// ```swift
/// let client = AuthClient(adapter: adapter, store: store, effects: .live())
/// ```
public struct ClientEffects: Sendable {
    /// The clock.
    public var clock: any DeviceClock
    /// The source of random bytes.
    public var randomness: any Randomness
    /// The sink that receives the client's events.
    public var events: AuthEventSink

    /// Creates effects from a clock, a source of randomness and an event sink.
    ///
    /// - Parameters:
    ///   - clock: The clock.
    ///   - randomness: The source of random bytes.
    ///   - events: The sink that receives the client's events. Default: none.
    public init(clock: any DeviceClock, randomness: any Randomness, events: AuthEventSink = .none) {
        self.clock = clock
        self.randomness = randomness
        self.events = events
    }

    /// Returns effects with the clock and the randomness of this machine.
    ///
    /// - Parameter events: The sink that receives the client's events. Default: none.
    /// - Returns: The effects.
    public static func live(events: AuthEventSink = .none) -> ClientEffects {
        ClientEffects(clock: SystemClock(), randomness: SystemRandomness(), events: events)
    }
}

/// A function that receives the events of a client, for logs, metrics and traces.
///
/// The client calls the function after the change that the event reports, on the task that caused the event. The
/// client holds no lock at that time, so the function may call the client. The function must be fast and must not
/// block, because events of requests arrive on the transport's own thread.
///
/// ```swift
/// let sink = AuthEventSink.jsonLines { line in print(line, terminator: "") }
/// let auth = AuthClient(adapter: adapter, store: store, effects: .live(events: sink))
/// ```
public struct AuthEventSink: Sendable {
    private let take: (@Sendable (AuthEvent) -> Void)?

    /// Creates a sink from a function.
    ///
    /// - Parameter take: A function that the client calls with every event.
    public init(_ take: @escaping @Sendable (AuthEvent) -> Void) { self.take = take }

    private init() { take = nil }

    /// A sink that ignores events.
    ///
    /// With this sink, the client does not create any events.
    public static let none = AuthEventSink()

    /// Creates a sink that writes every event as one line of JSON, with its line end; see ``AuthEvent/jsonLine``.
    ///
    /// Several threads may call `write` at the same time, so `write` must write each line as a whole.
    ///
    /// - Parameter write: A function that writes one line.
    /// - Returns: The sink.
    public static func jsonLines(_ write: @escaping @Sendable (String) -> Void) -> AuthEventSink {
        AuthEventSink { write($0.jsonLine + "\n") }
    }

    /// Returns a sink that passes every event to this sink and to another sink.
    ///
    /// - Parameter other: The other sink.
    /// - Returns: The combined sink.
    public func and(_ other: AuthEventSink) -> AuthEventSink {
        guard let take, let others = other.take else { return take == nil ? other : self }
        return AuthEventSink {
            take($0)
            others($0)
        }
    }

    var isNone: Bool { take == nil }

    /// Sends an event to the sink.
    ///
    /// If there is no sink, the event is not created.
    ///
    /// - Parameter event: The expression that creates the event.
    public func callAsFunction(_ event: @autoclosure () -> AuthEvent) { take?(event()) }
}
