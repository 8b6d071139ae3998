/// Runs handlers in transactions.
///
/// Each run of a handler has one transaction. Deferred work runs between two runs.
public struct TransactionRunner<State: EmulatorState>: Sendable {
    private typealias Handler = @Sendable (RequestContext<State>) throws -> EmulatorResponse

    /// How often a handler may ask for deferred work.
    ///
    /// No handler needs more than a few runs, and a handler that never stops must not hang.
    private static var workLimit: Int { 12 }

    private struct TooMuchDeferredWork: Error {}

    private enum Outcome: Sendable {
        case answered(EmulatorResponse)
        case needs(any DeferredWork, RequestMemory)
    }

    private let state: State

    /// Creates a runner for the handlers of an emulator.
    public init(_ state: State) {
        self.state = state
    }

    /// Handles a request.
    ///
    /// The runner reads the request before the transaction starts, and checks the sender's access inside the transaction.
    /// If the handler throws an error, the transaction is rolled back. Only a ``TransactionalError`` can keep the changes.
    ///
    /// - Returns: The response; or the work that makes the response, if the handler needs deferred work.
    public func reply(to request: EmulatorRequest, _ endpoint: Endpoint<State>) -> Reply {
        let settings = state.settings
        let start: RequestStart<State>
        do {
            start = self.start(
                request, settings, try state.call(of: request, to: endpoint, settings), isRepeated: endpoint.run.isRepeated)
        } catch {
            return .now(state.response(to: error, of: request))
        }
        let isReading = endpoint.run.isReading
        let handler: Handler = { context in
            try context.admit(to: endpoint)
            return try state.response(with: endpoint.handler(context), in: context)
        }
        switch run(start, RequestMemory(), isReading, handler) {
        case .answered(let response): return .now(response)
        case .needs(let work, let memory): return .later { await finish(start, work, memory, isReading, handler) }
        }
    }

    /// Runs work in a separate transaction, without a request.
    ///
    /// An administrator in the same process uses this function. Messages are not sent.
    ///
    /// - Parameters:
    ///   - settings: The settings that the work uses; `nil` for the current settings.
    /// - Throws: The error that `body` throws, after the transaction was rolled back; ``NeedsDeferredWork`` if the work needs
    ///   deferred work.
    @discardableResult
    public func perform<Value: Sendable>(
        settings: State.Settings? = nil, _ body: (RequestContext<State>) throws -> Value
    ) throws -> Value {
        var memory = RequestMemory()
        let request = EmulatorRequest(method: "POST", target: "/")
        return try perform(start(request, settings ?? state.settings, state.ownCall), &memory, body)
    }

    /// Runs work in a transaction, even if it needs deferred work such as a password hash.
    ///
    /// The work starts again after each piece of deferred work.
    ///
    /// - Throws: The error of `body` or of the deferred work, after the transaction was rolled back.
    @discardableResult
    public func performWithDeferredWork<Value: Sendable>(_ body: (RequestContext<State>) throws -> Value) async throws -> Value {
        let start = start(EmulatorRequest(method: "POST", target: "/"), state.settings, state.ownCall)
        var memory = RequestMemory()
        for _ in 0..<Self.workLimit {
            do {
                return try perform(start, &memory, body)
            } catch let needed as NeedsDeferredWork {
                try await memory.perform(needed.work, in: state.environment)
            }
        }
        throw TooMuchDeferredWork()
    }

    private func perform<Value: Sendable>(
        _ start: RequestStart<State>, _ memory: inout RequestMemory, _ body: (RequestContext<State>) throws -> Value
    ) throws -> Value {
        let known = memory
        return try write { connection in
            try RequestContext.using(&connection, start, known) { context in
                defer { memory = context.memory }
                return try body(context)
            }
        }
    }

    private func start(
        _ request: EmulatorRequest, _ settings: State.Settings, _ call: State.Call, isRepeated: Bool = true
    ) -> RequestStart<State> {
        RequestStart(
            state: state, request: request, settings: settings, now: state.environment.now, call: call,
            isRepeated: isRepeated)
    }

    private func finish(
        _ start: RequestStart<State>, _ first: any DeferredWork, _ memory: RequestMemory, _ isReading: Bool,
        _ handler: @escaping Handler
    ) async -> EmulatorResponse {
        var work = first
        var memory = memory
        for _ in 0..<Self.workLimit {
            do {
                try await memory.perform(work, in: state.environment)
            } catch {
                return state.response(to: error, of: start.request)
            }
            switch run(start, memory, isReading, handler) {
            case .answered(let response): return response
            case .needs(let next, let kept): (work, memory) = (next, kept)
            }
        }
        return state.response(to: TooMuchDeferredWork(), of: start.request)
    }

    /// Runs a handler once.
    ///
    /// - Parameters:
    ///   - start: The values that are fixed when the request arrives.
    ///   - memory: The data that the request keeps from run to run.
    ///   - isReading: Whether the run has no transaction, and must not write.
    /// - Returns: The result of the run.
    private func run(_ start: RequestStart<State>, _ memory: RequestMemory, _ isReading: Bool, _ handler: @escaping Handler)
        -> Outcome
    {
        // The data that a run leaves for the next run, even if its transaction is rolled back.
        var kept = memory
        var headers: [(name: String, value: String)] = []
        var userID: String?
        var unsentReason: String?
        do {
            let body = { (connection: inout SQLiteConnection) throws -> EmulatorResponse in
                try RequestContext.using(&connection, start, memory) { context in
                    defer {
                        (kept, headers, userID) = (context.memory, context.headers, context.userID)
                        unsentReason = context.unsentReason
                    }
                    do {
                        var response = try handler(context)
                        response.messages = try context.sendMessages()
                        return response
                    } catch let error as any TransactionalError where error.keepsChanges {
                        return context.response(to: error)
                    }
                }
            }
            let response =
                if isReading {
                    try state.database.read { connection in
                        let before = connection.allChanges
                        let response = try body(&connection)
                        guard connection.allChanges == before else { throw UndeclaredWrite() }
                        return response
                    }
                } else {
                    try write(body)
                }
            return .answered(response.with(headers, of: userID, unsentReason))
        } catch let needed as NeedsDeferredWork {
            return .needs(needed.work, kept)
        } catch {
            return .answered(state.response(to: error, of: start.request).with(headers, of: userID, nil))
        }
    }

    /// Runs a closure in a transaction, and counts a change if rows have changed.
    private func write<Value: Sendable>(_ body: (inout SQLiteConnection) throws -> Value) throws -> Value {
        var hasChanged = false
        let value = try state.database.write { connection in
            let before = connection.allChanges
            let value = try body(&connection)
            hasChanged = connection.allChanges != before
            return value
        }
        if hasChanged { state.environment.changes.note(.rows) }
        return value
    }
}

extension EmulatorResponse {
    fileprivate func with(
        _ headers: [(name: String, value: String)], of userID: String?, _ unsentReason: String?
    ) -> EmulatorResponse {
        var copy = self
        copy.userID = userID
        copy.unsentReason = unsentReason
        for (name, value) in headers { copy.headers[name] = value }
        return copy
    }
}
