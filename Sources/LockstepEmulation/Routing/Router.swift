@_exported public import enum LockstepMicrohttpd.ServerRefusal

/// The routes of an emulator, and its responses to requests that have none.
///
/// A pattern is a path whose pieces are words (`admin`), placeholders (`{id}`), placeholders with a fixed end
/// (`{project}:createSessionCookie`), or, as the last, the rest of the path (`{rest...}`). Words win over placeholders. A pattern
/// that ends with `/?` matches with and without a slash at the end.
///
///     var router = Router()
///     router.on("GET", "/user") { request in .json(try user(of: request)) }                     // answered at once
///     router.on("POST", "/signup", suspending: { request in try await signUp(request) })        // the connection waits
///     router.on("POST", "/token") { request -> Reply in … }                                     // either, as the request wants
public struct Router: Sendable {
    /// Where the routes are found: each is a path before all patterns.
    ///
    /// `[""]` is the root.
    public var mounts: [String] = [""]

    /// The beginnings of paths that tests alone should use: a page of another site is rejected there before any route.
    public var testPaths: [String] = []

    /// Asked before any route; what it returns is the response.
    ///
    /// For preflights, and for what must be rejected first.
    public var before: @Sendable (EmulatorRequest) throws -> EmulatorResponse? = { _ in nil }

    /// Finishes every response, errors and unknown routes included: CORS headers, version headers.
    public var after: @Sendable (EmulatorRequest, inout EmulatorResponse) -> Void = { _, _ in }

    /// The response to a path without a route.
    public var notFound: @Sendable (EmulatorRequest) -> EmulatorResponse = { _ in .text("404 page not found", status: 404) }

    /// The response to a path that has routes, but none for the method; gets the methods that there are, sorted.
    public var methodNotAllowed: @Sendable (EmulatorRequest, [String]) -> EmulatorResponse = { _, methods in
        .empty(status: 405).with("Allow", methods.joined(separator: ", "))
    }

    /// The response to an error that a handler has thrown.
    public var failed: @Sendable (any Error, EmulatorRequest) -> EmulatorResponse = { error, _ in
        .text("internal error: \(type(of: error))", status: 500)
    }

    /// The response to a request that the server rejects before routing.
    public var refused: @Sendable (ServerRefusal, EmulatorRequest) -> EmulatorResponse = { refusal, _ in
        .text(refusal.sentence, status: refusal.status)
    }

    /// The sections to look a request up in, and its method there; the first section that knows the path decides.
    ///
    /// `nil` if there is one section. For a provider with two interfaces on one port, of which the request's own key says the
    /// one.
    public var sections: (@Sendable (EmulatorRequest) -> [(section: RouteSection, method: String)])?

    private var trees: [RouteSection: RouteTree] = [:]

    /// Methods and patterns of all routes.
    public var routes: [(method: String, pattern: String)] { trees.values.flatMap(\.routes) }

    /// Looks a request up.
    func match(_ request: EmulatorRequest, rawPath: Substring) -> RouteTree.Match {
        guard let sections else { return trees[.main]?.match(method: request.method, rawPath: rawPath) ?? .nothing }
        for (section, method) in sections(request) {
            guard let match = trees[section]?.match(method: method, rawPath: rawPath) else { continue }
            if case .nothing = match { continue }
            return match
        }
        return .nothing
    }

    /// No routes.
    public init() {}

    /// Adds a route that is answered now or later, as the request wants.
    public mutating func on(
        _ method: String, _ pattern: String, in section: RouteSection = .main, _ handler: @escaping RouteHandler
    ) {
        trees[section, default: RouteTree()].insert(method: method, pattern: pattern, handler: handler)
    }

    /// Adds a route that is answered at once, on the server's thread.
    public mutating func on(
        _ method: String, _ pattern: String, _ handler: @escaping @Sendable (EmulatorRequest) throws -> EmulatorResponse
    ) {
        on(method, pattern) { request -> Reply in .now(try handler(request)) }
    }

    /// Adds a route whose connection waits while the response is worked on.
    public mutating func on(
        _ method: String, _ pattern: String,
        suspending handler: @escaping @Sendable (EmulatorRequest) async throws -> EmulatorResponse
    ) {
        on(method, pattern) { request -> Reply in .later { try await handler(request) } }
    }
}

/// A part of the routes in which a request is looked up.
public struct RouteSection: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// A section of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The section of a provider with one interface.
    public static let main = RouteSection(rawValue: "main")
}

/// A response now, or the work that leads to one.
public enum Reply: Sendable {
    /// Sent from the server's own thread, without a hop.
    case now(EmulatorResponse)
    /// The connection waits while the work is done on the emulator's own thread; what blocks that for long (a password hash) goes
    /// to ``EmulationEnvironment/workers``.
    case later(@Sendable () async throws -> EmulatorResponse)
}

/// Answers the requests of one route; called on the server's thread, so it must not wait for anything.
public typealias RouteHandler = @Sendable (EmulatorRequest) throws -> Reply
