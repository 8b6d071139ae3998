public import LockstepPrimitives

/// One run of a handler in its transaction, with the request, a snapshot of the settings, the time, the rows, and the parts of
/// the response.
///
/// It stays on one thread for the whole transaction. The rules of a provider are small types on top of it (accounts, sessions,
/// messages), which store only the context.
public final class RequestContext<State: EmulatorState> {
    /// The state that all requests share.
    public let state: State
    /// The request.
    public let request: EmulatorRequest
    /// The settings at the request's start: a change by an administrator applies from the next request on.
    public let settings: State.Settings
    /// The backend's time at the request's start, the same in every run.
    public let now: Instant
    /// The facts about the request that are not in rows.
    ///
    /// Each run starts with the facts of the request itself.
    public var call: State.Call
    /// The user for whom the request acts, once the provider's rules know it.
    ///
    /// The control routes show it with the request.
    public var userID: String?
    /// The headers of the response, also for an error.
    ///
    /// A later header replaces an earlier one with the same name.
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

    /// The source of ids, codes and tokens.
    public var randomness: any Randomness { state.environment.randomness }

    /// Returns the result of work that must not run inside a transaction.
    ///
    /// - Throws: ``NeedsDeferredWork`` in the first run that requests it. The handler runs again after the work.
    ///   ``UndeclaredWork`` if the endpoint's ``EndpointRun`` does not say that it repeats.
    public func result<Work: DeferredWork>(of work: Work) throws -> Work.Output {
        guard isRepeated else { throw UndeclaredWork(work: "\(Work.self)") }
        return try memory.result(of: work)
    }

    /// Returns a value that takes long to create.
    ///
    /// - Throws: ``NeedsDeferredWork`` until it is there. ``UndeclaredWork`` if the endpoint's ``EndpointRun`` does not say that it repeats.
    public func value<Value>(of prepared: Prepared<Value>) throws -> Value {
        // Also if the value is there: whether the declaration is right must not depend on who was first.
        guard isRepeated else { throw UndeclaredWork(work: "\(Value.self)") }
        return try prepared.current ?? result(of: prepared)
    }

    /// Returns the next random UUID of this request, the same in every run.
    public func uuid() -> String { nextID(of: "uuid") { $0.uuid() } }

    /// Returns the next id of a series in this request, the same in every run.
    public func nextID(of series: String, _ make: (any Randomness) -> String) -> String {
        if let known = memory.ids.next(of: series) { return known }
        let value = make(randomness)
        memory.ids.append(value, to: series)
        return value
    }

    /// Returns a numeric code for a purpose, the same in every run.
    public func code(_ purpose: String, length: Int) -> String {
        stableText(purpose) { randomness.text(length, of: "0123456789") }
    }

    /// Returns the text with a name.
    ///
    /// It is created in the first run that requests it, and is the same in later runs.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - make: Creates the text. It may use this context, and may throw ``NeedsDeferredWork``.
    /// - Returns: The text with a name.
    /// - Throws: The errors of the passed closure.
    public func stableText(_ name: String, _ make: () throws -> String) rethrows -> String {
        if let known = memory.ids[named: name] { return known }
        let text = try make()
        memory.ids[named: name] = text
        return text
    }

    /// Whether this is the first call with this name in the whole request.
    ///
    /// Use it to count something once, even if the handler runs several times.
    public func isFirst(_ name: String) -> Bool { memory.mark(name) }

    /// Queues a message.
    ///
    /// It is sent after the handler returns and before the commit.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - failure: The error to throw if the message cannot be sent. The transaction is rolled back.
    public func send(_ message: OutgoingMessage, failure: any Error) {
        messages.append((message, failure))
    }

    /// Runs `body` in a savepoint.
    ///
    /// If it throws, its rows and its queued messages are discarded.
    ///
    /// For an error that is handled inside the request's own transaction. The savepoint is written by hand, because `body` needs
    /// ``db``.
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

    /// Returns the provider's response to an error, for a handler that keeps its changes and sends its messages.
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
