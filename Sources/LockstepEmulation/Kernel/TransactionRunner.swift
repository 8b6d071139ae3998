/// Runs handlers: each run in one transaction, deferred work between the runs.
public struct TransactionRunner<State: EmulatorState>: Sendable {
    /// Answers a request in a transaction; runs again after each deferred work, so it does nothing that cannot be rolled back.
    public typealias Handler = @Sendable (RequestContext<State>) throws -> EmulatorResponse

    /// What a handler does with the rows.
    public enum RowAccess: Sendable {
        /// Reads, without a transaction.
        case reads
        /// Reads and writes: all of its changes or none.
        case writes
    }

    /// How often a handler may ask for deferred work: no handler needs more than a few, and one that never stops asking must not hang.
    private static var workLimit: Int { 12 }

    private struct TooMuchDeferredWork: Error {}

    private enum Outcome: Sendable {
        case answered(EmulatorResponse)
        case needs(any DeferredWork, RequestMemory)
    }

    private let state: State

    /// Runs handlers on this state.
    public init(_ state: State) {
        self.state = state
    }

    /// The answer of a handler: at once where it needs no deferred work, later otherwise.
    ///
    /// A refusal rolls the transaction back, unless it is a ``TransactionalError`` that keeps its changes.
    ///
    /// - Parameter settings: the snapshot of the settings, where one was taken already.
    public func reply(
        to request: EmulatorRequest, _ access: RowAccess = .writes, settings: State.Settings? = nil, _ handler: @escaping Handler
    ) -> Reply {
        reply(start(request, settings, state.ownCall), access, handler)
    }

    /// The answer of an endpoint: its call is read before the transaction, and its sender admitted in it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - endpoint: The endpoint that it is for.
    public func reply(to request: EmulatorRequest, _ endpoint: Endpoint<State>) -> Reply {
        let settings = state.settings
        let start: RequestStart<State>
        do {
            start = self.start(
                request, settings, try state.call(of: request, to: endpoint, settings), isRepeated: endpoint.run.isRepeated)
        } catch {
            return .now(state.response(to: error, of: request))
        }
        return reply(start, endpoint.run.isReading ? .reads : .writes) { context in
            try context.admit(to: endpoint)
            return try state.response(with: endpoint.handler(context), in: context)
        }
    }

    private func reply(_ start: RequestStart<State>, _ access: RowAccess, _ handler: @escaping Handler) -> Reply {
        switch run(start, RequestMemory(), access, handler) {
        case .answered(let response): return .now(response)
        case .needs(let work, let memory):
            return .later { await finish(start, work, memory, access, handler) }
        }
    }

    /// Runs `body` in a transaction of its own, without a request: for administrators.
    ///
    /// Messages are not sent.
    ///
    /// - Throws: what `body` throws, after a roll-back; ``NeedsDeferredWork`` where it needs any.
    @discardableResult
    public func perform<Value: Sendable>(_ body: (RequestContext<State>) throws -> Value) throws -> Value {
        var memory = RequestMemory()
        return try perform(start(EmulatorRequest(method: "POST", target: "/"), nil, state.ownCall), &memory, body)
    }

    /// The same for a body that needs deferred work, such as password hashes; it runs again after each.
    ///
    /// - Throws: what `body` and the work throw, after a roll-back.
    @discardableResult
    public func performWithDeferredWork<Value: Sendable>(_ body: (RequestContext<State>) throws -> Value) async throws -> Value {
        let start = start(EmulatorRequest(method: "POST", target: "/"), nil, state.ownCall)
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
        _ request: EmulatorRequest, _ settings: State.Settings?, _ call: State.Call, isRepeated: Bool = true
    ) -> RequestStart<State> {
        RequestStart(
            state: state, request: request, settings: settings ?? state.settings, now: state.environment.now, call: call,
            isRepeated: isRepeated)
    }

    private func finish(
        _ start: RequestStart<State>, _ first: any DeferredWork, _ memory: RequestMemory, _ access: RowAccess,
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
            switch run(start, memory, access, handler) {
            case .answered(let response): return response
            case .needs(let next, let kept): (work, memory) = (next, kept)
            }
        }
        return state.response(to: TooMuchDeferredWork(), of: start.request)
    }

    private func run(_ start: RequestStart<State>, _ memory: RequestMemory, _ access: RowAccess, _ handler: @escaping Handler)
        -> Outcome
    {
        // What a run leaves behind, also where its transaction is rolled back.
        var kept = memory
        var headers: [(name: String, value: String)] = []
        var userID: String?
        do {
            let body = { (connection: inout SQLiteConnection) throws -> EmulatorResponse in
                try RequestContext.using(&connection, start, memory) { context in
                    defer { (kept, headers, userID) = (context.memory, context.headers, context.userID) }
                    do {
                        let response = try handler(context)
                        try context.sendMessages()
                        return response
                    } catch let error as any TransactionalError where error.keepsChanges {
                        return context.response(to: error)
                    }
                }
            }
            let response =
                switch access {
                case .reads:
                    try state.database.read { connection in
                        let before = connection.allChanges
                        let response = try body(&connection)
                        guard connection.allChanges == before else { throw UndeclaredWrite() }
                        return response
                    }
                case .writes: try write(body)
                }
            return .answered(response.with(headers, of: userID))
        } catch let needed as NeedsDeferredWork {
            return .needs(needed.work, kept)
        } catch {
            return .answered(state.response(to: error, of: start.request).with(headers, of: userID))
        }
    }

    /// Runs `body` in a transaction, and notes whether it has changed rows.
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
    fileprivate func with(_ headers: [(name: String, value: String)], of userID: String?) -> EmulatorResponse {
        var copy = self
        copy.userID = userID
        for (name, value) in headers { copy.headers[name] = value }
        return copy
    }
}
