/// A route of an emulator.
///
/// An endpoint has a method, a path, the required access and the schema of the body. An endpoint also has a handler, and the way
/// in which the handler runs. A table of routes is a list of endpoints:
///
///     static let people: [Endpoint] = [
///         .post("/signup/?", .anyone, body: SignUpRoutes.body, .repeats) { try SignUpRoutes(context: $0).create() },
///         .get("/user/?", .user, .reads) { try UserRoutes(context: $0).show() },
///     ]
public struct Endpoint<State: EmulatorState>: Sendable {
    /// The type of a function that handles a request.
    ///
    /// The function runs inside a transaction. So it must not do anything that cannot be rolled back.
    public typealias Handler = @Sendable (RequestContext<State>) throws -> State.Answer

    /// The method, such as `GET`.
    public let method: String
    /// The pattern of the path, as described in ``Router``.
    public let pattern: String
    /// The access that the sender of a request needs.
    public let access: State.Access
    /// The schema of the body.
    public let body: BodySchema
    /// How the handler runs: with or without a transaction, once or several times.
    public let run: EndpointRun
    /// The function that handles a request.
    public let handler: Handler

    /// Declares a route.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - pattern: The pattern of the path, as described in ``Router``.
    ///   - access: The access that the sender of a request needs.
    ///   - body: The schema of the body. Default: no members.
    ///   - run: How the handler runs. Default: the handler reads and writes.
    ///   - handler: The function that handles a request.
    public init(
        _ method: String, _ pattern: String, _ access: State.Access, body: BodySchema = .none, _ run: EndpointRun = .writes,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.body = body
        self.run = run
        self.handler = handler
    }
}

/// How a handler runs: with or without a transaction, once or several times.
public enum EndpointRun: Sendable, Hashable {
    /// The handler only reads.
    ///
    /// It runs once, without a transaction, and cannot use deferred work.
    case reads
    /// The handler reads and writes.
    ///
    /// It runs once, in one transaction, and cannot use deferred work.
    case writes
    /// The handler only reads.
    ///
    /// After each ``DeferredWork`` it runs again from its beginning.
    case repeatsReading
    /// The handler reads and writes.
    ///
    /// After each ``DeferredWork`` it runs again from its beginning, in a new transaction.
    ///
    /// SQLite allows one writer at a time. If a handler hashed a password inside its transaction, every other request would have
    /// to wait.
    case repeats

    /// Whether the handler may ask for deferred work.
    var isRepeated: Bool { self == .repeats || self == .repeatsReading }
    var isReading: Bool { self == .reads || self == .repeatsReading }
}

extension Endpoint {
    /// Declares a `GET` route.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the path.
    ///   - access: The access that the sender of a request needs.
    ///   - run: How the handler runs. Default: it only reads.
    ///   - handler: The function that handles a request.
    public static func get(
        _ pattern: String, _ access: State.Access, _ run: EndpointRun = .reads, _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint("GET", pattern, access, run, handler)
    }

    /// Declares a `POST` route.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the path.
    ///   - access: The access that the sender of a request needs.
    ///   - body: The schema of the body. Default: no members.
    ///   - run: How the handler runs. Default: the handler reads and writes.
    ///   - handler: The function that handles a request.
    public static func post(
        _ pattern: String, _ access: State.Access, body: BodySchema = .none, _ run: EndpointRun = .writes,
        _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint("POST", pattern, access, body: body, run, handler)
    }

    /// Declares a `PUT` route.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the path.
    ///   - access: The access that the sender of a request needs.
    ///   - body: The schema of the body. Default: no members.
    ///   - run: How the handler runs. Default: the handler reads and writes.
    ///   - handler: The function that handles a request.
    public static func put(
        _ pattern: String, _ access: State.Access, body: BodySchema = .none, _ run: EndpointRun = .writes,
        _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint("PUT", pattern, access, body: body, run, handler)
    }

    /// Declares a `PATCH` route.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the path.
    ///   - access: The access that the sender of a request needs.
    ///   - body: The schema of the body. Default: no members.
    ///   - run: How the handler runs. Default: the handler reads and writes.
    ///   - handler: The function that handles a request.
    public static func patch(
        _ pattern: String, _ access: State.Access, body: BodySchema = .none, _ run: EndpointRun = .writes,
        _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint("PATCH", pattern, access, body: body, run, handler)
    }

    /// Declares a `DELETE` route.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the path.
    ///   - access: The access that the sender of a request needs.
    ///   - body: The schema of the body. Default: no members.
    ///   - run: How the handler runs. Default: the handler reads and writes.
    ///   - handler: The function that handles a request.
    public static func delete(
        _ pattern: String, _ access: State.Access, body: BodySchema = .none, _ run: EndpointRun = .writes,
        _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint("DELETE", pattern, access, body: body, run, handler)
    }
}

extension Router {
    /// Adds the routes of a table.
    ///
    /// - Parameters:
    ///   - state: The state that all requests to these routes share.
    ///   - section: The section of the router to which the routes belong.
    public mutating func add<State>(_ endpoints: [Endpoint<State>], on state: State, in section: RouteSection = .main) {
        let runner = TransactionRunner(state)
        for endpoint in endpoints {
            on(endpoint.method, endpoint.pattern, in: section) { request -> Reply in runner.reply(to: request, endpoint) }
        }
    }
}
