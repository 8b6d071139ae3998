internal import LockstepEmulation
internal import LockstepPrimitives

/// CORS as in GoTrue, and as in the platform's gateway below `/auth/v1`.
enum CrossOrigin {
    private static let methods: Set = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    private static let headers = [
        "accept", "authorization", "content-type", "x-client-ip", "x-client-info", "x-jwt-aud", "x-use-cookie",
        "x-supabase-api-version",
    ]

    /// Adds the rules for requests of other origins to a router.
    ///
    /// - Parameters:
    ///   - more: Further headers that the settings allow.
    ///   - gateway: The gateway, which checks a request after preflights, because preflights contain no key.
    static func install(in router: inout Router, allowing more: [String], behind gateway: Gateway) {
        let allowed = headers + more.map { $0.lowercased() }
        router.before = { preflight($0, allowed) ?? gateway.refusal(of: $0) }
        router.after = addHeaders
    }

    private static func preflight(_ request: EmulatorRequest, _ allowed: [String]) -> EmulatorResponse? {
        guard request.method == "OPTIONS", let method = request.headers["access-control-request-method"], !method.isEmpty else {
            return nil
        }
        var response = EmulatorResponse.empty()
        response.headers["Vary"] = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"
        let asked = request.headers["access-control-request-headers"] ?? ""
        let names = asked.pieces(at: ",").map { $0.filter { $0 != " " }.lowercased() }
        let isAllowed = names.allSatisfy { allowed.contains($0) || Gateway.takes(request) }
        guard request.headers["origin"]?.isEmpty == false, methods.contains(method.uppercased()), isAllowed else {
            return response
        }
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Allow-Methods"] = method.uppercased()
        if !asked.isEmpty { response.headers["Access-Control-Allow-Headers"] = asked }
        response.headers["Access-Control-Allow-Credentials"] = "true"
        return response
    }

    private static func addHeaders(_ request: EmulatorRequest, _ response: inout EmulatorResponse) {
        if response.headers["Vary"] == nil { response.headers["Vary"] = "Origin" }
        let isPreflight = request.method == "OPTIONS" && request.headers["access-control-request-method"]?.isEmpty == false
        let isKnown = methods.contains(request.method) || request.method == "OPTIONS"
        guard !isPreflight, isKnown, let origin = request.headers["origin"], !origin.isEmpty else { return }
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Allow-Credentials"] = "true"
        response.headers["Access-Control-Expose-Headers"] = "X-Total-Count, Link, X-Supabase-Api-Version"
    }
}
