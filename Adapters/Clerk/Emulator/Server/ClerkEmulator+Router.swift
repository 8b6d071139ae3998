public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

extension ClerkEmulator {
    /// The routes of both APIs on one port.
    ///
    /// Where both have a path, the secret key of a request decides: see ``Endpoint``. Operations of the documents that are not built
    /// have no routes: a request that finds none is looked up in their table, and refused by name where it is one of them. So a start
    /// makes the routes that have handlers only, and reads no table.
    public var router: Router {
        var router = Router()
        let state = state
        let backend = BackendService(state: state)
        router.before = CrossOrigin.preflight
        router.after = CrossOrigin.finish
        router.notFound = { Self.refusal(of: $0, allowing: [], backend) }
        router.methodNotAllowed = { Self.refusal(of: $0, allowing: $1, backend) }
        router.failed = { _, _ in state.response(to: ClerkError.internalError) }
        router.refused = { refusal, _ in
            state.response(to: ClerkError(refusal.status, "request_body_invalid", "Request invalid", refusal.sentence))
        }
        for endpoint in endpoints(backend).values {
            var handlers: [String: RouteHandler] = [:]
            for method in endpoint.methods {
                handlers[method] = { request in
                    endpoint.answer(to: request, method)
                        ?? .now(Self.refusal(of: request, allowing: Array(endpoint.answers(to: request).keys), backend))
                }
            }
            router.on(endpoint.pattern + "/?", handlers)
        }
        return router
    }

    /// Every path with its answers, by the path without the names of its placeholders.
    private func endpoints(_ backend: BackendService) -> [String: Endpoint] {
        let frontend = FrontendService(state: state)
        let state = state
        var endpoints: [String: Endpoint] = [:]
        func add(_ pattern: String, _ change: (inout Endpoint) -> Void) {
            change(&endpoints[Endpoint.key(of: pattern), default: Endpoint(pattern: pattern)])
        }
        for (method, pattern, handler) in FrontendRoutes.all {
            add(pattern) { $0.frontend[method] = { frontend.reply($0, handler) } }
        }
        add("/.well-known/jwks.json") { $0.frontend["GET"] = { _ in Self.keys(state) } }
        for (method, pattern, handler) in BackendRoutes.all {
            add("/v1" + pattern) { $0.backend[method] = { backend.reply($0, handler) } }
        }
        add("/v1/jwks") { endpoint in
            endpoint.backend["GET"] = { request in backend.refusal(of: request).map { .now($0) } ?? Self.keys(state) }
        }
        return endpoints
    }

    /// The answer to a request that has no handler, where `methods` have one: an operation that is not built is refused by its name,
    /// another method of a known path with the methods that it takes, and a path of neither API as unknown.
    private static func refusal(
        of request: EmulatorRequest, allowing methods: [String], _ backend: BackendService
    ) -> EmulatorResponse {
        let state = backend.state
        let known = ClerkOperation.all(at: request.rawPath)
        let isOfBoth = Set(known.map(\.api)).count == 2
        let operations = isOfBoth ? known.filter { ($0.api == .backend) == request.hasSecretKey } : known
        let method = operations.first?.api == .frontend ? request.frontendMethod : request.method
        if let operation = operations.first(where: { $0.method == method && !$0.isBuilt }) {
            let authorization = operation.api == .backend ? backend.refusal(of: request) : nil
            return authorization ?? state.response(to: ClerkError.notBuilt(operation))
        }
        let allowed = Set(methods).union(operations.map(\.method)).sorted()
        if allowed.isEmpty { return state.response(to: ClerkError.routeNotFound) }
        return state.response(to: ClerkError.wrongMethod(allowed)).with("Allow", allowed.joined(separator: ", "))
    }

    /// The public half of the signing key, which both APIs publish.
    private static func keys(_ state: ServerState) -> Reply {
        if let key = state.signingKey.current { return .now(.json(JSONWebKeySet(publishing: [key]).json)) }
        return .later { .json(JSONWebKeySet(publishing: [try await state.signingKey.value]).json) }
    }
}

/// One path with its answers by method, of either API.
///
/// Clerk serves the APIs from two hosts; here they share one. A path of both belongs to the Backend API for a request with a secret key
/// (`Authorization: Bearer sk_…`), and to the Frontend API for any other.
struct Endpoint: Sendable {
    typealias Answer = @Sendable (EmulatorRequest) -> Reply

    let pattern: String
    var frontend: [String: Answer] = [:]
    var backend: [String: Answer] = [:]

    init(pattern: String) { self.pattern = pattern }

    /// The methods to be routed; a POST to the Frontend API may name another method in `_method`, as browsers have only GET and POST.
    var methods: Set<String> { Set(frontend.keys).union(backend.keys).union(frontend.isEmpty ? [] : ["POST"]) }

    /// The answer to a request; `nil` where its API has the path, but not the method.
    func answer(to request: EmulatorRequest, _ method: String) -> Reply? {
        isFrontends(request) ? frontend[request.frontendMethod]?(request) : backend[method]?(request)
    }

    func answers(to request: EmulatorRequest) -> [String: Answer] { isFrontends(request) ? frontend : backend }

    private func isFrontends(_ request: EmulatorRequest) -> Bool {
        if frontend.isEmpty || backend.isEmpty { return backend.isEmpty }
        return !request.hasSecretKey
    }

    /// The pattern without the names of its placeholders: patterns that differ in names only are one path.
    static func key(of pattern: String) -> String {
        var key: [UInt8] = []
        for piece in pattern.utf8.split(separator: UInt8(ascii: "/")) {
            key.append(UInt8(ascii: "/"))
            if piece.first == UInt8(ascii: "{"), piece.last == UInt8(ascii: "}") { continue }
            key += piece
        }
        return String(decoding: key, as: UTF8.self)
    }
}

extension EmulatorRequest {
    /// Whether the request is meant for the Backend API, by its token.
    fileprivate var hasSecretKey: Bool { bearer?.hasPrefix("sk_") == true }

    /// The method that the Frontend API takes the request for: a POST may name another one in `_method`.
    fileprivate var frontendMethod: String {
        let named = method == "POST" ? query["_method"] ?? form()["_method"] : nil
        return (named ?? method).uppercased()
    }
}

/// The headers that browsers need before a page may call another origin (https://clerk.com/docs/reference/frontend-api).
enum CrossOrigin {
    private static let allowed =
        "authorization, content-type, clerk-api-version, x-mobile, x-clerk-client-id, x-native-device-id, x-ios-sdk-version"

    /// The answer to a preflight; `nil` for any other request.
    static func preflight(_ request: EmulatorRequest) -> EmulatorResponse? {
        guard request.method == "OPTIONS" else { return nil }
        return EmulatorResponse(
            status: 204,
            headers: [
                "Access-Control-Allow-Methods": "GET, POST, PATCH, PUT, DELETE",
                "Access-Control-Allow-Headers": request.headers["access-control-request-headers"] ?? allowed,
                "Access-Control-Max-Age": "86400",
            ])
    }

    static func finish(_ request: EmulatorRequest, _ response: inout EmulatorResponse) {
        guard let origin = request.headers["origin"], !origin.isEmpty else { return }
        response.headers.add("Access-Control-Allow-Origin", origin)
        response.headers.add("Access-Control-Allow-Credentials", "true")
        response.headers.add(
            "Access-Control-Expose-Headers", "Authorization, Clerk-Db-Jwt, x-country, Retry-After, X-RateLimit-Reset")
        response.headers.add("Vary", "Origin")
    }
}
