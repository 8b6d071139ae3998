public import LockstepPrimitives

/// The values that a handler works with during one run in its transaction.
///
/// These values are the request, the rows and the parts of the response. The settings and the time are those at the start of the request.
/// The context stays on one thread for the whole transaction. A provider writes its rules (accounts, sessions, messages) as small
/// types that store only the context.
public final class RequestContext<State: EmulatorState> {
    /// The state that all requests to the emulator share.
    public let state: State
    /// The request that the handler works on.
    public let request: EmulatorRequest
    /// The settings at the start of the request.
    ///
    /// If an administrator changes the settings, the change applies to later requests.
    public let settings: State.Settings
    /// The backend's time at the start of the request.
    ///
    /// The time stays the same if the handler runs again.
    public let now: Instant
    /// The facts about the request that are not stored in rows, such as its credentials.
    ///
    /// Each run of the handler starts with the facts from the request itself.
    public var call: State.Call
    /// The id of the user who makes the request; `nil` until the handler has identified the user.
    ///
    /// The control routes show this id with the request.
    public var userID: String?
    /// The reason why the handler sends no message although a person may wait for one, as the end of a sentence.
    ///
    /// The client does not get it: the dashboard and the terminal show it to the person who runs the emulator.
    public var unsentReason: String?
    /// The headers of the response, which are also sent with an error.
    ///
    /// If two headers have the same name, the later header replaces the earlier header.
    public var headers: [(name: String, value: String)] = []

    var memory: RequestMemory
    /// Whether the handler may ask for deferred work.
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

    /// Runs a closure with a context that has exclusive use of `connection` until the closure returns.
    static func using<Value>(
        _ connection: inout SQLiteConnection, _ start: RequestStart<State>, _ memory: RequestMemory,
        _ body: (RequestContext) throws -> Value
    ) throws -> Value {
        let context = RequestContext(start, memory, connection)
        let result = Result { try body(context) }
        guard let returned = context.connection.take() else { preconditionFailure("a context returns its connection only once") }
        connection = returned
        return try result.get()
    }

    /// Lets the provider accept or reject the sender.
    ///
    /// This may ask for deferred work whatever the endpoint declares, because the declaration only concerns the handler.
    func admit(to endpoint: Endpoint<State>) throws {
        isRepeated = true
        try state.admit(self, to: endpoint)
        isRepeated = endpoint.run.isRepeated
    }

    /// The connection to the database, inside the transaction.
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

    /// The source of random ids, codes and tokens.
    public var randomness: any Randomness { state.environment.randomness }

    /// Returns the result of work that must not run inside a transaction.
    ///
    /// - Throws: ``NeedsDeferredWork`` in the first run, because the work has not run yet. The handler runs again after the work.
    ///   ``UndeclaredWork`` if the ``EndpointRun`` of the endpoint does not allow a second run.
    public func result<Work: DeferredWork>(of work: Work) throws -> Work.Output {
        guard isRepeated else { throw UndeclaredWork(work: "\(Work.self)") }
        return try memory.result(of: work)
    }

    /// Returns a value that takes a long time to make, such as a key.
    ///
    /// - Throws: ``NeedsDeferredWork`` if the value does not exist yet. The handler runs again when it exists. ``UndeclaredWork``
    ///   if the ``EndpointRun`` of the endpoint does not allow a second run.
    public func value<Value>(of prepared: Prepared<Value>) throws -> Value {
        // This check also runs if the value exists. Otherwise a wrong declaration would be found only sometimes.
        guard isRepeated else { throw UndeclaredWork(work: "\(Value.self)") }
        return try prepared.current ?? result(of: prepared)
    }

    /// Returns the next random UUID for this request.
    ///
    /// If the handler runs again, it gets the same UUIDs in the same order.
    public func uuid() -> String { nextID(of: "uuid") { $0.uuid() } }

    /// Returns the next id of a series for this request.
    ///
    /// If the handler runs again, it gets the same ids in the same order.
    ///
    /// - Parameters:
    ///   - series: The name of the series.
    ///   - make: A closure that makes an id from random bits.
    public func nextID(of series: String, _ make: (any Randomness) -> String) -> String {
        if let known = memory.ids.next(of: series) { return known }
        let value = make(randomness)
        memory.ids.append(value, to: series)
        return value
    }

    /// Returns a numeric code for a purpose.
    ///
    /// If the handler runs again, it gets the same code for the same purpose.
    ///
    /// - Parameters:
    ///   - purpose: The name of the purpose.
    ///   - length: The number of digits.
    public func code(_ purpose: String, length: Int) -> String {
        stableText(purpose) { randomness.text(length, of: "0123456789") }
    }

    /// Returns a string that stays the same if the handler runs again.
    ///
    /// The closure makes the string when the handler first asks for it.
    ///
    /// - Parameters:
    ///   - name: The name of the string in this request.
    ///   - make: Makes the string. The closure may use this context, and may throw ``NeedsDeferredWork``.
    /// - Throws: The error that `make` throws.
    public func stableText(_ name: String, _ make: () throws -> String) rethrows -> String {
        if let known = memory.ids[named: name] { return known }
        let text = try make()
        memory.ids[named: name] = text
        return text
    }

    /// Returns whether this is the first call with this name during the whole request.
    ///
    /// Use this function to count something once, even if the handler runs several times.
    public func isFirst(_ name: String) -> Bool { memory.mark(name) }

    /// Queues a message, which is sent after the handler returns and before the commit.
    ///
    /// - Parameters:
    ///   - failure: The error to throw if the message cannot be sent. In that case, the transaction is rolled back.
    public func send(_ message: OutgoingMessage, failure: any Error) {
        messages.append((message, failure))
    }

    /// Runs a part of the handler, and discards its changes if it fails.
    ///
    /// If `body` throws an error, its rows and its queued messages are discarded. The handler can then handle the error in the
    /// same transaction.
    ///
    /// - Throws: The error that `body` throws.
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

    /// Returns the provider's response to an error.
    ///
    /// Use this function in a handler that returns an error, but keeps its changes and sends its messages.
    public func response(to error: any Error) -> EmulatorResponse { state.response(to: error, of: request) }

    /// Sends the queued messages.
    ///
    /// - Returns: Their numbers.
    func sendMessages() throws -> [Int] {
        var numbers: [Int] = []
        for (message, failure) in messages {
            do {
                numbers.append(try state.environment.outbox.send(message))
            } catch {
                throw failure
            }
        }
        messages = []
        return numbers
    }
}

/// The values that are fixed when a request arrives.
struct RequestStart<State: EmulatorState>: Sendable {
    let state: State
    let request: EmulatorRequest
    let settings: State.Settings
    let now: Instant
    let call: State.Call
    let isRepeated: Bool
}
