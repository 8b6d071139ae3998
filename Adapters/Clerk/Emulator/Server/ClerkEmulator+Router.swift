public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

extension ClerkEmulator {
    /// The routes of both APIs; their paths do not collide.
    public var router: Router {
        var router = Router()
        let state = state
        router.before = CrossOrigin.preflight
        router.after = CrossOrigin.finish
        router.notFound = { _ in state.response(to: ClerkError.routeNotFound) }
        router.methodNotAllowed = { _, methods in
            state.response(to: ClerkError.wrongMethod(methods)).with("Allow", methods.joined(separator: ", "))
        }
        router.failed = { _, _ in state.response(to: ClerkError.internalError) }
        router.refused = { refusal, _ in
            state.response(to: ClerkError(refusal.status, "request_body_invalid", "Request invalid", refusal.sentence))
        }
        addFrontend(to: &router)
        addBackend(to: &router)
        router.get("/.well-known/jwks.json") { _ -> Reply in Self.keys(state) }
        return router
    }

    /// Adds every pattern under its methods; a POST may carry another method in `_method`, as browsers have only GET and POST.
    private func addFrontend(to router: inout Router) {
        let service = FrontendService(state: state)
        var patterns: [String: [String: FrontendService.Handler]] = [:]
        for route in FrontendRoutes.all { patterns[route.pattern, default: [:]][route.method] = route.handler }
        for (pattern, handlers) in patterns {
            for (method, handler) in handlers where method != "POST" {
                router.on(method, pattern + "/?") { request -> Reply in service.reply(request, handler) }
            }
            router.on("POST", pattern + "/?") { request -> Reply in
                let asked = request.query["_method"] ?? request.form()["_method"]
                guard let handler = handlers[(asked ?? "POST").uppercased()] else {
                    return service.reply(request) { _ in throw ClerkError.wrongMethod(handlers.keys.sorted()) }
                }
                return service.reply(request, handler)
            }
        }
    }

    private func addBackend(to router: inout Router) {
        let service = BackendService(state: state)
        for (method, pattern, handler) in BackendRoutes.all {
            router.on(method, "/v1" + pattern + "/?") { request -> Reply in service.reply(request, handler) }
        }
        let state = state
        router.get("/v1/jwks") { request -> Reply in
            if let refusal = service.refusal(of: request) { return .now(refusal) }
            return Self.keys(state)
        }
    }

    /// The public half of the signing key, which both APIs publish.
    private static func keys(_ state: ServerState) -> Reply {
        if let key = state.signingKey.current { return .now(.json(JSONWebKeySet(publishing: [key]).json)) }
        return .later { .json(JSONWebKeySet(publishing: [try await state.signingKey.value]).json) }
    }
}
