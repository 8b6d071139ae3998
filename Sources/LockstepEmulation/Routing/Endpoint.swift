/// A route of an emulator: its method, path, access rule, body schema, way of running, and handler.
///
/// A route table is a list of these:
///
///     static let people: [Endpoint] = [
///         .post("/signup/?", .anyone, body: SignUpRoutes.body, .repeats) { try SignUpRoutes(context: $0).create() },
///         .get("/user/?", .user, .reads) { try UserRoutes(context: $0).show() },
///     ]
public struct Endpoint<State: EmulatorState>: Sendable {
    /// Handles a request.
    ///
    /// It runs inside a transaction, so it must not do anything that cannot be rolled back.
    public typealias Handler = @Sendable (RequestContext<State>) throws -> State.Answer

    /// The method, such as `GET`.
    public let method: String
    /// The path pattern, as described in ``Router``.
    public let pattern: String
    /// The access rule.
    public let access: State.Access
    /// The schema of the body.
    public let body: BodySchema
    /// The way the handler runs.
    public let run: EndpointRun
    /// Handles a request.
    public let handler: Handler

    /// Declares a route.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - pattern: The path pattern.
    ///   - access: The access rule.
    ///   - body: The schema of the body.
    ///   - run: The way the handler runs.
    ///   - handler: Handles a request.
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

/// The way a handler runs.
public enum EndpointRun: Sendable, Hashable {
    /// Reads, without a transaction, and needs no deferred work.
    case reads
    /// Reads and writes in one transaction, and needs no deferred work.
    case writes
    /// Reads, and runs again from its beginning after each ``DeferredWork``.
    case repeatsReading
    /// Reads and writes, and runs again from its beginning, in a new transaction, after each ``DeferredWork``.
    ///
    /// SQLite allows one writer. If a handler hashed a password inside its transaction, every other request would have to wait.
    case repeats

    /// Whether the handler may ask for deferred work.
    var isRepeated: Bool { self == .repeats || self == .repeatsReading }
    var isReading: Bool { self == .reads || self == .repeatsReading }
}

extension Endpoint {
    /// Declares a `GET` route.
    public static func get(
        _ pattern: String, _ access: State.Access, _ run: EndpointRun = .reads, _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint("GET", pattern, access, run, handler)
    }

    /// Declares a `POST` route.
    public static func post(
        _ pattern: String, _ access: State.Access, body: BodySchema = .none, _ run: EndpointRun = .writes,
        _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint("POST", pattern, access, body: body, run, handler)
    }

    /// Declares a `PUT` route.
    public static func put(
        _ pattern: String, _ access: State.Access, body: BodySchema = .none, _ run: EndpointRun = .writes,
        _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint("PUT", pattern, access, body: body, run, handler)
    }

    /// Declares a `PATCH` route.
    public static func patch(
        _ pattern: String, _ access: State.Access, body: BodySchema = .none, _ run: EndpointRun = .writes,
        _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint("PATCH", pattern, access, body: body, run, handler)
    }

    /// Declares a `DELETE` route.
    public static func delete(
        _ pattern: String, _ access: State.Access, body: BodySchema = .none, _ run: EndpointRun = .writes,
        _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint("DELETE", pattern, access, body: body, run, handler)
    }
}

extension Router {
    /// Adds endpoints that use `state`.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints of a route table.
    ///   - state: What all requests share.
    ///   - section: The section of the routes.
    public mutating func add<State>(_ endpoints: [Endpoint<State>], on state: State, in section: RouteSection = .main) {
        let runner = TransactionRunner(state)
        for endpoint in endpoints {
            on(endpoint.method, endpoint.pattern, in: section) { request -> Reply in runner.reply(to: request, endpoint) }
        }
    }
}
