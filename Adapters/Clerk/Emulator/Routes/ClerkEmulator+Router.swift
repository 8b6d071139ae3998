public import LockstepEmulation
internal import LockstepPrimitives

extension ClerkEmulator {
    /// The routes of both APIs on one port.
    ///
    /// Some paths exist in both APIs. For these paths, a request with a secret key (`Authorization: Bearer sk_…`) goes
    /// to the Backend API. Any other request goes to the Frontend API. If no route matches a request, the emulator
    /// looks for the operation in Clerk's documents. The emulator rejects an unsupported operation with an error that
    /// names the operation.
    public var router: Router {
        var router = Router()
        let state = state
        router.before = CrossOrigin.preflight
        router.after = { request, response in
            CrossOrigin.finish(request, &response)
            state.sendEvents()
        }
        router.notFound = { Self.refusal(of: $0, allowing: [], state) }
        router.methodNotAllowed = { Self.refusal(of: $0, allowing: $1, state) }
        router.failed = { _, _ in state.response(to: ClerkError.internalError) }
        router.refused = { refusal, _ in
            state.response(to: ClerkError(refusal.status, "request_body_invalid", "Request invalid", refusal.sentence))
        }
        router.sections = { request in
            let frontend = (RouteSection.frontend, request.frontendMethod)
            let backend = (RouteSection.backend, request.method)
            return request.hasSecretKey ? [backend, frontend] : [frontend, backend]
        }
        router.add(RouteTable.frontend, on: state, in: .frontend)
        router.add(RouteTable.backend, on: state, in: .backend)
        return router
    }

    /// Returns the response to a request without a handler; `methods` are the methods of the path that have one.
    ///
    /// An unsupported operation is rejected by its name. Another method of a known path is rejected with the supported
    /// methods. A path that is in neither API is unknown.
    private static func refusal(
        of request: EmulatorRequest, allowing methods: [String], _ state: ServerState
    ) -> EmulatorResponse {
        let known = ClerkOperation.all(at: request.rawPath)
        let isOfBoth = Set(known.map(\.api)).count == 2
        let operations = isOfBoth ? known.filter { ($0.api == .backend) == request.hasSecretKey } : known
        let method = operations.first?.api == .frontend ? request.frontendMethod : request.method
        if let operation = operations.first(where: { $0.method == method && !$0.isBuilt }) {
            if operation.api == .backend {
                do { try state.checkSecretKey(of: request) } catch { return state.response(to: error) }
            }
            return state.response(to: ClerkError.notBuilt(operation))
        }
        let allowed = Set(methods).union(operations.map(\.method)).sorted()
        if allowed.isEmpty { return state.response(to: ClerkError.routeNotFound) }
        return state.response(to: ClerkError.wrongMethod(allowed)).with("Allow", allowed.joined(separator: ", "))
    }
}

extension EmulatorRequest {
    /// Whether the request is for the Backend API, according to its token.
    fileprivate var hasSecretKey: Bool { bearer?.hasPrefix("sk_") == true }

    /// The method of a request to the Frontend API: a POST may contain another method in `_method`, because browsers
    /// have only GET and POST.
    fileprivate var frontendMethod: String {
        let named = method == "POST" ? query["_method"] ?? form()["_method"] : nil
        return (named ?? method).uppercased()
    }
}

/// The headers that browsers need before a page may call another origin (https://clerk.com/docs/reference/frontend-api).
enum CrossOrigin {
    private static let allowed =
        "authorization, content-type, clerk-api-version, x-mobile, x-clerk-client-id, x-native-device-id, x-ios-sdk-version"

    /// Returns the response to a preflight; `nil` for any other request.
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
