@_exported public import enum LockstepMicrohttpd.ServerRefusal

/// The routes of an emulator, and its responses to requests without a route.
///
/// A pattern is a path with words (`admin`), placeholders (`{id}`), placeholders with a fixed suffix
/// (`{project}:createSessionCookie`), and optionally a last placeholder for the rest of the path (`{rest...}`). Words take
/// precedence over placeholders. A pattern that ends with `/?` matches with and without a trailing slash.
///
///     var router = Router()
///     router.on("GET", "/user") { request in .json(try user(of: request)) }                     // answered at once
///     router.on("POST", "/signup", suspending: { request in try await signUp(request) })        // the connection waits
///     router.on("POST", "/token") { request -> Reply in … }                                     // either, as the request wants
public struct Router: Sendable {
    /// The path prefixes under which the routes are available.
    ///
    /// `[""]` is the root.
    public var mounts: [String] = [""]

    /// The path prefixes that only tests should use.
    ///
    /// Requests from pages of other sites are rejected there.
    public var testPaths: [String] = []

    /// Called before any route.
    ///
    /// If it returns a response, that response is sent.
    ///
    /// For preflight requests, and for requests that must be rejected first.
    public var before: @Sendable (EmulatorRequest) throws -> EmulatorResponse? = { _ in nil }

    /// Completes every response, including errors and unknown routes: CORS headers, version headers.
    public var after: @Sendable (EmulatorRequest, inout EmulatorResponse) -> Void = { _, _ in }

    /// The response to a path without a route.
    public var notFound: @Sendable (EmulatorRequest) -> EmulatorResponse = { _ in .text("404 page not found", status: 404) }

    /// The response to a path that has routes, but none for the method.
    ///
    /// It receives the sorted list of allowed methods.
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

    /// The sections in which a request is looked up, and its method there.
    ///
    /// The first section with the path is used.
    ///
    /// `nil` if there is one section. For a provider with two APIs on one port, which the key in the request selects.
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

    /// Creates a router without routes.
    public init() {}

    /// Adds a route that responds immediately or later, depending on the request.
    public mutating func on(
        _ method: String, _ pattern: String, in section: RouteSection = .main, _ handler: @escaping RouteHandler
    ) {
        trees[section, default: RouteTree()].insert(method: method, pattern: pattern, handler: handler)
    }

    /// Adds a route that responds immediately, on the server's thread.
    public mutating func on(
        _ method: String, _ pattern: String, _ handler: @escaping @Sendable (EmulatorRequest) throws -> EmulatorResponse
    ) {
        on(method, pattern) { request -> Reply in .now(try handler(request)) }
    }

    /// Adds a route whose connection waits while the response is computed.
    public mutating func on(
        _ method: String, _ pattern: String,
        suspending handler: @escaping @Sendable (EmulatorRequest) async throws -> EmulatorResponse
    ) {
        on(method, pattern) { request -> Reply in .later { try await handler(request) } }
    }
}

/// A section of the routes.
public struct RouteSection: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a section with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The section of a provider with one API.
    public static let main = RouteSection(rawValue: "main")
}

/// A response, or the work that produces one.
public enum Reply: Sendable {
    /// A response that is sent from the server's own thread.
    case now(EmulatorResponse)
    /// The connection waits while the work runs on the emulator's own thread. Long work, such as a password hash, runs on
    /// ``EmulationEnvironment/workers``.
    case later(@Sendable () async throws -> EmulatorResponse)
}

/// A function that handles the requests of a route.
///
/// It runs on the server's thread, so it must not wait.
public typealias RouteHandler = @Sendable (EmulatorRequest) throws -> Reply
