internal import LockstepEmulation

/// The headers that browsers need before a page may call another origin (reference, section 1.4).
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
