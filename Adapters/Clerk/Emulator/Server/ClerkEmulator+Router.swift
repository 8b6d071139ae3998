public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

extension ClerkEmulator {
    /// The routes of both APIs; their paths do not collide.
    public var router: Router {
        var router = Router()
        let instance = instance
        router.before = CrossOrigin.preflight
        router.after = CrossOrigin.finish
        let trace: @Sendable () -> String = { instance.randomness.text(32, of: "0123456789abcdef") }
        router.notFound = { _ in ClerkError.routeNotFound.response(trace: trace()) }
        router.methodNotAllowed = { _, methods in
            ClerkError.wrongMethod(methods).response(trace: trace()).with("Allow", methods.joined(separator: ", "))
        }
        router.failed = { _, _ in ClerkError.internalError.response(trace: trace()) }
        router.refused = { refusal, _ in
            ClerkError(refusal.status, "request_body_invalid", "Request invalid", refusal.sentence).response(trace: trace())
        }
        addFrontend(to: &router)
        addBackend(to: &router)
        router.get("/.well-known/jwks.json") { _ -> Reply in Self.keys(instance) }
        return router
    }

    /// Adds every pattern under its methods; a POST may carry another method in `_method`, as browsers have only GET and POST.
    private func addFrontend(to router: inout Router) {
        let service = FrontendService(instance: instance)
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
        let service = BackendService(instance: instance)
        for (method, pattern, handler) in BackendRoutes.all {
            router.on(method, "/v1" + pattern + "/?") { request -> Reply in service.reply(request, handler) }
        }
        let instance = instance
        router.get("/v1/jwks") { request -> Reply in
            if let refusal = service.refusal(of: request) { return .now(refusal) }
            return Self.keys(instance)
        }
    }

    /// The public half of the signing key, which both APIs publish.
    private static func keys(_ instance: Instance) -> Reply {
        if let key = instance.signingKey.current { return .now(.json(JSONWebKeySet(publishing: [key]).json)) }
        return .later { .json(JSONWebKeySet(publishing: [try await instance.signingKey.value]).json) }
    }
}
