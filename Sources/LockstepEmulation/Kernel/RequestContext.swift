public import LockstepPrimitives

/// One run of a handler in its transaction: the request, a snapshot of the settings, the time, the rows, and what the response
/// needs.
///
/// It stays on one thread, from the start of the transaction to its end. The rules of a provider are small types over it (accounts,
/// sessions, messages); they hold the context, and nothing else of a request.
public final class RequestContext<State: EmulatorState> {
    /// What all requests share.
    public let state: State
    /// The request.
    public let request: EmulatorRequest
    /// The settings at the request's start: a change by an administrator applies from the next request on.
    public let settings: State.Settings
    /// The backend's time at the request's start, the same in every run.
    public let now: Instant
    /// What is known of the request besides its rows; each run begins with what the request itself says.
    public var call: State.Call
    /// The user whom the request acts for, once a provider's rules know; it is shown with the exchange in the control routes.
    public var userID: String?
    /// Headers of the response, also if it is a refusal; a later one of the same name replaces an earlier one.
    public var headers: [(name: String, value: String)] = []

    var memory: RequestMemory
    /// Whether deferred work may be asked for.
    private var isRepeated: Bool
    private var messages: [(message: OutgoingMessage, failure: any Error)] = []
    private var connection: SQLiteConnection?

    private init(_ start: RequestStart<State>, _ memory: RequestMemory, _ connection: consuming SQLiteConnection) {
        state = start.state
        request = start.request
        settings = start.settings
        now = start.now
        call = start.call
        isRepeated = start.isRepeated
        self.memory = memory
        self.memory.ids.rewind()
        self.connection = consume connection
    }

    /// Runs `body` with a context that has `connection` to itself until it returns.
    static func using<Value>(
        _ connection: inout SQLiteConnection, _ start: RequestStart<State>, _ memory: RequestMemory,
        _ body: (RequestContext) throws -> Value
    ) throws -> Value {
        let context = RequestContext(start, memory, connection)
        let result = Result { try body(context) }
        guard let returned = context.connection.take() else { preconditionFailure("a context gives its connection back once") }
        connection = returned
        return try result.get()
    }

    /// Has the provider admit the sender.
    ///
    /// Admission may ask for deferred work whatever the endpoint declares: the declaration is about the handler.
    func admit(to endpoint: Endpoint<State>) throws {
        isRepeated = true
        try state.admit(self, to: endpoint)
        isRepeated = endpoint.run.isRepeated
    }

    /// The rows, inside the transaction.
    public var db: SQLiteConnection {
        _read {
            guard connection != nil else { preconditionFailure("the transaction has ended") }
            yield connection!
        }
        _modify {
            guard connection != nil else { preconditionFailure("the transaction has ended") }
            yield &connection!
        }
    }

    /// Ids, codes and tokens.
    public var randomness: any Randomness { state.environment.randomness }

    /// The result of work that must not run inside a transaction.
    ///
    /// - Throws: ``NeedsDeferredWork`` in the run that asks first; the handler runs again after the work. ``UndeclaredWork`` if the
    ///   endpoint's ``EndpointRun`` does not say that it repeats.
    public func result<Work: DeferredWork>(of work: Work) throws -> Work.Output {
        guard isRepeated else { throw UndeclaredWork(work: "\(Work.self)") }
        return try memory.result(of: work)
    }

    /// A value that takes long to make.
    ///
    /// - Throws: ``NeedsDeferredWork`` until it is there. ``UndeclaredWork`` if the endpoint's ``EndpointRun`` does not say that it repeats.
    public func value<Value>(of prepared: Prepared<Value>) throws -> Value {
        // Also where the value is there: whether the declaration is right must not depend on who was first.
        guard isRepeated else { throw UndeclaredWork(work: "\(Value.self)") }
        return try prepared.current ?? result(of: prepared)
    }

    /// The next random UUID of this request, the same in every run.
    public func uuid() -> String { nextID(of: "uuid") { $0.uuid() } }

    /// The next id of a series of this request, the same in every run.
    public func nextID(of series: String, _ make: (any Randomness) -> String) -> String {
        if let known = memory.ids.next(of: series) { return known }
        let value = make(randomness)
        memory.ids.append(value, to: series)
        return value
    }

    /// A code of digits for a purpose, the same in every run.
    public func code(_ purpose: String, length: Int) -> String {
        stableText(purpose) { randomness.text(length, of: "0123456789") }
    }

    /// A text of that name, made in the first run that asks and the same in every later one.
    ///
    /// - Parameter make: makes the text; it may use this context, and throw ``NeedsDeferredWork``.
    public func stableText(_ name: String, _ make: () throws -> String) rethrows -> String {
        if let known = memory.ids[named: name] { return known }
        let text = try make()
        memory.ids[named: name] = text
        return text
    }

    /// Whether this is the first call with this name in the whole request: what is counted counts once, however often the handler runs.
    public func isFirst(_ name: String) -> Bool { memory.mark(name) }

    /// Queues a message; it is sent when the handler has returned, before the commit.
    ///
    /// - Parameter failure: thrown, and the transaction rolled back, where the message cannot be sent.
    public func send(_ message: OutgoingMessage, failure: any Error) {
        messages.append((message, failure))
    }

    /// Does everything in `body` or nothing: where it throws, no row and no queued message of it remains.
    ///
    /// For a refusal that is kept inside of the request's own transaction. A savepoint by hand: `body` needs ``db`` for itself.
    public func wholly<Value>(_ body: () throws -> Value) throws -> Value {
        let queued = messages.count
        try db.run("SAVEPOINT wholly")
        do {
            let value = try body()
            try db.run("RELEASE wholly")
            return value
        } catch {
            messages.removeSubrange(queued...)
            // SQLite has rolled back automatically after some errors (a full disk); then there is nothing left to undo.
            _ = try? db.run("ROLLBACK TO wholly")
            _ = try? db.run("RELEASE wholly")
            throw error
        }
    }

    /// The provider's response to a refusal, for a handler that keeps what it has done and sends its messages.
    public func response(to error: any Error) -> EmulatorResponse { state.response(to: error, of: request) }

    func sendMessages() throws {
        for (message, failure) in messages {
            do {
                try state.environment.outbox.send(message)
            } catch {
                throw failure
            }
        }
        messages = []
    }
}

/// Values fixed when the request arrives.
struct RequestStart<State: EmulatorState>: Sendable {
    let state: State
    let request: EmulatorRequest
    let settings: State.Settings
    let now: Instant
    let call: State.Call
    let isRepeated: Bool
}
