@_exported public import enum LockstepMicrohttpd.ServerRefusal

/// The routes of an emulator, and its responses to requests without a matching route.
///
/// A pattern is a path with these parts:
///
/// - words (`admin`);
/// - placeholders (`{id}`);
/// - placeholders that are followed by fixed characters (`{project}:createSessionCookie`);
/// - at the end, a placeholder for the rest of the path (`{rest...}`).
///
/// If a word and a placeholder both match, the word wins. A pattern that ends with `/?` matches with and without a slash at the
/// end.
///
///     var router = Router()
///     router.on("GET", "/user") { request in .json(try user(of: request)) }                     // responds immediately
///     router.on("POST", "/signup", suspending: { request in try await signUp(request) })        // the connection waits
///     router.on("POST", "/token") { request -> Reply in … }                                     // either, depending on the request
public struct Router: Sendable {
    /// The prefixes of paths under which the routes can be reached.
    ///
    /// `[""]` means that there is no prefix.
    public var mounts: [String] = [""]

    /// The prefixes of paths that only tests should use.
    ///
    /// The emulator rejects requests from web pages of other sites to these paths.
    public var testPaths: [String] = []

    /// A function that is called before any route, such as for preflight requests.
    ///
    /// If the function returns a response, that response is sent, and no route is called.
    public var before: @Sendable (EmulatorRequest) throws -> EmulatorResponse? = { _ in nil }

    /// A function that completes every response, including errors, for example with the headers for CORS or a version.
    public var after: @Sendable (EmulatorRequest, inout EmulatorResponse) -> Void = { _, _ in }

    /// Makes the response to a request if no route has its path.
    public var notFound: @Sendable (EmulatorRequest) -> EmulatorResponse = { _ in .text("404 page not found", status: 404) }

    /// Makes the response to a request if routes have its path, but no route has its method.
    ///
    /// The closure receives the allowed methods in alphabetical order.
    public var methodNotAllowed: @Sendable (EmulatorRequest, [String]) -> EmulatorResponse = { _, methods in
        .empty(status: 405).with("Allow", methods.joined(separator: ", "))
    }

    /// Makes the response to an error that a handler has thrown.
    public var failed: @Sendable (any Error, EmulatorRequest) -> EmulatorResponse = { error, _ in
        .text("internal error: \(type(of: error))", status: 500)
    }

    /// Makes the response to a request that the server rejects before it looks for a route.
    package var refused: @Sendable (ServerRefusal, EmulatorRequest) -> EmulatorResponse = { refusal, _ in
        .text(refusal.sentence, status: refusal.status)
    }

    /// Returns the sections to search for a request's route, with the method to use in each.
    ///
    /// The first section that has the path is used. The property is `nil` if there is only one section. A provider can have two
    /// APIs on one port. Such a provider uses this property if the key in the request decides which API to call.
    public var sections: (@Sendable (EmulatorRequest) -> [(section: RouteSection, method: String)])?

    private var trees: [RouteSection: RouteTree] = [:]

    /// The methods and patterns of all routes.
    public var routes: [(method: String, pattern: String)] { trees.values.flatMap(\.routes) }

    /// Looks up the route for a request.
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
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - pattern: The pattern of the path.
    ///   - section: The section of the router to which the route belongs.
    ///   - handler: The function that handles a request.
    public mutating func on(
        _ method: String, _ pattern: String, in section: RouteSection = .main, _ handler: @escaping RouteHandler
    ) {
        trees[section, default: RouteTree()].insert(method: method, pattern: pattern, handler: handler)
    }

    /// Adds a route that responds immediately, on the thread of the server.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - pattern: The pattern of the path.
    ///   - handler: The function that handles a request.
    public mutating func on(
        _ method: String, _ pattern: String, _ handler: @escaping @Sendable (EmulatorRequest) throws -> EmulatorResponse
    ) {
        on(method, pattern) { request -> Reply in .now(try handler(request)) }
    }

    /// Adds a route that keeps the connection waiting until the response is ready.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - pattern: The pattern of the path.
    ///   - handler: The function that handles a request.
    public mutating func on(
        _ method: String, _ pattern: String,
        suspending handler: @escaping @Sendable (EmulatorRequest) async throws -> EmulatorResponse
    ) {
        on(method, pattern) { request -> Reply in .later { try await handler(request) } }
    }
}

/// A group of routes, for a provider that has several APIs on one port.
public struct RouteSection: RawRepresentable, Hashable, Sendable {
    /// The name of the section.
    public let rawValue: String

    /// Creates a section.
    ///
    /// - Parameter rawValue: The name of the section.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The section of a provider that has only one API.
    public static let main = RouteSection(rawValue: "main")
}

/// A response, or work that makes a response.
public enum Reply: Sendable {
    /// A response that the thread of the server sends immediately.
    case now(EmulatorResponse)
    /// Work that makes the response, while the connection waits.
    ///
    /// It runs on the emulator's own thread. Long work, such as a password hash, runs on ``EmulationEnvironment/workers``.
    case later(@Sendable () async throws -> EmulatorResponse)
}

/// The type of a function that handles the requests to a route.
///
/// The function runs on the thread of the server, so it must not wait.
public typealias RouteHandler = @Sendable (EmulatorRequest) throws -> Reply
